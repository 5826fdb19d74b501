import { HttpError } from '#platform/server/errors.ts';
import { decoded } from '#platform/server/sheets/encoding.ts';
import type { Encoding } from '#platform/shared/encodings.ts';
import type { ImportReason } from '../calls.ts';

/** Reading a text file as records of cells; separator and line ends are detected. */

export interface FileRecord {
  /** Number of the line on which it starts, from 1. */
  ligne: number;
  cells: string[];
  /** A cell begins with a quote that nothing closes, or too early: where it ends is not sure. */
  isTorn: boolean;
}

/** Longest record, in characters as it stands in the file. */
const MAX_RECORD = 200_000;
/** Longest cell between quotes, in characters; where none of them closes within, the first one is a sign like others. */
const MAX_QUOTED = 32_767;
const MAX_BLANK_LINES = 20_000;

/**
 * Yields the records of a file, without blank ones, as many at a time as a piece of it holds. Throws 422 for a file that
 * is not a table. `onRead` is called with the number of bytes read so far.
 */
export async function* readRecords(
  path: string,
  encoding: Encoding,
  onRead: (bytes: number) => void,
): AsyncGenerator<FileRecord[]> {
  let cut: Cutter | undefined;
  let held = '';
  let ligne = 1;
  let blank = 0;
  const take = (isLast: boolean): FileRecord[] => {
    cut ??= cutterOf(delimiterOf(held));
    const records: FileRecord[] = [];
    let start = 0;
    for (const { cells, isTorn, end } of cut(held, isLast)) {
      if (end - start > MAX_RECORD) throw refusedFile('la ligne est trop longue.', ligne);
      if (cells.some((cell) => cell.trim() !== '')) records.push({ ligne, cells, isTorn });
      else if (++blank > MAX_BLANK_LINES)
        throw refusedFile(`il y a plus de ${MAX_BLANK_LINES.toLocaleString('fr')} lignes vides.`, ligne);
      ligne += held.indexOf('\n', start) === end - 1 ? 1 : held.slice(start, end).split('\n').length - 1;
      start = end;
    }
    held = held.slice(start);
    return records;
  };
  for await (const text of decoded(path, encoding, onRead)) {
    held += text;
    // The separator is seen in whole lines.
    if (held.includes('\n') || held.length > MAX_RECORD) yield take(false);
    if (held.length > MAX_RECORD + MAX_QUOTED) throw refusedFile('la ligne est trop longue.', ligne);
  }
  if (held !== '') yield take(true);
}

interface CutRecord extends Omit<FileRecord, 'ligne'> {
  /** Index behind the line feed that ends it. */
  end: number;
}
type Cutter = (text: string, isLast: boolean) => CutRecord[];

/**
 * Returns a function that cuts a text into records; the last one only if it is whole. A quote encloses a cell that it
 * begins and another one ends; elsewhere it is a sign like others.
 */
function cutterOf(delimiter: string): Cutter {
  const blanks = delimiter === '\t' ? ' *' : '[ \\t]*';
  const enclosed = new RegExp(`"([^"]*(?:""[^"]*)*)"${blanks}(?=[${delimiter}\\n])`, 'y');
  return (held, isLast) => {
    const text = isLast && !held.endsWith('\n') ? `${held}\n` : held;
    const records: CutRecord[] = [];
    let cells: string[] = [];
    let isTorn = false;
    let at = 0;
    // Each is looked for anew only once it is passed.
    let lineEnd = -1;
    let cellEnd = -1;
    const next = (sign: string) => (text.indexOf(sign, at) + 1 || Infinity) - 1;
    while (at < text.length) {
      let cell: string | undefined;
      if (text[at] === '"') {
        enclosed.lastIndex = at;
        cell = enclosed.exec(text)?.[1]?.replaceAll('""', '"');
        if (cell !== undefined) at = enclosed.lastIndex;
        // Its end may come with the next piece.
        else if (!isLast && text.length - at < MAX_QUOTED) return records;
        else isTorn = true;
      }
      if (lineEnd < at) lineEnd = next('\n');
      if (cell === undefined) {
        if (lineEnd === Infinity) return records;
        if (cellEnd < at) cellEnd = next(delimiter);
        const end = Math.min(cellEnd, lineEnd);
        cell = text.slice(at, end);
        at = end;
      }
      cells.push(cell);
      at++;
      if (at <= lineEnd) continue;
      records.push({ cells, isTorn, end: at });
      cells = [];
      isTorn = false;
    }
    return records;
  };
}

const DELIMITERS = [';', ',', '\t', '|'] as const;
/** Lines in which the separator is looked for: the first ones may be titles. */
const DELIMITED_LINES = 30;

/** The separator that a first line `sep=;` names, or that occurs most in the first lines, outside quotes. */
function delimiterOf(start: string): string {
  const named = /^\s*"?sep=([;,|\t])/i.exec(start)?.[1];
  if (named) return named;
  const lines = start
    .trimStart()
    .replace(/"[^"]*"/g, '')
    .split('\n', DELIMITED_LINES)
    .join('\n');
  return DELIMITERS.reduce((best, other) =>
    lines.split(other).length > lines.split(best).length ? other : best,
  );
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
