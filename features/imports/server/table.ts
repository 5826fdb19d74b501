import { z } from 'zod';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { invalid } from '#platform/server/errors.ts';
import {
  FAULTS_TOLD,
  type ImportPreview,
  type ImportReason,
  importedLine,
  saidAnswers,
  saidTitles,
} from '../calls.ts';
import { DAYS, meaningIn, monthFirstIn, type Reading, readDay, whyUnreadable } from './cells.ts';
import {
  type Cell,
  type Columns,
  countNamed,
  type Fault,
  findColumns,
  headerKey,
  isColumn,
  type Matches,
} from './columns.ts';
import { type Answers, type Asked, answerKey, type Questions } from './questions.ts';
import { type FileRecord, refusedFile } from './read.ts';

/** A received file as lines of known columns; corrected lines replace those of the file. */

interface Line {
  ligne: number;
  /** In the order of `colonnes`. */
  cellules: string[];
  /** Why its cells may not be those of their columns; undefined: they are. */
  misread: string | undefined;
  /** Its sender leaves it aside. */
  isAside: boolean;
  /** What it looks like, if it is none of the list: a sum, its headers once more, a heading amid the lines. */
  kind: 'total' | 'titres' | 'intertitre' | undefined;
  /** Which order of day and month its days may have; see `monthFirstIn`. */
  monthFirst: ReturnType<typeof monthFirstIn>;
}

export interface Table {
  columns: Columns;
  /** Piece by piece. */
  lines: AsyncGenerator<Line[]>;
  reading: Reading;
}

type Records = AsyncGenerator<FileRecord[]>;

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

