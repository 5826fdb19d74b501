/** What the first bytes of a file say it is; names and declared types are never believed. */
export type Sniffed = 'jpeg' | 'png' | 'webp' | 'heif' | 'pdf' | 'zip' | 'ole';

/** How many bytes `sniff` wants to see. */
export const SNIFF_BYTES = 32;

const HEIF_BRANDS = /^(avif|avis|heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;

export function sniff(head: Buffer): Sniffed | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png';
  const ascii = head.toString('latin1');
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'webp';
  if (ascii.slice(4, 8) === 'ftyp' && HEIF_BRANDS.test(ascii.slice(8, 12))) return 'heif';
  if (ascii.startsWith('%PDF-')) return 'pdf';
  // What .xlsx, .docx and .ods are inside; and what .xls and .doc are.
  if (ascii.startsWith('PK\x03\x04')) return 'zip';
  if (ascii.startsWith('\xd0\xcf\x11\xe0')) return 'ole';
  return undefined;
}
