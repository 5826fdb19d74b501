import { z } from 'zod';
import { importedLine } from '#features/imports/calls.ts';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { invalid } from '#platform/server/http/errors.ts';
import { type Columns, findColumns } from './columns.ts';
import type { readRecords } from './read.ts';
import { refusedFile } from './refusals.ts';

/** A received file as lines of known columns, corrected lines in the place of those they replace. */

export interface Line {
  ligne: number;
  /** In the order of `colonnes`. */
  cellules: string[];
  /** The file has cells past its last column. */
  hasMore: boolean;
}

export interface Table {
  columns: Columns;
  lines: AsyncGenerator<Line>;
}

type Records = ReturnType<typeof readRecords>;

/** Cells by line; a line without cells is left out. */
export type Corrections = ReadonlyMap<number, string[]>;

const MAX_CORRECTIONS = 5_000;
const MAX_LINES: Record<ImportKind, number> = { sejours: 5_000, familles: 150_000 };

const correctionsSchema = z.array(importedLine);

/** Reads the corrections that a form brings; throws 422 for what is none. */
export function readCorrections(text: string | undefined): Corrections {
  if (text === undefined || text === '') return new Map();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const read = correctionsSchema.safeParse(value);
  if (!read.success) throw refusedCorrections('ces corrections ne sont pas lisibles.');
  if (read.data.length > MAX_CORRECTIONS) {
    throw refusedCorrections(
      `il y en a plus de ${MAX_CORRECTIONS.toLocaleString('fr')}\u202f: corrigez plutôt le fichier.`,
    );
  }
  return new Map(read.data.map(({ ligne, cellules }) => [ligne, cellules]));
}

function refusedCorrections(reason: string) {
  return invalid({ corrections: reason }, { corrections: 'Corrections' });
}

/** A table of the records of a file; throws 422 for one without a header of this kind. */
export async function openTable(
  records: Records,
  kind: ImportKind,
  corrections: Corrections,
): Promise<Table> {
  const header = await records.next();
  if (header.done) throw refusedFile('ce fichier est vide.');
  const columns = findColumns(kind, header.value.cells);
  return { columns, lines: linesOf(records, columns, MAX_LINES[kind], corrections) };
}

async function* linesOf(
  records: Records,
  { places, width }: Columns,
  max: number,
  corrections: Corrections,
): AsyncGenerator<Line> {
  let count = 0;
  let corrected = 0;
  let leftOut = 0;
  for await (const { ligne, cells } of records) {
    if (++count > max) throw refusedFile(`il y a plus de ${max.toLocaleString('fr')} lignes.`, ligne);
    const correction = corrections.get(ligne);
    if (correction) {
      corrected++;
      if (correction.length === 0) {
        leftOut++;
        continue;
      }
      const cellules = places.map((_, index) => correction[index] ?? '');
      yield { ligne, cellules, hasMore: correction.length > places.length };
    } else {
      // Spreadsheets leave out blank cells at the end of a line.
      const cellules = places.map((place) => cells[place] ?? '');
      yield { ligne, cellules, hasMore: cells.slice(width).some((cell) => cell.trim() !== '') };
    }
  }
  if (count === leftOut) throw refusedFile('il n’y a rien sous la ligne des titres.');
  if (corrected < corrections.size) throw refusedCorrections('une ligne corrigée n’est pas dans ce fichier.');
}
