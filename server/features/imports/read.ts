import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import type { CsvError, Info } from 'csv-parse';
import { refusedFile } from './refusals.ts';

/** A text file as records of cells, as it stands: encoding, separator and line ends are found out. */

export interface FileRecord {
  /** Number of the line on which it starts, from 1. */
  ligne: number;
  cells: string[];
}

const MAX_COLUMNS = 50;
/** Characters of a cell. */
const MAX_CELL = 4_096;
/** Characters of a line: more than a record within the limits can have, its quotes doubled. */
const MAX_LINE = 3 * MAX_COLUMNS * MAX_CELL;
const MAX_BLANK_LINES = 20_000;
/** Read at a time: so few that no other request waits for their lines. */
const CHUNK_BYTES = 32 * 1024;

/**
 * The records of a file, blank ones left out. Throws 422 for one that is no table. `onRead` is told the bytes
 * read so far.
 */
export async function* readRecords(
  path: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<FileRecord> {
  const csv = await import('csv-parse');
  const encoding = await encodingOf(path);
  const texts = decoded(path, encoding, onRead);
  const first = await texts.next();
  const start = first.done ? '' : first.value;
  const parser = csv.parse({
    delimiter: delimiterOf(start),
    record_delimiter: '\n',
    info: true,
    relax_column_count: true,
    max_record_size: MAX_COLUMNS * MAX_CELL,
  });
  // Its own error comes out of the loop below.
  pipeline(Readable.from(withStart(start, texts)), parser, () => {});
  let blank = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const ligne = info.lines - breaksIn(record);
      if (record.length > MAX_COLUMNS) throw refusedFile(`il y a plus de ${MAX_COLUMNS} colonnes.`, ligne);
      if (record.every((cell) => cell.trim() === '')) {
        if (++blank > MAX_BLANK_LINES)
          throw refusedFile(`il y a plus de ${MAX_BLANK_LINES.toLocaleString('fr')} lignes vides.`, ligne);
        continue;
      }
      if (record.some((cell) => cell.length > MAX_CELL))
        throw refusedFile('une cellule est trop longue.', ligne);
      yield { ligne, cells: record };
    }
  } catch (error) {
    throw error instanceof csv.CsvError ? refusedRecord(error) : error;
  }
}

function breaksIn(record: readonly string[]): number {
  return record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
}

function refusedRecord(error: CsvError) {
  const ligne = Number(error.lines);
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return refusedFile('un guillemet ouvert n’est pas refermé.', ligne);
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return refusedFile('la ligne est trop longue, ou un guillemet n’est pas refermé.', ligne);
  }
  return refusedFile('un guillemet est mal placé.', ligne);
}

type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** What a spreadsheet saved: its mark says so, or else all of the file is UTF-8, or it is Windows’ own. */
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

/** The text of a file piece by piece, each line ended by a line feed alone. */
async function* decoded(
  path: string,
  encoding: Encoding,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let bytes = 0;
  let held = '';
  /** Characters so far of the line that the next piece goes on with. */
  let length = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    bytes += chunk.length;
    onRead(bytes);
    const text = held + decoder.decode(chunk, { stream: true });
    // The other half of a CRLF may come with the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    const piece = text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
    const end = piece.lastIndexOf('\n');
    length = end === -1 ? length + piece.length : piece.length - end - 1;
    // The parser would first make cells of all of it, however many.
    if (length > MAX_LINE) throw refusedFile('une ligne est trop longue.');
    yield piece;
  }
  yield (held + decoder.decode()).replace(/\r\n?/g, '\n');
}

async function* withStart(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

const DELIMITERS = [';', ',', '\t'] as const;

/** The separator that the line of the headers uses most, outside of quotes. */
function delimiterOf(start: string): string {
  const [header = ''] = start
    .trimStart()
    .replace(/"[^"]*"/g, '')
    .split('\n');
  const [most] = [...DELIMITERS].sort((a, b) => header.split(b).length - header.split(a).length);
  return most ?? ';';
}
