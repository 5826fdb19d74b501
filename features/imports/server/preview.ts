import type { ImportPreview } from '#features/imports/calls.ts';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { signature } from '#platform/server/actor.ts';
import type { Services } from '#platform/server/services.ts';
import { familyChecker } from './families.ts';
import { compareFamilies } from './families-store.ts';
import { listKnownStays } from './known.ts';
import { type ImportContext, type Progress, withTable } from './received.ts';
import { deleteUnderWay, insertImport, sayProgress } from './record.ts';
import { stayChecker } from './stays.ts';
import { stayState } from './stays-store.ts';
import type { Table } from './table.ts';
import { type Checker, type LineState, walk } from './walk.ts';

/** Lines shown of what a file would do. */
const SHOWN = 20;

/** What an import of a file would do; nothing is kept of it. */
export async function previewFile(
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

/** Lets the sender follow the work under the name it gave, if it did. */
async function withSteps<R>(
  services: Services,
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
