import { z } from 'zod';
import {
  FAULTS_TOLD,
  type ImportPreview,
  type ImportReason,
  importedLine,
  saidTitles,
} from '#features/imports/calls.ts';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { invalid } from '#platform/server/http/errors.ts';
import { type Columns, type Fault, findColumns, headerKey, isColumn, type Matches } from './columns.ts';
import { type readRecords, refusedFile } from './read.ts';

/** A received file as lines of known columns; corrected lines replace those of the file. */

interface Line {
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

/** Corrected cells by line number; a line without cells is left out of the import. */
type Corrections = ReadonlyMap<number, string[]>;

const MAX_CORRECTIONS = 5_000;
const MAX_LINES: Record<ImportKind, number> = { sejours: 5_000, familles: 150_000, directeurs: 5_000 };

const correctionsSchema = z.array(importedLine);

/** Parses the corrections sent with a file; throws 422 when they are malformed or too many. */
export function readCorrections(text: string | undefined): Corrections {
  if (!text) return new Map();
  const read = correctionsSchema.safeParse(parsed(text));
  if (!read.success) throw refusedCorrections('ces corrections ne sont pas lisibles.');
  if (read.data.length > MAX_CORRECTIONS) {
    throw refusedCorrections(
      `il y en a plus de ${MAX_CORRECTIONS.toLocaleString('fr')}\u202f: corrigez plutôt le fichier.`,
    );
  }
  return new Map(read.data.map(({ ligne, cellules }) => [ligne, cellules]));
}

/** Parses what is said of the headers of a file; throws 422 when it is malformed or names no column of `kind`. */
export function readTitles(text: string | undefined, kind: ImportKind): Matches {
  if (!text) return new Map();
  const read = saidTitles.safeParse(parsed(text));
  if (!read.success || read.data.some(({ colonne }) => colonne !== '' && !isColumn(kind, colonne))) {
    throw invalid({ titres: 'ce qui est dit des titres n’est pas lisible.' }, { titres: 'Titres' });
  }
  return new Map(read.data.map(({ titre, colonne }) => [headerKey(titre), colonne]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusedCorrections(reason: string) {
  return invalid({ corrections: reason }, { corrections: 'Corrections' });
}

/** Opens the records of a file as a table; throws 422 when the file is empty or its header lacks columns of `kind`. */
export async function openTable(
  records: Records,
  kind: ImportKind,
  corrections: Corrections,
  said: Matches,
  recalled: Matches,
): Promise<Table> {
  const header = await records.next();
  if (header.done) throw refusedFile('ce fichier est vide.');
  const columns = findColumns(kind, header.value.cells, said, recalled);
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

/* Checking a table: valid lines are passed on in slices, faulty ones are reported. */

/** Result of checking a line. */
export type Checked<T> = { value: T; warning?: string } | { faults: Fault[] };

export interface Checker<T> {
  /** Checks a line. `cell` returns a trimmed cell by the wire name of its column; '' if the file lacks the column. */
  check(cell: (colonne: string) => string): Checked<T>;
  /** Identity key: lines with the same key are about the same person or stay. */
  keyOf(value: T): string;
  /**
   * All that a line says. With it, a line that says the same as an earlier one is left out; without it, it is faulty, like
   * one that says something else of the same person or stay.
   */
  wholeOf?(value: T): string;
}

/** What an import does with a line. */
export type LineState = 'creer' | 'modifier' | 'inchangee';

interface GoodLine<T> {
  ligne: number;
  cellules: string[];
  value: T;
}

export interface Findings {
  /** Number of lines with data. */
  lignes: number;
  erreurs: number;
  /** Numbers of the first faulty lines, at most `MAX_CORRECTIONS`. */
  fautives: number[];
  /** Number of lines left out because they repeat an earlier one. */
  doublons: number;
  /** The first faulty lines, at most `FAULTS_TOLD`. */
  fautes: ImportPreview['fautes'];
  avertissements: ImportPreview['avertissements'];
}

/** Lines passed on at a time: few enough that no other request has to wait for them. */
const SLICE = 250;

/** Checks all lines of a table and passes the valid ones to `take` in slices, in order; returns the findings. */
export async function walk<T>(
  table: Table,
  checker: Checker<T>,
  take: (slice: GoodLine<T>[], findings: Findings) => Promise<void>,
): Promise<Findings> {
  const findings: Findings = {
    lignes: 0,
    erreurs: 0,
    fautives: [],
    doublons: 0,
    fautes: [],
    avertissements: [],
  };
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

/**
 * Returns a function that checks one line, also against those before it, and records its faults in `findings`. It returns
 * the value of the line; undefined when the line is faulty or left out.
 */
function checkEach<T>(colonnes: readonly string[], checker: Checker<T>, findings: Findings) {
  const places = new Map(colonnes.map((colonne, place) => [colonne, place]));
  const seen = new Map<string, { ligne: number; whole: string | undefined }>();

  function refuse(ligne: number, cellules: string[], raisons: Fault[]): undefined {
    findings.erreurs++;
    if (findings.fautives.length < MAX_CORRECTIONS) findings.fautives.push(ligne);
    if (findings.fautes.length < FAULTS_TOLD) findings.fautes.push({ ligne, cellules, raisons });
  }

  function warn(ligne: number, raison: string): void {
    if (findings.avertissements.length < FAULTS_TOLD) findings.avertissements.push({ ligne, raison });
  }

  return (ligne: number, cellules: string[], hasMore: boolean): T | undefined => {
    if (hasMore)
      return refuse(ligne, cellules, [{ colonne: '', raison: 'il y a plus de cellules que de titres.' }]);
    const checked = checker.check((colonne) => (cellules[places.get(colonne) ?? -1] ?? '').trim());
    if ('faults' in checked) return refuse(ligne, cellules, checked.faults);
    const key = checker.keyOf(checked.value);
    const whole = checker.wholeOf?.(checked.value);
    const before = seen.get(key);
    if (before && whole !== undefined && whole === before.whole) {
      findings.doublons++;
      warn(ligne, `elle répète la ligne ${before.ligne}, mot pour mot\u202f: elle est laissée de côté.`);
      return undefined;
    }
    if (before) {
      return refuse(ligne, cellules, [
        { colonne: '', raison: `la ligne ${before.ligne} dit déjà la même chose.` },
      ]);
    }
    seen.set(key, { ligne, whole });
    if (checked.warning) warn(ligne, checked.warning);
    return checked.value;
  };
}

/** The reasons of all faulty lines, as one list. */
export function reasonsOf({ fautes }: Findings): ImportReason[] {
  return fautes.flatMap(({ ligne, raisons }) => raisons.map((raison) => ({ ligne, ...raison })));
}
