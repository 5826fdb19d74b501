import type { RawBuilder } from 'kysely';
import { journal } from '#features/audit/server/journal.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { listRemovals } from '#features/stays/server/removalsStore.ts';
import { COLUMN_LABELS, IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import { type Actor, signature } from '#platform/server/actor.ts';
import { spend } from '#platform/server/budgets.ts';
import { type Access, databaseTrouble, NotAsExpected, type Statement } from '#platform/server/db/database.ts';
import { conflict, notFound } from '#platform/server/errors.ts';
import { requireFile } from '#platform/server/http/forms.ts';
import { type Context, type HandlersOf, MadeFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { type Sheet, titles } from '#platform/server/sheets/sheets.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';
import { dayAt } from '#platform/shared/time.ts';
import { CHANGES_TOLD, type ImportPreview, type importCalls } from '../calls.ts';
import { directorChecker } from './directorLines.ts';
import { areDirectorsUntouched, directorUndo, mergeDirectors } from './directorLinesStore.ts';
import { familyChecker } from './familyLines.ts';
import { areFamiliesUntouched, familyUndo, listKnownChildren, mergeFamilies } from './familyLinesStore.ts';
import {
  deleteUnderWay,
  findDone,
  findLast,
  findProgress,
  givenUp,
  insertImport,
  insertLeft,
  listAnswers,
  listKnownDirectors,
  listKnownStays,
  listLeft,
  listTitles,
  rememberAnswers,
  rememberTitles,
  updateImport,
} from './importsStore.ts';
import { openQuestions, type Questions } from './questions.ts';
import { refusedLines } from './read.ts';
import { withSource } from './source.ts';
import { stayChecker } from './stayLines.ts';
import { areStaysUntouched, mergeStays, stayUndo } from './stayLinesStore.ts';
import {
  type Checker,
  type Findings,
  isMonthFirst,
  type LineState,
  openTable,
  readAnswers,
  readCorrections,
  readTitles,
  reasonsOf,
  type Table,
  walk,
} from './table.ts';

export function importHandlers(services: Services): HandlersOf<typeof importCalls> {
  return {
    'POST /uploadSejour': (context) => importFile(services, 'sejours', context),
    'POST /upload': (context) => importFile(services, 'familles', context),
    'POST /uploadDirecteurs': (context) => importFile(services, 'directeurs', context),
    'POST /uploadSejour/apercu': (context) => previewFile(services, 'sejours', context),
    'POST /upload/apercu': (context) => previewFile(services, 'familles', context),
    'POST /uploadDirecteurs/apercu': (context) => previewFile(services, 'directeurs', context),
    'GET /modeles-csv/:genre': async ({ params }) => modelFile(params.genre),
    'GET /modeles-excel/:genre': async ({ params: { genre } }) =>
      new MadeFile(await services.sheets.write([modelSheet(genre)]), `modele-${genre}.xlsx`, 0),
    'GET /imports/suivi/:cle': async ({ params }) => {
      const found = await findProgress(services.database.db, params.cle);
      // Not an error: the browser may ask before the whole file has arrived, or once more after the work ended.
      if (!found) return { etape: 'lecture', avance: 0 };
      const { etape, avance } = found;
      return { etape: etape === 'enregistrement' ? etape : 'lecture', avance };
    },
    'GET /imports/:id/laissees': async ({ params: { id } }) => {
      const lines = await listLeft(services.database.db, id);
      if (lines.length === 0) throw gone();
      const body = await services.sheets.write([leftSheet(lines)]);
      return new MadeFile(body, 'Lignes laissées de côté.xlsx', lines.length);
    },
    'GET /imports/dernier': async ({ query }) => ({ dernier: await lastImport(services, query.genre) }),
    'POST /imports/:id/annuler': async ({ params, ...context }) => {
      await undoImport(services, context, params.id);
      return { message: 'Import annulé' };
    },
  };
}

/**
 * Template files to fill in. Their example line is invalid on purpose, as its dates are placeholders: sent back
 * unchanged, it imports nothing fictitious.
 */
const LINES: Record<ImportKind, readonly string[]> = {
  sejours: [
    'nom_stage;date_debut;date_fin;mdp_formateur;mdp_stagiaire',
    'Exemple à remplacer;jj/mm/aaaa;jj/mm/aaaa;;',
  ],
  familles: [
    'nom;prenom;email;email_2;consentement_image;nom_stage;date_debut;date_fin',
    'Exemple;À remplacer;famille@example.org;;oui;Nom du séjour;jj/mm/aaaa;jj/mm/aaaa',
  ],
  directeurs: [
    'nom;prenom;email;telephone;cat;nom_stage;date_debut;date_fin',
    'Exemple;À remplacer;directeur@example.org;06 00 00 00 00;séjour;Nom du séjour;jj/mm/aaaa;jj/mm/aaaa',
  ],
};

function modelFile(kind: ImportKind): MadeFile {
  // With the byte order mark, spreadsheets read the accents correctly.
  const text = `\ufeff${LINES[kind].join('\r\n')}\r\n`;
  return new MadeFile(Buffer.from(text), `modele-${kind}.csv`, 0);
}

const labelsOf = (names: readonly string[]) => names.map((name) => COLUMN_LABELS[name] ?? name);

/** Characters by which a column is wider than its longer text. */
const MARGIN = 4;

/** The same as a sheet, its titles in the words that people read. */
function modelSheet(kind: ImportKind): Sheet {
  const [names = [], example = []] = LINES[kind].map((line) => line.split(';'));
  const labels = labelsOf(names);
  return {
    name: `Modèle ${IMPORT_KINDS[kind]}`,
    about: '',
    widths: labels.map((label, place) => Math.max(label.length, example[place]?.length ?? 0) + MARGIN),
    rows: [titles(...labels), example],
  };
}

const REASONS = 'Pourquoi';

/** Lines left aside, as a sheet that can be imported once they are mended: the site reads no column of this title. */
function leftSheet(lines: Awaited<ReturnType<typeof listLeft>>): Sheet {
  const columns = Object.keys(lines[0]?.cellules ?? {});
  const labels = labelsOf(columns);
  return {
    name: 'Laissées de côté',
    about: '',
    widths: [...labels.map(() => 24), 60],
    rows: [
      titles(...labels, REASONS),
      ...lines.map(({ ligne, cellules, raisons }) => [
        ...columns.map((name) => cellules[name] ?? ''),
        `Ligne ${ligne}\u202f: ${raisons}`,
      ]),
    ],
  };
}

/** Number of lines that a preview shows. */
const SHOWN = 20;

/** Previews what an import of a file would do; stores nothing of the file. */
async function previewFile(
  services: Services,
  genre: ImportKind,
  context: ImportContext,
): Promise<ImportPreview> {
  const { database, clock } = services;
  const { suivi } = context.body;
  const { acteur } = signature(context);
  // Recorded only to be followed.
  const id = suivi
    ? await insertImport(database, { genre, suivi, etape: 'apercu', acteur }, clock())
    : undefined;
  try {
    const { columns, lu, questions, findings, lines } = await readFile(services, genre, context, id);
    const { laissees, ...found } = findings;
    const count = (etat: LineState) => lines.filter((line) => line.etat === etat).length;
    const { places: _, header: __, memory: ___, ...said } = columns;
    return {
      ...{ ...found, ...said, lu, laissees: laissees.length, questions: questions.list() },
      ...{ creer: count('creer'), modifier: count('modifier'), inchangees: count('inchangee') },
      changements: lines
        .filter(({ valeurs }) => valeurs.length > 0)
        .slice(0, CHANGES_TOLD)
        .map(({ ligne, qui, valeurs }) => ({ ligne, qui, valeurs })),
      extrait: lines
        .flatMap(({ ligne, cellules, etat }) => (etat === 'inchangee' ? [] : [{ ligne, cellules, etat }]))
        .slice(0, SHOWN),
    };
  } finally {
    if (id) await deleteUnderWay(database, id);
  }
}

/* Running an import: either every line of the file is written, or none. */

/** How the lines of a kind are read, written, and undone. */
interface Kind<R, T> {
  /** Reads what is known; returns a function that makes a checker of lines, which asks by the questions given. */
  open(services: Services): Promise<(questions: Questions) => Checker<R, T>>;
  merge(services: Services, id: number, lines: T[], at: string): Promise<void>;
  undo(importId: number, at: string): Statement[];
  isUntouched: RawBuilder<boolean>;
  /** Why an import whose rows are not untouched cannot be undone. */
  obstacle: string;
}

/** Hides what the lines of a kind are from whoever reads and writes them. */
function kindOf<R, T>({ open, merge, ...undoing }: Kind<R, T>) {
  return {
    ...undoing,
    async read(
      services: Services,
      table: Table,
      questions: Record<'main' | 'aside', Questions>,
      onSlice: () => Promise<void>,
    ) {
      const openFor = await open(services);
      const checker = (isAside: boolean) => openFor(isAside ? questions.aside : questions.main);
      const { findings, lines } = await walk(table, checker, questions.main, onSlice);
      const news = lines.filter(({ etat }) => etat !== 'inchangee').map(({ value }) => value);
      const said: Omit<(typeof lines)[number], 'value'>[] = lines;
      const write = (id: number, at: string) => merge(services, id, news, at);
      return { findings, lines: said, write };
    },
  };
}

const KINDS = {
  familles: kindOf({
    async open({ database, secrets }) {
      const known = {
        stays: await listKnownStays(database.db),
        removed: await listRemovals(database.db),
        children: (ids: readonly number[]) => listKnownChildren(database, ids),
      };
      return (questions) => familyChecker(known, secrets, questions);
    },
    merge: ({ database }, id, lines, at) => mergeFamilies(database, id, lines, at),
    undo: familyUndo,
    isUntouched: areFamiliesUntouched,
    obstacle: 'Des familles de cet import ont été modifiées ou supprimées depuis.',
  }),
  sejours: kindOf({
    async open({ database: { db }, secrets, config, clock }) {
      const { organisation_nom: organisation } = await readSettings(db, config);
      const rules = {
        ...{ rule: await openPasswordRule(), organisation },
        ...{ today: dayAt(clock(), config.TIME_ZONE), removed: await listRemovals(db) },
      };
      const stays = await listKnownStays(db);
      return (questions) => stayChecker(stays, secrets, rules, questions);
    },
    merge: ({ database, secrets }, id, lines, at) => mergeStays(database, secrets, id, lines, at),
    undo: stayUndo,
    isUntouched: areStaysUntouched,
    obstacle:
      'Des séjours de cet import ont été modifiés ou supprimés depuis, ou ont reçu des familles, des directeurs, des livrets, des photos, des mots du jour, une attestation ou des avis.',
  }),
  directeurs: kindOf({
    async open({ database: { db }, secrets }) {
      const known = {
        ...{ stays: await listKnownStays(db), directors: await listKnownDirectors(db) },
        removed: await listRemovals(db),
      };
      return (questions) => directorChecker(known, secrets, questions);
    },
    merge: ({ database }, id, lines, at) => mergeDirectors(database, id, lines, at),
    undo: directorUndo,
    isUntouched: areDirectorsUntouched,
    obstacle:
      'Des directeurs de cet import ont été modifiés ou supprimés depuis, ou un de leurs séjours l’a été.',
  }),
};

/** Imports a file. Records the import, and deletes the record when it fails. */
async function importFile(services: Services, genre: ImportKind, context: ImportContext) {
  const { database, clock } = services;
  const { acteur } = signature(context);
  const { suivi } = context.body;
  const id = await insertImport(database, { genre, suivi, etape: 'lecture', acteur }, clock());
  try {
    const { columns, questions, findings, lines, write } = await readFile(services, genre, context, id);
    const { laissees } = findings;
    const changed = lines.filter(({ etat }) => etat === 'modifier').length;
    await write(id, await endReading(services, genre, context, id, { findings, changed }));
    const done = await findDone(database.db, id);
    const { crees: creer = 0, modifies: modifier = 0 } = done ?? {};
    const action = `import de ${IMPORT_KINDS[genre]} ${counted(creer, modifier)}`;
    await journalImport(services, context, id, action, async (transaction) => {
      await rememberTitles(transaction, genre, columns.memory);
      await rememberAnswers(transaction, questions.kept());
      await insertLeft(transaction, id, columns.colonnes, laissees);
    });
    const isText = requireFile(context, 'file', 'Fichier').type === undefined;
    const name = isText ? 'CSV' : 'Classeur';
    const inchangees = lines.length - creer - modifier;
    return {
      ...{ message: `${name} chargé et traité avec succès`, id },
      ...{ creer, modifier, inchangees, laissees: laissees.length },
    };
  } catch (error) {
    await deleteUnderWay(database, id);
    throw isOvertaken(error) ? givenUp() : error;
  }
}

/** Whether an import failed because rows that its lines refer to were added, changed or deleted meanwhile. */
function isOvertaken(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  return error instanceof NotAsExpected || trouble === 'duplicate' || trouble === 'orphan';
}

/** Throws 422 for a file with faulty lines; else records that writing begins and returns the instant, as ISO text. */
async function endReading(
  { database, clock }: Services,
  genre: ImportKind,
  context: ImportContext,
  id: number,
  { findings, changed }: { findings: Findings; changed: number },
): Promise<string> {
  if (findings.erreurs > 0) throw refusedLines(findings.erreurs, reasonsOf(findings));
  const now = clock();
  await database.write(async (transaction) => {
    await spend(transaction, 'changees', changed, now);
    await updateImport(transaction, id, { etape: 'enregistrement', avance: 100 }, now);
    const about = { table: 'imports', id };
    await journal(transaction, context, now, `début d’un import de ${IMPORT_KINDS[genre]}`, about);
  });
  return now.toISOString();
}

/** Request context of all calls that receive a file. */
type ImportContext = Context<
  | 'POST /uploadSejour'
  | 'POST /upload'
  | 'POST /uploadDirecteurs'
  | 'POST /uploadSejour/apercu'
  | 'POST /upload/apercu'
  | 'POST /uploadDirecteurs/apercu'
>;

/** Percent of the file between two updates of the progress. */
const STEP = 5;

/** Reads the received file, CSV or workbook. `id`: of the import whose progress is recorded. */
function readFile(
  services: Services,
  kind: ImportKind,
  { body, files }: ImportContext,
  id: number | undefined,
) {
  const { database, config, clock } = services;
  const corrections = readCorrections(body.corrections);
  const said = readTitles(body.titres, kind);
  const answers = readAnswers(body.reponses);
  const file = requireFile({ files }, 'file', 'Fichier');
  let percent = 0;
  let recorded = 0;
  const onRead = (now: number) => {
    percent = now;
  };
  const onSlice = async () => {
    if (id === undefined || percent < recorded + STEP) return;
    recorded = percent;
    await database.write((transaction) => updateImport(transaction, id, { avance: percent }, clock()));
  };
  return withSource(services, file, body, { kind, said, onRead }, async ({ records, top, lu, is1904 }) => {
    const recalled = await listTitles(database.db, kind);
    const remembered = await listAnswers(database.db);
    const reading = { timeZone: config.TIME_ZONE, is1904, isMonthFirst: isMonthFirst(answers) };
    const table = openTable(records, top, kind, corrections, said, recalled, reading);
    const main = openQuestions(answers, remembered);
    // Of lines left aside, whose answers nobody needs.
    const aside = openQuestions(answers, remembered);
    const found = await KINDS[kind].read(services, table, { main, aside }, onSlice);
    return { columns: table.columns, lu, questions: main, ...found };
  });
}

/**
 * Writes a journal line about an import, in a write of its own: the statements that change families and stays run
 * without logic in between, so they cannot compute its chain hash. One line before them records that they begin,
 * another one after them how they ended, in one write with `also`.
 */
async function journalImport(
  { database, clock }: Services,
  actor: Actor,
  id: number,
  action: string,
  also?: (transaction: Access) => Promise<void>,
): Promise<void> {
  await database.write(async (transaction) => {
    await also?.(transaction);
    await journal(transaction, actor, clock(), action, { table: 'imports', id });
  });
}

/** The counts of an import, as written in the journal. */
function counted(crees: number, modifies: number): string {
  return `(créations\u202f: ${crees}, modifications\u202f: ${modifies})`;
}

/* The last import and its undo. */

async function lastImport({ database }: Services, genre: ImportKind) {
  const { isUntouched, obstacle } = KINDS[genre];
  const last = await findLast(database.db, genre, isUntouched);
  if (!last) return null;
  const { isUntouched: isFree, ...said } = last;
  return { ...said, obstacle: isFree === 1 ? null : obstacle };
}

const gone = () => notFound('Cet import n’existe pas ou n’existe plus.');

/** Undoes a whole import; throws 404 when it does not exist, 409 once its rows were changed or added to. */
async function undoImport(services: Services, actor: Actor, id: number): Promise<void> {
  const { database, clock } = services;
  const done = await findDone(database.db, id);
  if (!done) throw gone();
  const { undo, obstacle } = KINDS[done.genre];
  // The undo of a list of stays may bring back a password that was changed for a reason.
  const isOfStays = done.genre === 'sejours';
  await database.write(async (transaction) => {
    await spend(transaction, isOfStays ? 'sejours' : 'personnes', isOfStays ? 1 : done.crees, clock());
    await spend(transaction, 'changees', done.modifies, clock());
  });
  await journalImport(services, actor, id, 'demande d’annulation d’un import');
  try {
    await database.apart(undo(id, clock().toISOString()));
  } catch (error) {
    if (!(error instanceof NotAsExpected)) throw error;
    // Somebody else may have undone it at the same time.
    throw (await findDone(database.db, id)) ? conflict(obstacle) : gone();
  }
  const action = `annulation d’un import ${counted(done.crees, done.modifies)}`;
  await journalImport(services, actor, id, action);
}
