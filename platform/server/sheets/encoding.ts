import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import iconv from 'iconv-lite';
import type { Encoding } from '#platform/shared/encodings.ts';

/*
 * The encoding of a text file that spreadsheets and other programs wrote in French. Lines that are UTF-8 are read as
 * such; all others, be it one line that was pasted from elsewhere, in the single-byte encoding in which they look most
 * like French.
 */

const SINGLE_BYTE = ['win1252', 'cp850', 'macroman', 'iso-8859-15'] as const;

/** Bytes read at a time: few enough that no other request has to wait for their lines. */
const CHUNK_BYTES = 16 * 1024;
/** Bytes of lines by which an encoding is recognised. */
const SAMPLE_BYTES = 32 * 1024;
/** A line longer than this, in bytes, is decoded in pieces; what reads it refuses it for its length. */
const LINE_BYTES = 1024 * 1024;

/** Recognises the encoding of a file; undefined: it is no text. */
export async function encodingOf(path: string): Promise<Encoding | undefined> {
  const sample: Buffer[] = [];
  let size = 0;
  let isFirst = true;
  for await (const lines of linesOf(path)) {
    if (isFirst) {
      const head = lines.subarray(0, CHUNK_BYTES);
      const wide = wideEncoding(head);
      if (wide) return wide;
      if (head.filter(isControl).length > head.length / 20) return undefined;
    }
    isFirst = false;
    if (size >= SAMPLE_BYTES || isUtf8(lines)) continue;
    for (const line of split(lines)) {
      if (size >= SAMPLE_BYTES || isUtf8(line)) continue;
      sample.push(line);
      size += line.length;
    }
  }
  if (size === 0) return 'utf-8';
  const bytes = Buffer.concat(sample);
  const scores = SINGLE_BYTE.map((one) => ({ one, score: frenchness(iconv.decode(bytes, one)) }));
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).one;
}

const isControl = (byte: number) => byte < 9 || (byte > 13 && byte < 32);

/** UTF-16, by its byte order mark or by where the zeros of Latin letters stand. */
function wideEncoding(head: Buffer): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = (parity: number) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (even + odd < head.length / 4 || Math.min(even, odd) > Math.max(even, odd) / 10) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** How often signs beyond ASCII stand in French lists, as a weight; any other speaks against an encoding. */
const WEIGHTS = new Map(
  ['éè', 'êëàçïÉ’', 'îôâÈË\u00a0', 'ûùüœöÇÊÀÏ°«»€', 'ÎÔÂŒÙÛÜÖñäáíóúãÑ–…ÿßåø'].flatMap((signs, rank) =>
    [...signs].map((sign) => [sign, 5 - rank] as const),
  ),
);
const ODD = -4;

/**
 * What a wrong encoding makes of French: capitals among small letters, the reverse, an « à » within a word, an « ë » or
 * an « ï » behind a consonant, a sign within a word.
 */
const MISPLACED =
  /(?<=\p{Ll})[À-Þ]|(?<=\p{L})[À-Þ](?=\p{Ll})|[à-ÿ](?=\p{Lu})|à(?=\p{Ll}{2})|(?<=[b-df-hj-np-tv-z])[ëï]|[€°«»…](?=\p{L}{2})(?<=\p{L}.|€)/gu;

/** How much a text looks like French. */
function frenchness(text: string): number {
  let score = 0;
  for (const [sign] of text.matchAll(/[^\0-\x7f]/g)) score += WEIGHTS.get(sign) ?? ODD;
  return score - 6 * (text.match(MISPLACED)?.length ?? 0);
}

/** Yields the text of a file piece by piece, with line ends normalised to line feeds; `onRead`: bytes read so far. */
export async function* decoded(
  path: string,
  encoding: Encoding,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const pieces = isWide ? wideText(path, encoding, onRead) : lineText(path, encoding, onRead);
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    // The other half of a CRLF may come with the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
  }
  if (held !== '') yield '\n';
}

async function* wideText(path: string, encoding: string, onRead: (bytes: number) => void) {
  const decoder = new TextDecoder(encoding);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    bytes += chunk.length;
    onRead(bytes);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

async function* lineText(path: string, encoding: string, onRead: (bytes: number) => void) {
  for await (const lines of linesOf(path, onRead)) {
    if (isUtf8(lines)) yield decoder.decode(lines);
    // Most files are of one encoding only.
    else if (!split(lines).some((line) => isUtf8(line) && !isAscii(line)))
      yield iconv.decode(lines, encoding);
    else
      yield* split(lines).map((line) => (isUtf8(line) ? decoder.decode(line) : iconv.decode(line, encoding)));
  }
}

/** Yields whole lines, as many at a time as a chunk holds. */
async function* linesOf(path: string, onRead: (bytes: number) => void = () => {}): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    bytes += chunk.length;
    onRead(bytes);
    const all = Buffer.concat([held, chunk]);
    const end = Math.max(all.lastIndexOf('\n'), all.lastIndexOf('\r')) + 1;
    const whole = all.length - end > LINE_BYTES ? all.length : end;
    if (whole > 0) yield all.subarray(0, whole);
    held = all.subarray(whole);
  }
  if (held.length > 0) yield held;
}

/** The lines of some bytes, each with its end. */
function split(lines: Buffer): Buffer[] {
  const end = lines.includes(10) ? 10 : 13;
  const found: Buffer[] = [];
  for (let start = 0, next: number; start < lines.length; start = next) {
    next = lines.indexOf(end, start) + 1 || lines.length;
    found.push(lines.subarray(start, next));
  }
  return found;
}

const decoder = new TextDecoder();
