import { FAULTS_TOLD, type ImportPreview, type ImportReason } from '#features/imports/calls.ts';
import type { Table } from './table.ts';

/** Reading a table to its end: the lines that hold are handed on in slices, the faulty ones are told. */

export type Fault = ImportPreview['fautes'][number]['raisons'][number];

/** What a line says, once it was checked. */
export type Checked<T> = { value: T; warning?: string } | { faults: Fault[] };

export interface Checker<T> {
  /** Cells come trimmed, by wire name of their column; a column that the file has not is blank. */
  check(cell: (colonne: string) => string): Checked<T>;
  /** Lines of the same key tell of the same person or stay. */
  keyOf(value: T): string;
}

/** What an import does with a line. */
export type LineState = 'creer' | 'modifier' | 'inchangee';

export interface GoodLine<T> {
  ligne: number;
  cellules: string[];
  value: T;
}

export interface Findings {
  /** Lines with data. */
  lignes: number;
  erreurs: number;
  /** The first faulty lines. */
  fautes: ImportPreview['fautes'];
  avertissements: ImportPreview['avertissements'];
}

/** Lines handed on at a time: so few that no other request waits for them. */
const SLICE = 250;

/** Reads all of a table; `take` is given the lines that hold, in order. */
export async function walk<T>(
  table: Table,
  checker: Checker<T>,
  take: (slice: GoodLine<T>[], findings: Findings) => Promise<void>,
): Promise<Findings> {
  const findings: Findings = { lignes: 0, erreurs: 0, fautes: [], avertissements: [] };
  const check = checkEach(table.columns.colonnes, checker, findings);
  let slice: GoodLine<T>[] = [];
  for await (const { ligne, cellules, hasMore } of table.lines) {
    findings.lignes++;
    const value = check(ligne, cellules, hasMore);
    if (value === undefined) continue;
    slice.push({ ligne, cellules, value });
    if (slice.length < SLICE) continue;
    await take(slice, findings);
    slice = [];
  }
  if (slice.length > 0) await take(slice, findings);
  return findings;
}

/** Checks one line after the other, each against those before it, and notes in `findings` what is to be told. */
function checkEach<T>(colonnes: readonly string[], checker: Checker<T>, findings: Findings) {
  const places = new Map(colonnes.map((colonne, place) => [colonne, place]));
  const seen = new Map<string, number>();

  function refuse(ligne: number, cellules: string[], raisons: Fault[]): undefined {
    findings.erreurs++;
    if (findings.fautes.length < FAULTS_TOLD) findings.fautes.push({ ligne, cellules, raisons });
  }

  return (ligne: number, cellules: string[], hasMore: boolean): T | undefined => {
    if (hasMore)
      return refuse(ligne, cellules, [{ colonne: '', raison: 'il y a plus de cellules que de titres.' }]);
    const checked = checker.check((colonne) => (cellules[places.get(colonne) ?? -1] ?? '').trim());
    if ('faults' in checked) return refuse(ligne, cellules, checked.faults);
    const key = checker.keyOf(checked.value);
    const before = seen.get(key);
    if (before !== undefined) {
      return refuse(ligne, cellules, [{ colonne: '', raison: `la ligne ${before} dit déjà la même chose.` }]);
    }
    seen.set(key, ligne);
    const { warning } = checked;
    if (warning && findings.avertissements.length < FAULTS_TOLD)
      findings.avertissements.push({ ligne, raison: warning });
    return checked.value;
  };
}

/** The reasons of the faulty lines, one after the other. */
export function reasonsOf({ fautes }: Findings): ImportReason[] {
  return fautes.flatMap(({ ligne, raisons }) => raisons.map((raison) => ({ ligne, ...raison })));
}
