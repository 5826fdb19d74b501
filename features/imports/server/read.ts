import { createReadStream } from 'node:fs';
import type { ImportReason } from '#features/imports/calls.ts';
import { HttpError } from '#platform/server/http/errors.ts';

/** Reading a text file as records of cells; encoding, separator and line ends are detected. */

interface FileRecord {
  /** Number of the line on which it starts, from 1. */
  ligne: number;
  cells: string[];
}

const MAX_COLUMNS = 50;
/** Longest cell, in characters. */
const MAX_CELL = 4_096;
/** Longest record, in characters as it stands in the file. */
const MAX_RECORD = MAX_COLUMNS * MAX_CELL;
const MAX_BLANK_LINES = 20_000;
/** Bytes read at a time: few enough that no other request has to wait for their lines. */
const CHUNK_BYTES = 16 * 1024;

/**
 * Yields the records of a file, without blank ones. Throws 422 for a file that is not a table. `onRead` is called with
 * the number of bytes read so far.
 */
export async function* readRecords(
  path: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<FileRecord> {
  const { default: csv } = await import('papaparse');
  const encoding = await encodingOf(path);
  let delimiter: string | undefined;
  let ligne = 1;
  let blank = 0;
  for await (const { text, isTooLong } of wholeRecords(decoded(path, encoding, onRead))) {
    delimiter ??= delimiterOf(text);
    requireRecords(text, isTooLong, delimiter, ligne);
    // For an empty text the parser returns no record.
    const records = text === '' ? [['']] : csv.parse<string[]>(text, { delimiter, newline: '\n' }).data;
    for (const cells of records) {
      if (cells.length > MAX_COLUMNS) throw refusedFile(`il y a plus de ${MAX_COLUMNS} colonnes.`, ligne);
      if (cells.every((cell) => cell.trim() === '')) {
        if (++blank > MAX_BLANK_LINES)
          throw refusedFile(`il y a plus de ${MAX_BLANK_LINES.toLocaleString('fr')} lignes vides.`, ligne);
      } else {
        if (cells.some((cell) => cell.length > MAX_CELL))
          throw refusedFile('une cellule est trop longue.', ligne);
        yield { ligne, cells };
      }
      ligne += cells.reduce((sum, cell) => sum + breaksIn(cell), 1);
    }
  }
}

function breaksIn(text: string): number {
  return text.includes('\n') ? text.split('\n').length - 1 : 0;
}

/** Text of one or more whole records, without the last line feed. */
interface Piece {
  text: string;
  /** The text is the start of a record longer than `MAX_RECORD`; no piece follows. */
  isTooLong: boolean;
}

async function* wholeRecords(texts: AsyncGenerator<string>): AsyncGenerator<Piece> {
  let held = '';
  for await (const text of texts) {
    held += text;
    const end = endOfRecords(held);
    if (end !== -1) yield { text: held.slice(0, end), isTooLong: false };
    held = held.slice(end + 1);
    if (held.length > MAX_RECORD) return yield { text: held, isTooLong: true };
  }
  if (held !== '') yield { text: held, isTooLong: false };
}

/** Index of the last line feed outside quotes, which ends the last whole record of a text; -1 when there is none. */
function endOfRecords(text: string): number {
  if (!text.includes('"')) return text.lastIndexOf('\n');
  let end = -1;
  let isQuoted = false;
  for (const { 0: sign, index } of text.matchAll(/["\n]/g)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted) end = index;
  }
  return end;
}

/** Throws 422 for malformed records, which the parser would accept. `ligne`: the line on which the text starts. */
function requireRecords(text: string, isTooLong: boolean, delimiter: string, ligne: number): void {
  const refuse = (reason: string, place: number) =>
    refusedFile(reason, ligne + breaksIn(text.slice(0, place)));
  const place = text.includes('"') ? misplacedQuote(text, delimiter) : -1;
  if (place === -1) {
    if (isTooLong) throw refuse('la ligne est trop longue.', 0);
    return;
  }
  const isOpened = place === 0 || `\n${delimiter}`.includes(text.charAt(place - 1));
  if (!isOpened || !/^"(?:[^"]|"")*$/.test(text.slice(place)))
    throw refuse('un guillemet est mal placé.', place);
  throw refuse(
    isTooLong
      ? 'la ligne est trop longue, ou un guillemet n’est pas refermé.'
      : 'un guillemet ouvert n’est pas refermé.',
    place,
  );
}

/** Index of the first quote that neither encloses a cell nor is doubled inside an enclosed one; -1 for none. */
function misplacedQuote(text: string, delimiter: string): number {
  const edge = `[\\n${delimiter}]`;
  const enclosed = new RegExp(`(?<=^|${edge})"(?:[^"]|"")*"(?=${edge}|$)`, 'g');
  return text.replace(enclosed, (cell) => ' '.repeat(cell.length)).indexOf('"');
}

type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Detects the encoding: UTF-16 by its byte order mark; else UTF-8 if the whole file is valid; else Windows-1252. */
async function encodingOf(path: string): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
      isFirst = false;
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

/** Yields the text of a file piece by piece, with line ends normalised to line feeds. */
async function* decoded(
  path: string,
  encoding: Encoding,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let bytes = 0;
  let held = '';
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    bytes += chunk.length;
    onRead(bytes);
    const text = held + decoder.decode(chunk, { stream: true });
    // The other half of a CRLF may come with the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
  }
  yield (held + decoder.decode()).replace(/\r\n?/g, '\n');
}

const DELIMITERS = [';', ',', '\t'] as const;

/** The separator that occurs most in the header line, outside quotes. */
function delimiterOf(start: string): string {
  const [header = ''] = start
    .trimStart()
    .replace(/"[^"]*"/g, '')
    .split('\n');
  const [most] = [...DELIMITERS].sort((a, b) => header.split(b).length - header.split(a).length);
  return most ?? ';';
}

/** The 422 for a file refused as a whole. `ligne`: the line that is the reason, if any; `more`: beside the reason. */
export function refusedFile(raison: string, ligne?: number, more?: object): HttpError {
  const said = ligne === undefined ? raison : `ligne ${ligne}, ${raison}`;
  return new HttpError(422, `Fichier\u00a0: ${said}`, {
    champs: { file: said },
    extra: { lignes: ligne === undefined ? [] : [{ ligne, colonne: '', raison }], ...more },
  });
}

/** The 422 for a file with faulty lines, of which nothing is stored. */
export function refusedLines(erreurs: number, lignes: ImportReason[]): HttpError {
  const count = erreurs === 1 ? 'Une ligne est fautive' : `${erreurs} lignes sont fautives`;
  return new HttpError(422, `${count}\u202f: rien n’a été importé.`, { extra: { lignes } });
}
