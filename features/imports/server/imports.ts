import type { ImportPreview, importCalls } from '#features/imports/calls.ts';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { type Actor, signature } from '#platform/server/actor.ts';
import { NotAsExpected } from '#platform/server/db/open.ts';
import { conflict, notFound } from '#platform/server/http/errors.ts';
import { type HandlersOf, MadeFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { familyChecker } from './familyLines.ts';
import { areFamiliesUntouched, compareFamilies, familyUndo } from './familyLinesStore.ts';
import {
  counted,
  type ImportContext,
  importFamilies,
  importStays,
  journalImport,
  type Progress,
  sayProgress,
  withTable,
} from './import.ts';
import {
  deleteUnderWay,
  findDone,
  findLast,
  findProgress,
  insertImport,
  listKnownStays,
} from './importsStore.ts';
import { stayChecker } from './stayLines.ts';
import { areStaysUntouched, stayState, stayUndo } from './stayLinesStore.ts';
import { type Checker, type LineState, type Table, walk } from './table.ts';

export function importHandlers(services: Services): HandlersOf<typeof importCalls> {
  return {
    'POST /uploadSejour': (context) => importStays(services, context),
    'POST /upload': (context) => importFamilies(services, context),
    'POST /uploadSejour/apercu': (context) => previewFile(services, 'sejours', context),
    'POST /upload/apercu': (context) => previewFile(services, 'familles', context),
    'GET /modeles-csv/:genre': async ({ params }) => modelFile(params.genre),
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
};

function modelFile(kind: ImportKind): MadeFile {
  // With the byte order mark, spreadsheets read the accents correctly.
  const text = `\ufeff${LINES[kind].join('\r\n')}\r\n`;
  return new MadeFile(Buffer.from(text), `modele-${kind}.csv`);
}

/** Number of lines that a preview shows. */
const SHOWN = 20;

/** Previews what an import of a file would do; stores nothing of the file. */
async function previewFile(
  services: Services,
  genre: ImportKind,
  context: ImportContext,
): Promise<ImportPreview> {
  const { database, secrets } = services;
  return withSteps(services, genre, context, (progress, onSlice) =>
    withTable(services, genre, context, progress, async (table) => {
      const stays = await listKnownStays(database.db);
      return genre === 'familles'
        ? review(table, familyChecker(stays), (lines) => compareFamilies(database, lines), onSlice)
        : review(table, stayChecker(stays, secrets), async (lines) => lines.map(stayState), onSlice);
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
  { columns, lines }: Table,
  checker: Checker<T>,
  compare: (lines: T[]) => Promise<LineState[]>,
  onSlice: () => Promise<void>,
): Promise<ImportPreview> {
  const counts: Record<LineState, number> = { creer: 0, modifier: 0, inchangee: 0 };
  const extrait: ImportPreview['extrait'] = [];
  const findings = await walk({ columns, lines }, checker, async (slice) => {
    const states = await compare(slice.map((line) => line.value));
    for (const [index, { ligne, cellules }] of slice.entries()) {
      const etat = states[index] ?? 'inchangee';
      counts[etat]++;
      if (etat !== 'inchangee' && extrait.length < SHOWN) extrait.push({ ligne, cellules, etat });
    }
    await onSlice();
  });
  const { creer, modifier, inchangee } = counts;
  const { colonnes, ignorees } = columns;
  return { ...findings, creer, modifier, inchangees: inchangee, colonnes, ignorees, extrait };
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
      'Des séjours de cet import ont été modifiés ou supprimés depuis, ou ont reçu des familles, des directeurs, des photos, des mots du jour, une attestation ou des avis.',
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
