/* What a file is, by its first bytes: names and declared types are never believed. Free of zod. */

/** ZIP is the container of .xlsx, .docx and .ods; OLE is that of .xls and .doc. */
export type Sniffed = 'jpeg' | 'png' | 'webp' | 'heif' | 'pdf' | 'zip' | 'ole';

/** What the site takes as a picture. */
export const PICTURE_KINDS: readonly (Sniffed | undefined)[] = ['jpeg', 'png', 'webp', 'heif'];

/** Number of bytes that `sniff` looks at; a shorter file is looked at whole. */
export const SNIFF_BYTES = 64;

const BEGINNINGS = [
  ['jpeg', '\xff\xd8\xff'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['pdf', '%PDF-'],
  ['zip', 'PK\x03\x04'],
  ['ole', '\xd0\xcf\x11\xe0'],
] as const;

/** Brands of HEIC and AVIF, their sequences included; what a camera calls its file may come first. */
const HEIF_BRANDS = /^(?:.{4})*?(?:avif|avis|hei[cxms]|hev[cxms]|mif[12]|msf1)/s;

/** What begins with these bytes; undefined for what the site takes nowhere, and for text. */
export function sniff(head: Uint8Array): Sniffed | undefined {
  const text = String.fromCharCode(...head.subarray(0, SNIFF_BYTES));
  const found = BEGINNINGS.find(([, beginning]) => text.startsWith(beginning));
  if (found) return found[0];
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (!text.startsWith('ftyp', 4)) return undefined;
  // The brand, its version, then those with which the file is compatible, up to the end of the first box.
  const end = text.charCodeAt(2) * 256 + text.charCodeAt(3);
  return HEIF_BRANDS.test(text.slice(8, 12) + text.slice(16, end)) ? 'heif' : undefined;
}
