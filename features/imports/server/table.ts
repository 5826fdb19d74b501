import { z } from 'zod';
import {
  FAULTS_TOLD,
  type ImportPreview,
  type ImportReason,
  importedLine,
  type ReadFile,
  saidTitles,
} from '#features/imports/calls.ts';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { invalid } from '#platform/server/http/errors.ts';
import { meaningOf, type Reading, whyUnreadable } from './cells.ts';
import {
  type Columns,
  countNamed,
  type Fault,
  findColumns,
  headerKey,
  isColumn,
  type Matches,
} from './columns.ts';
import { type FileRecord, refusedFile } from './read.ts';

/** A received file as lines of known columns; corrected lines replace those of the file. */

interface Line {
  ligne: number;
  /** In the order of `colonnes`. */
  cellules: string[];
  /** Why its cells may not be those of their columns; undefined: they are. */
  misread: string | undefined;
}

export interface Table {
  columns: Columns;
  lines: AsyncGenerator<Line>;
  reading: Reading;
  lu: ReadFile;
}

type Records = AsyncGenerator<FileRecord>;

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

/** Lines at the top of a file of which one has the headers, and lines below it that show what columns hold. */
const TOP_LINES = 10;
const SAMPLE_LINES = 20;
/** Longest cell that is read, in characters. */
const MAX_CELL = 4_096;

/** The first lines of a file, and where among them the headers are: the line that names most columns. */
export async function topOf(records: Records, kind: ImportKind, said: Matches) {
  const top: FileRecord[] = [];
  while (top.length < TOP_LINES + SAMPLE_LINES) {
    const next = await records.next();
    if (next.done) break;
    top.push(next.value);
  }
  const named = top.slice(0, TOP_LINES).map(({ cells }) => countNamed(kind, cells, said));
  const most = Math.max(...named);
  // Where none is known, a title above the table has a cell alone.
  const isTable = ({ cells }: FileRecord) => cells.filter((cell) => cell.trim() !== '').length > 1;
  const at = most > 1 ? named.indexOf(most) : Math.max(top.slice(0, TOP_LINES).findIndex(isTable), 0);
  return { top, at, hasHeaders: most > 1 };
}

/** Opens the records of a file as a table; throws 422 when the file is empty or its header lacks columns of `kind`. */
export function openTable(
  records: Records,
  { top, at }: Awaited<ReturnType<typeof topOf>>,
  kind: ImportKind,
  corrections: Corrections,
  said: Matches,
  recalled: Matches,
  reading: Reading,
): Omit<Table, 'lu'> {
  const header = top[at];
  if (!header) throw refusedFile('ce fichier est vide.');
  const rest = top.slice(at + 1);
  const samples = rest.slice(0, SAMPLE_LINES).map(({ cells }) => cells);
  const columns = findColumns(kind, header.cells, samples, said, recalled);
  async function* all() {
    yield* rest;
    yield* records;
  }
  return { columns, lines: linesOf(all(), columns, MAX_LINES[kind], corrections), reading };
}

const TOO_MANY = 'il y a plus de cellules que de titres.';
const TORN = 'un guillemet est mal placé\u202f: vérifiez chaque cellule.';

async function* linesOf(
  records: Records,
  { places, width }: Columns,
  max: number,
  corrections: Corrections,
): AsyncGenerator<Line> {
  let count = 0;
  let corrected = 0;
  let leftOut = 0;
  for await (const { ligne, cells, isTorn } of records) {
    if (++count > max) throw refusedFile(`il y a plus de ${max.toLocaleString('fr')} lignes.`, ligne);
    const correction = corrections.get(ligne);
    if (correction) {
      corrected++;
      if (correction.length === 0) {
        leftOut++;
        continue;
      }
      const cellules = places.map((_, index) => correction[index] ?? '');
      yield { ligne, cellules, misread: correction.length > places.length ? TOO_MANY : undefined };
    } else {
      // Spreadsheets leave out blank cells at the end of a line.
      const cellules = places.map((place) => cells[place] ?? '');
      if (cellules.some(({ length }) => length > MAX_CELL))
        throw refusedFile('une cellule est trop longue.', ligne);
      const isWide = cells.slice(width).some((cell) => cell.trim() !== '');
      yield { ligne, cellules, misread: isTorn ? TORN : isWide ? TOO_MANY : undefined };
    }
  }
  if (count === leftOut) throw refusedFile('il n’y a rien sous la ligne des titres.');
  if (corrected < corrections.size) throw refusedCorrections('une ligne corrigée n’est pas dans ce fichier.');
}

/* Checking a table: valid lines are passed on in slices, faulty ones are reported. */

/** Result of checking a line. */
export type Checked<T> = { value: T; warning?: string } | { faults: Fault[] };

export interface Checker<T> {
  /** Checks a line. `cell` returns what a cell says, by the wire name of its column; '' if the file lacks the column. */
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
  const check = checkEach(table, checker, findings);
  let slice: GoodLine<T>[] = [];
  for await (const line of table.lines) {
    findings.lignes++;
    const good = check(line);
    if (good === undefined) continue;
    slice.push(good);
    if (slice.length < SLICE) continue;
    await take(slice, findings);
    slice = [];
  }
  if (slice.length > 0) await take(slice, findings);
  return findings;
}

/**
 * Returns a function that checks one line, also against those before it, and records its faults in `findings`. It returns
 * the line as it is understood; undefined when it is faulty or left out.
 */
function checkEach<T>({ columns: { colonnes }, reading }: Table, checker: Checker<T>, findings: Findings) {
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

  return ({ ligne, cellules, misread }: Line): GoodLine<T> | undefined => {
    if (misread !== undefined) return refuse(ligne, cellules, [{ colonne: '', raison: misread }]);
    const unreadable = colonnes.flatMap((colonne, place) => {
      const raison = whyUnreadable(cellules[place] ?? '');
      return raison === undefined ? [] : [{ colonne, raison }];
    });
    if (unreadable.length > 0) return refuse(ligne, cellules, unreadable);
    const meant = cellules.map((cell, place) => meaningOf(colonnes[place] ?? '', cell, reading));
    const checked = checker.check((colonne) => meant[places.get(colonne) ?? -1] ?? '');
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
    return { ligne, cellules: meant, value: checked.value };
  };
}

/** The reasons of all faulty lines, as one list. */
export function reasonsOf({ fautes }: Findings): ImportReason[] {
  return fautes.flatMap(({ ligne, raisons }) => raisons.map((raison) => ({ ligne, ...raison })));
}