/** Parses the answers to what a file asks; throws 422 when they are malformed. */
export function readAnswers(text: string | undefined): Answers {
  const read = saidAnswers.safeParse(text ? parsed(text) : []);
  if (!read.success)
    throw invalid({ reponses: 'ces réponses ne sont pas lisibles.' }, { reponses: 'Réponses' });
  return new Map(read.data.map(({ question, ligne, reponse }) => [answerKey(question, ligne), reponse]));
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
const TOP_LINES = 30;
const SAMPLE_LINES = 20;
/** Longest cell that is read, in characters. */
const MAX_CELL = 4_096;

/** The first lines of a file, and where among them the headers are: the line that names most columns. */
export async function topOf(records: Records, kind: ImportKind, said: Matches) {
  const top: FileRecord[] = [];
  while (top.length < TOP_LINES + SAMPLE_LINES) {
    const next = await records.next();
    if (next.done) break;
    top.push(...next.value);
  }
  // Where none is known, a title above the table has a cell alone.
  const isTable = ({ cells }: FileRecord) => cells.filter((cell) => cell.trim() !== '').length > 1;
  let at = Math.max(top.slice(0, TOP_LINES).findIndex(isTable), 0);
  let most = 1;
  for (const [index, { cells }] of top.slice(0, TOP_LINES).entries()) {
    // A line names no more columns than it has cells.
    const named = cells.length > most ? countNamed(kind, cells, said) : 0;
    if (named > most) [most, at] = [named, index];
  }
  const { cells = [] } = top[at] ?? {};
  // No header has an address or a day: the list begins with its lines.
  const isLine = most < 2 && cells.some((cell) => cell.includes('@') || readDay(cell, 'UTC'));
  if (isLine) top.splice(at, 0, { ligne: 0, cells: cells.map(() => ''), isTorn: false });
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
): Table {
  const header = top[at];
  if (!header) throw refusedFile('ce fichier est vide.');
  const rest = top.slice(at + 1);
  const samples = rest.slice(0, SAMPLE_LINES).map(({ cells }) => cells);
  const columns = findColumns(kind, header.cells, samples, said, recalled);
  async function* all() {
    yield rest;
    yield* records;
  }
  return { columns, lines: linesOf(all(), columns, MAX_LINES[kind], corrections), reading };
}

const TOO_MANY = 'il y a plus de cellules que de titres.';
const TORN = 'un guillemet est mal placé\u202f: vérifiez chaque cellule.';

async function* linesOf(
  records: Records,
  { colonnes, places, header }: Columns,
  max: number,
  corrections: Corrections,
): AsyncGenerator<Line[]> {
  let count = 0;
  let corrected = 0;
  let leftOut = 0;
  const namesStay = colonnes.some((one) => one === 'nom_stage' || one === 'stageId');
  const kindIn = (cells: readonly string[]): Line['kind'] => {
    if (cells.some((cell) => TOTALS.test(cell))) return 'total';
    if (places.every(({ place }) => cells[place] === header[place])) return 'titres';
    if (namesStay || places.length < 3) return undefined;
    return cells.filter((cell) => cell.trim() !== '').length === 1 ? 'intertitre' : undefined;
  };
  const days = places.filter((_, index) => DAYS.includes(colonnes[index] ?? ''));
  const lineOf = ({ ligne, cells, isTorn }: FileRecord): Line => {
    if (++count > max) throw refusedFile(`il y a plus de ${max.toLocaleString('fr')} lignes.`, ligne);
    const correction = corrections.get(ligne);
    if (correction) corrected++;
    const isAside = correction?.length === 0;
    if (isAside) leftOut++;
    const has = (order: Line['monthFirst']) =>
      days.some(({ place }) => monthFirstIn(cells[place] ?? '') === order);
    const monthFirst = has('surely') ? 'surely' : has('maybe') ? 'maybe' : undefined;
    const kind = kindIn(cells);
    if (correction && !isAside) {
      const cellules = places.map((_, index) => correction[index] ?? '');
      const misread = correction.length > places.length ? TOO_MANY : undefined;
      return { ligne, cellules, misread, isAside, kind, monthFirst };
    }
    // Spreadsheets leave out blank cells at the end of a line.
    const cellules = places.map(({ place, partOf }) => partOf?.(cells[place] ?? '') ?? cells[place] ?? '');
    if (cellules.some(({ length }) => length > MAX_CELL))
      throw refusedFile('une cellule est trop longue.', ligne);
    const isWide = cells.some((cell, place) => place >= header.length && cell.trim() !== '');
    const misread = isTorn ? TORN : isWide ? TOO_MANY : undefined;
    return { ligne, cellules, misread, isAside, kind, monthFirst };
  };
  for await (const piece of records) yield piece.map(lineOf);
  if (count === leftOut) throw refusedFile('il n’y a rien sous la ligne des titres.');
  if (corrected < corrections.size) throw refusedCorrections('une ligne corrigée n’est pas dans ce fichier.');
}

/** The first word of a sum. */
const TOTALS = /^\s*(?:grand |sous[- ]?)?tota(?:l|ux)\b/im;

/* Checking a table: what its lines say by themselves, then what they make of what is stored. */

/** Result of checking a line by itself and beside those before it. */
export type Checked<T> =
  | { value: T; warning?: string }
  | { faults: Fault[] }
  /** It says nothing of its own; `warning` names the line that does. */
  | { warning: string }
  /** Why the line is left aside until its sender wants it otherwise. */
  | { aside: string };

/** What becomes of a line that says nothing of its own. */
export type Met = Exclude<Checked<never>, { value: never }>;

/** `R`: a line as it is read; `T`: what an import stores of it. */
export interface Checker<R, T = R> {
  /** Checks a line. `cell` returns what a cell says, by the wire name of its column; '' if the file lacks the column. */
  check(cell: Cell, ligne: number): Checked<R>;
  /** What an import makes of all good lines, in their order. */
  compare(lines: readonly GoodLine<R>[]): Promise<Outcome<T>[]>;
}

export type LineState = 'creer' | 'modifier' | 'inchangee';

export type Outcome<T> =
  /** `value` is what will be stored; `valeurs` what that changes, `qui` of whom: of nobody, where it is nothing. */
  { etat: LineState; value: T; qui: string; valeurs: Change[] } | Met;

type Change = ImportPreview['changements'][number]['valeurs'][number];

/** The columns in which an import changes what is stored. */
export function changesIn(before: object, after: object, columns: readonly string[]): Change[] {
  const [was, is] = [before, after] as Record<string, string | null>[];
  return columns.flatMap((colonne) => {
    const [avant, apres] = [was?.[colonne] ?? '', is?.[colonne] ?? ''];
    return avant === apres ? [] : [{ colonne, avant, apres }];
  });
}

export interface GoodLine<T> {
  ligne: number;
  cellules: string[];
  value: T;
}

export type Faulty = ImportPreview['fautes'][number];

export interface Findings {
  /** Number of lines with data. */
  lignes: number;
  erreurs: number;
  /** Numbers of the first faulty lines, at most `MAX_CORRECTIONS`. */
  fautives: number[];
  /** Number of lines left out because they repeat or complete an earlier one. */
  doublons: number;
  /** The first faulty lines, at most `FAULTS_TOLD`. */
  fautes: Faulty[];
  /** Lines left aside, with the reasons, at most `MAX_CORRECTIONS` of each kind. */
  laissees: Faulty[];
  avertissements: ImportPreview['avertissements'];
}

export interface Read<T> {
  findings: Findings;
  /** All lines that are right, as an import takes them. */
  lines: (Pick<GoodLine<T>, 'ligne' | 'cellules'> & Extract<Outcome<T>, { etat: LineState }>)[];
}

/** Lines between two pauses: few enough that no other request has to wait for them. */
export const SLICE = 250;

const ASIDE = 'laissée de côté à la main.';
const LEFT_OUT: Record<NonNullable<Line['kind']>, string> = {
  total: 'c’est un total\u202f: elle est laissée de côté.',
  titres: 'ce sont les titres, répétés\u202f: elle est laissée de côté.',
  intertitre: 'c’est un intertitre\u202f: elle est laissée de côté.',
};

const MONTH_FIRST = 'mois';
/** The question whose answer counts for `Reading.isMonthFirst`. */
const ORDER: Asked = {
  question: 'ordre',
  texte: 'Ce fichier écrit-il le mois avant le jour\u202f?',
  choix: [
    { valeur: MONTH_FIRST, texte: 'Oui, le mois avant le jour' },
    { valeur: 'jour', texte: 'Non, le jour avant le mois' },
  ],
  obligatoire: true,
};
const WHICH_ORDER = 'le mois est peut-être écrit avant le jour.';

/** Whether the sender said that a file writes the month before the day. */
export function isMonthFirst(answers: Answers): boolean {
  return answers.get(ORDER.question) === MONTH_FIRST;
}

/**
 * Reads all lines of a table. `open` makes its checker, and another one for the lines that are left aside: what they say
 * counts for no other line. `onSlice` is called after each piece, `questions` asks about the file as a whole.
 */
export async function walk<R, T>(
  table: Table,
  open: (isAside: boolean) => Checker<R, T>,
  questions: Questions,
  onSlice: () => Promise<void>,
): Promise<Read<T>> {
  const findings: Findings = {
    ...{ lignes: 0, erreurs: 0, fautives: [], doublons: 0 },
    ...{ fautes: [], laissees: [], avertissements: [] },
  };
  const { colonnes } = table.columns;
  const { reading } = table;
  const meaningAt = colonnes.map((colonne) => meaningIn(colonne, reading));
  const places = new Map(colonnes.map((colonne, place) => [colonne, place]));
  const [checker, checkerAside] = [open(false), open(true)];
  const check = ({ check }: Checker<R, T>, { ligne, cellules, misread }: Line, meant: readonly string[]) => {
    if (misread !== undefined) return faulty('', misread);
    if (cellules.some((cell) => whyUnreadable(cell) !== undefined)) {
      const faults = colonnes.map((colonne, place) => ({
        colonne,
        raison: whyUnreadable(cellules[place] ?? ''),
      }));
      return { faults: faults.filter((one): one is Fault => one.raison !== undefined) };
    }
    return check(
      (colonne) => (colonne === 'intertitre' ? above : (meant[places.get(colonne) ?? -1] ?? '')),
      ligne,
    );
  };
  /** The last heading amid the lines. */
  let above = '';
  const unsure = new Set<number>();
  let order: string | undefined;
  const refuse = (ligne: number, cellules: string[], raisons: Fault[]) => {
    findings.erreurs++;
    if (findings.fautives.length < MAX_CORRECTIONS) findings.fautives.push(ligne);
    if (findings.fautes.length < FAULTS_TOLD) findings.fautes.push({ ligne, cellules, raisons });
  };
  const leave = (ligne: number, cellules: string[], raisons: Fault[]) => {
    if (findings.laissees.length < MAX_CORRECTIONS) findings.laissees.push({ ligne, cellules, raisons });
  };
  const warn = (ligne: number, raison: string) => {
    if (findings.avertissements.length < FAULTS_TOLD) findings.avertissements.push({ ligne, raison });
  };
  /** What becomes of a line that is not imported as a line of its own. */
  const settle = (ligne: number, cellules: string[], met: Met) => {
    if ('faults' in met) refuse(ligne, cellules, met.faults);
    else if ('aside' in met) leave(ligne, cellules, [{ colonne: '', raison: met.aside }]);
    else {
      findings.doublons++;
      warn(ligne, met.warning);
    }
  };

  const good: GoodLine<R>[] = [];
  const take = (line: Line) => {
    const { ligne, cellules, isAside, kind, monthFirst } = line;
    const meant = cellules.map((cell, place) => meaningAt[place]?.(cell) ?? '');
    if (isAside) {
      const checked = check(checkerAside, line, meant);
      leave(ligne, cellules, 'faults' in checked ? checked.faults : [{ colonne: '', raison: ASIDE }]);
      return;
    }
    findings.lignes++;
    // Read apart, as nothing is asked about it; a child may be called so.
    if (kind && (kind === 'titres' || 'faults' in check(checkerAside, line, meant))) {
      if (kind === 'intertitre') above = cellules.find((cell) => cell !== '') ?? '';
      warn(ligne, LEFT_OUT[kind]);
      return;
    }
    if (monthFirst === 'maybe') unsure.add(ligne);
    else if (monthFirst) order = questions.ask(ORDER, { ligne, texte: cellules.join(' ') });
    const checked = check(checker, line, meant);
    if (!('value' in checked)) settle(ligne, cellules, checked);
    else {
      if (checked.warning) warn(ligne, checked.warning);
      good.push({ ligne, cellules: meant, value: checked.value });
    }
  };
  for await (const piece of table.lines) {
    for (const line of piece) take(line);
    await onSlice();
  }
  const isAsked = ({ ligne }: GoodLine<R>) => order === '' && unsure.has(ligne);
  for (const { ligne, cellules } of good.filter(isAsked)) {
    questions.ask(ORDER, { ligne, texte: cellules.join(' ') });
    refuse(ligne, cellules, [{ colonne: '', raison: WHICH_ORDER }]);
  }
  const sure = good.filter((line) => !isAsked(line));
  const outcomes = await checker.compare(sure);
  const lines: Read<T>['lines'] = [];
  for (const [index, line] of sure.entries()) {
    const outcome = outcomes[index] as Outcome<T>;
    if ('etat' in outcome) lines.push(Object.assign(outcome, { ligne: line.ligne, cellules: line.cellules }));
    else settle(line.ligne, line.cellules, outcome);
  }
  for (const list of [findings.fautes, findings.laissees, findings.avertissements])
    list.sort((a, b) => a.ligne - b.ligne);
  findings.fautives.sort((a, b) => a - b);
  return { findings, lines };
}

/**
 * Returns a function that finds the earlier line of the same key: one that says the same is repeated, one that says
 * something else is faulty. Without `whole`, two lines never say the same.
 */
export function openTwins() {
  const seen = new Map<string, { ligne: number; whole: string | undefined }>();
  return (ligne: number, key: string, whole?: string): Met | undefined => {
    const before = seen.get(key);
    if (!before) {
      seen.set(key, { ligne, whole });
      return undefined;
    }
    if (whole !== undefined && whole === before.whole) return { warning: repeats(before.ligne) };
    return { faults: [{ colonne: '', raison: `la ligne ${before.ligne} dit déjà la même chose.` }] };
  };
}

export function repeats(ligne: number): string {
  return `elle répète la ligne ${ligne}, mot pour mot\u202f: elle est laissée de côté.`;
}

export function faulty(colonne: string, raison: string): { faults: Fault[] } {
  return { faults: [{ colonne, raison }] };
}

export function reasonsOf({ fautes }: Findings): ImportReason[] {
  return fautes.flatMap(({ ligne, raisons }) => raisons.map((raison) => ({ ligne, ...raison })));
}
