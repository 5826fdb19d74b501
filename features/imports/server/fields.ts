import type { z } from 'zod';
import { stayName } from '#features/stays/shared/fields.ts';
import { readDay } from './cells.ts';
import type { Fault } from './walk.ts';

/** Cells read with the rules of the forms; what is wrong is noted by column. */

export type Cell = (colonne: string) => string;

/** Reads a cell; undefined when it is wrong, which `faults` then says. */
export function readCell<T>(
  schema: z.ZodType<T, string>,
  cell: Cell,
  colonne: string,
  faults: Fault[],
): T | undefined {
  const read = schema.safeParse(cell(colonne));
  if (read.success) return read.data;
  faults.push({ colonne, raison: read.error.issues[0]?.message ?? '' });
  return undefined;
}

const REQUIRED = 'ce champ est obligatoire.';
const NO_DAY = 'cette date n’existe pas (exemple\u202f: 20/06/2026).';

function dayCell(cell: Cell, colonne: string, faults: Fault[]): string {
  const text = cell(colonne);
  const day = readDay(text);
  if (day === undefined) faults.push({ colonne, raison: text === '' ? REQUIRED : NO_DAY });
  return day ?? '';
}

/** Name and dates of a stay. */
export function stayCells(cell: Cell, faults: Fault[]) {
  const nom_stage = readCell(stayName, cell, 'nom_stage', faults) ?? '';
  const date_debut = dayCell(cell, 'date_debut', faults);
  const date_fin = dayCell(cell, 'date_fin', faults);
  if (date_debut !== '' && date_fin !== '' && date_fin < date_debut) {
    faults.push({ colonne: 'date_fin', raison: 'le séjour finit avant de commencer.' });
  }
  return { nom_stage, date_debut, date_fin };
}
