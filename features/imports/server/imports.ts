import type { RawBuilder } from 'kysely';
import { journal } from '#features/audit/server/journal.ts';
import type { ImportPreview, importCalls } from '#features/imports/calls.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { COLUMN_LABELS, IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import { type Actor, signature } from '#platform/server/actor.ts';
import { type Access, databaseTrouble, NotAsExpected } from '#platform/server/db/open.ts';
import { conflict, notFound } from '#platform/server/http/errors.ts';
import { requireFile } from '#platform/server/http/forms.ts';
import { type Context, type HandlersOf, MadeFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { type Sheet, titles } from '#platform/server/sheets/sheets.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';
import { dayAt } from '#platform/shared/time.ts';
import { type DirectorLine, directorChecker, directorState } from './directorLines.ts';
import { areDirectorsUntouched, directorUndo, mergeDirectors } from './directorLinesStore.ts';
import { familyChecker } from './familyLines.ts';
import {
  addLines,
  areFamiliesUntouched,
  compareFamilies,
  familyMerge,
  familyUndo,
  lineTable,
} from './familyLinesStore.ts';
import {
  deleteUnderWay,
  findDone,
  findLast,
  findProgress,
  givenUp,
  insertImport,
  type KnownStays,
  listKnownDirectors,
  listKnownStays,
  listTitles,
  rememberTitles,
  updateImport,
} from './importsStore.ts';
import { refusedLines } from './read.ts';
import { withSource } from './source.ts';
import { type StayLine, stayChecker } from './stayLines.ts';
import { areStaysUntouched, mergeStays, stayState, stayUndo } from './stayLinesStore.ts';
import {
  type Checker,
  type Findings,
  type LineState,
  openTable,
  readCorrections,
  readTitles,
  reasonsOf,
  type Table,
  walk,
} from './table.ts';

export function importHandlers(services: Services): HandlersOf<typeof importCalls> {
  return {
    'POST /uploadSejour': (context) => importStays(services, context),
    'POST /upload': (context) => importFamilies(services, context),
    'POST /uploadDirecteurs': (context) => importDirectors(services, context),
    'POST /uploadSejour/apercu': (context) => previewFile(services, 'sejours', context),
    'POST /upload/apercu': (context) => previewFile(services, 'familles', context),
    'POST /uploadDirecteurs/apercu': (context) => previewFile(services, 'directeurs', context),
    'GET /modeles-csv/:genre': async ({ params }) => modelFile(params.genre),
    'GET /modeles-excel/:genre': async ({ params: { genre } }) =>
      new MadeFile(await services.sheets.write([modelSheet(genre)]), `modele-${genre}.xlsx`),
    'GET /imports/suivi/:cle': async ({ params }) => {
      const found = await findProgress(services.database.db, params.cle);
      // Not an error: the browser may ask before the whole file has arrived, or once more after the work ended.
      if (!found) return { etape: 'lecture', avance: 0 };
      const { etape, avance } = found;
      return { etape: etape === 'enregistrement' ? etape : 'lecture', avance };
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
  return new MadeFile(Buffer.from(text), `modele-${kind}.csv`);
}

/** Characters by which a column is wider than its longer text. */
const MARGIN = 4;

/** The same as a sheet, its titles in the words that people read. */
function modelSheet(kind: ImportKind): Sheet {
  const [names = [], example = []] = LINES[kind].map((line) => line.split(';'));
  const labels = names.map((name) => COLUMN_LABELS[name] ?? name);
  return {
    name: `Modèle ${IMPORT_KINDS[kind]}`,
    about: '',
    widths: labels.map((label, place) => Math.max(label.length, example[place]?.length ?? 0) + MARGIN),
    rows: [titles(...labels), example],
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
  const { database } = services;
  return withSteps(services, genre, context, (progress, onSlice) =>
    withTable(services, genre, context, progress, async (table) => {
      const stays = await listKnownStays(database.db);
      switch (genre) {
        case 'familles':
          return review(table, familyChecker(stays), (lines) => compareFamilies(database, lines), onSlice);
        case 'sejours':
          return review(
            table,
            await openStayChecker(services, stays),
            async (lines) => lines.map(stayState),
            onSlice,
          );
        case 'directeurs': {
          const checker = directorChecker(stays, await listKnownDirectors(database.db));
          return review(table, checker, async (lines) => lines.map(directorState), onSlice);
        }
      }
    }),
  );
}

/** Runs `work`, recording its progress when the sender gave a name (`suivi`) to follow it by. */
async function withSteps<R>(
  services: Pick<Services, 'database' | 'clock'>,
  genre: ImportKind,
  context: ImportContext,
  work: (progress: Progress, onSlice: () => Promise<void>) => Promise<R>,
): Promise<R> {
  const { database, clock } = services;
  const progress = { percent: 0 };
  const { suivi } = context.body;
  if (suivi === undefined) return work(progress, async () => {});
  const { acteur } = signature(context);
  const id = await insertImport(database, { genre, suivi, etape: 'apercu', acteur }, clock());
  try {
    return await work(progress, sayProgress(services, id, progress));
  } finally {
    await deleteUnderWay(database, id);
  }
}

async function review<T>(
  table: Table,
  checker: Checker<T>,
  compare: (lines: T[]) => Promise<LineState[]>,
  onSlice: () => Promise<void>,
): Promise<ImportPreview> {
  const counts: Record<LineState, number> = { creer: 0, modifier: 0, inchangee: 0 };
  const extrait: ImportPreview['extrait'] = [];
  const findings = await walk(table, checker, async (slice) => {
    const states = await compare(slice.map((line) => line.value));
    for (const [index, { ligne, cellules }] of slice.entries()) {
      const etat = states[index] ?? 'inchangee';
      counts[etat]++;
      if (etat !== 'inchangee' && extrait.length < SHOWN) extrait.push({ ligne, cellules, etat });
    }
    await onSlice();
  });
  const { creer, modifier, inchangee } = counts;
  const { places: _, width: __, memory: ___, ...said } = table.columns;
  return { ...findings, creer, modifier, inchangees: inchangee, ...said, lu: table.lu, extrait };
}

/* Running an import: either every line of the file is written, or none. */

interface Work {
  id: number;
  progress: Progress;
  onSlice: () => Promise<void>;
}

function importFamilies(
  services: Pick<Services, 'database' | 'clock' | 'config' | 'sheets' | 'staging'>,
  context: ImportContext,
) {
  const { database } = services;
  const { engine } = database;
  return runImport(services, 'familles', context, async ({ id, progress, onSlice }) => {
    let count = 0;
    let titres: Titles = [];
    await database.apartAfter(async (run) => {
      // One slice is written to the temporary table while the next one is read.
      let isThere = Promise.resolve();
      const put = async (query: RawBuilder<unknown>) => {
        await isThere;
        isThere = run(query);
        // Its error is thrown at the next slice or at the end; should the file be refused before, it is dropped here.
        isThere.catch(() => {});
      };
      await put(lineTable(engine));
      const findings = await withTable(services, 'familles', context, progress, async (table) => {
        const checker = familyChecker(await listKnownStays(database.db));
        titres = table.columns.memory;
        return walk(table, checker, async (slice, { erreurs }) => {
          await onSlice();
          if (erreurs > 0) return;
          const lines = slice.map((line) => line.value);
          await put(addLines(engine, lines, count));
          count += lines.length;
        });
      });
      await isThere;
      return familyMerge(id, await endReading(services, 'familles', context, id, findings));
    });
    return { count, titres };
  });
}

async function openStayChecker(services: Services, stays: KnownStays) {
  const { database, config, secrets, clock } = services;
  const { organisation_nom: organisation } = await readSettings(database.db, config);
  const today = dayAt(clock(), config.TIME_ZONE);
  return stayChecker(stays, secrets, { rule: await openPasswordRule(), organisation, today });
}

function importStays(services: Services, context: ImportContext) {
  const { database, secrets } = services;
  return importHeld(services, 'sejours', context, {
    open: async () => openStayChecker(services, await listKnownStays(database.db)),
    merge: (id, lines: StayLine[], at) => mergeStays(database, secrets, id, lines, at),
  });
}

function importDirectors(services: Services, context: ImportContext) {
  const { database } = services;
  const { db } = database;
  return importHeld(services, 'directeurs', context, {
    open: async () => directorChecker(await listKnownStays(db), await listKnownDirectors(db)),
    merge: (id, lines: DirectorLine[], at) => mergeDirectors(database, id, lines, at),
  });
}

interface HeldKind<T> {
  open(): Promise<Checker<T>>;
  /** Writes all lines in one transaction. */
  merge(id: number, lines: T[], at: string): Promise<void>;
}

/** Imports a file of which there are so few lines that memory holds them all. */
function importHeld<T>(
  services: Services,
  genre: ImportKind,
  context: ImportContext,
  { open, merge }: HeldKind<T>,
) {
  return runImport(services, genre, context, async ({ id, progress, onSlice }) => {
    const lines: T[] = [];
    let titres: Titles = [];
    const findings = await withTable(services, genre, context, progress, async (table) => {
      titres = table.columns.memory;
      return walk(table, await open(), async (slice) => {
        lines.push(...slice.map((line) => line.value));
        await onSlice();
      });
    });
    await merge(id, lines, await endReading(services, genre, context, id, findings));
    return { count: lines.length, titres };
  });
}

/**
 * Records an import and runs `work`, which imports the file and returns its number of lines and what its headers stood
 * for. Deletes the record when the import fails.
 */
async function runImport(
  services: Pick<Services, 'database' | 'clock'>,
  genre: ImportKind,
  context: ImportContext,
  work: (work: Work) => Promise<{ count: number; titres: Titles }>,
) {
  const { database, clock } = services;
  const { acteur } = signature(context);
  const { suivi } = context.body;
  const id = await insertImport(database, { genre, suivi, etape: 'lecture', acteur }, clock());
  try {
    const progress = { percent: 0 };
    const { count, titres } = await work({ id, progress, onSlice: sayProgress(services, id, progress) });
    const done = await findDone(database.db, id);
    const { crees: creer = 0, modifies: modifier = 0 } = done ?? {};
    const action = `import de ${IMPORT_KINDS[genre]} ${counted(creer, modifier)}`;
    await journalImport(services, context, id, action, (transaction) =>
      rememberTitles(transaction, genre, titres),
    );
    const isText = requireFile(context, 'file', 'Fichier').type === undefined;
    const name = isText ? 'CSV' : 'Classeur';
    return {
      message: `${name} chargé et traité avec succès`,
      id,
      creer,
      modifier,
      inchangees: count - creer - modifier,
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
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  genre: ImportKind,
  context: ImportContext,
  id: number,
  findings: Findings,
): Promise<string> {
  if (findings.erreurs > 0) throw refusedLines(findings.erreurs, reasonsOf(findings));
  const now = clock();
  await database.write(async (transaction) => {
    await updateImport(transaction, id, { etape: 'enregistrement', avance: 100 }, now);
    const about = { table: 'imports', id };
    await journal(transaction, context, now, `début d’un import de ${IMPORT_KINDS[genre]}`, about);
  });
  return now.toISOString();
}

type Titles = Table['columns']['memory'];

/** Request context of all calls that receive a file. */
type ImportContext = Context<
  | 'POST /uploadSejour'
  | 'POST /upload'
  | 'POST /uploadDirecteurs'
  | 'POST /uploadSejour/apercu'
  | 'POST /upload/apercu'
  | 'POST /uploadDirecteurs/apercu'
>;

/** Progress of reading, in percent of the file. */
interface Progress {
  percent: number;
}

/** Opens the received file, CSV or workbook, and runs `work` on its table. */
async function withTable<R>(
  services: Pick<Services, 'database' | 'sheets' | 'staging' | 'config'>,
  kind: ImportKind,
  { body, files }: ImportContext,
  progress: Progress,
  work: (table: Table) => Promise<R>,
): Promise<R> {
  const corrections = readCorrections(body.corrections);
  const said = readTitles(body.titres, kind);
  const file = requireFile({ files }, 'file', 'Fichier');
  const onRead = (percent: number) => {
    progress.percent = percent;
  };
  const recalled = await listTitles(services.database.db, kind);
  return withSource(services, file, body, { kind, said, onRead }, ({ records, top, lu, is1904 }) => {
    const reading = { timeZone: services.config.TIME_ZONE, is1904 };
    return work({ ...openTable(records, top, kind, corrections, said, recalled, reading), lu });
  });
}

/** Percent of the file between two updates. */
const STEP = 5;

/** Returns a function to call as often as one likes; it records the progress only every `STEP` percent. */
function sayProgress(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  id: number,
  progress: { percent: number },
): () => Promise<void> {
  let said = 0;
  return async () => {
    const { percent } = progress;
    if (percent < said + STEP) return;
    said = percent;
    await database.write((transaction) => updateImport(transaction, id, { avance: percent }, clock()));
  };
}

/**
 * Writes a journal line about an import, in a write of its own: the statements that change families and stays run
 * without logic in between, so they cannot compute its chain hash. One line before them records that they begin,
 * another one after them how they ended, in one write with `also`.
 */
async function journalImport(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
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

const KINDS = {
  familles: {
    undo: familyUndo,
    isUntouched: areFamiliesUntouched,
    obstacle: 'Des familles de cet import ont été modifiées ou supprimées depuis.',
  },
  sejours: {
    undo: stayUndo,
    isUntouched: areStaysUntouched,
    obstacle:
      'Des séjours de cet import ont été modifiés ou supprimés depuis, ou ont reçu des familles, des directeurs, des livrets, des photos, des mots du jour, une attestation ou des avis.',
  },
  directeurs: {
    undo: directorUndo,
    isUntouched: areDirectorsUntouched,
    obstacle:
      'Des directeurs de cet import ont été modifiés ou supprimés depuis, ou un de leurs séjours l’a été.',
  },
} as const satisfies Record<ImportKind, unknown>;

async function lastImport({ database }: Pick<Services, 'database'>, genre: ImportKind) {
  const { isUntouched, obstacle } = KINDS[genre];
  const last = await findLast(database.db, genre, isUntouched);
  if (!last) return null;
  const { isUntouched: isFree, ...said } = last;
  return { ...said, obstacle: isFree === 1 ? null : obstacle };
}

const gone = () => notFound('Cet import n’existe pas ou n’existe plus.');

/** Undoes a whole import; throws 404 when it does not exist, 409 once its rows were changed or added to. */
async function undoImport(
  services: Pick<Services, 'database' | 'clock'>,
  actor: Actor,
  id: number,
): Promise<void> {
  const { database, clock } = services;
  const done = await findDone(database.db, id);
  if (!done) throw gone();
  const { undo, obstacle } = KINDS[done.genre];
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
