import type { ImportKind } from '#features/stays/shared/terms.ts';
import type { Actor } from '#platform/server/actor.ts';
import { NotAsExpected } from '#platform/server/db/open.ts';
import { conflict, notFound } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { areFamiliesUntouched, familyUndo } from './families-store.ts';
import { counted, findDone, findLast, journalImport } from './record.ts';
import { areStaysUntouched, stayUndo } from './stays-store.ts';

/** The last import, and how it is taken back. */

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

export async function lastImport({ database }: Services, genre: ImportKind) {
  const { isUntouched, obstacle } = KINDS[genre];
  const last = await findLast(database.db, genre, isUntouched);
  if (!last) return null;
  const { isUntouched: isFree, ...said } = last;
  return { ...said, obstacle: isFree === 1 ? null : obstacle };
}

const gone = () => notFound('Cet import n’existe pas ou n’existe plus.');

/** Takes an import back as a whole; throws 409 once something was built on it. */
export async function undoImport(services: Services, actor: Actor, id: number): Promise<void> {
  const { database, clock } = services;
  const done = await findDone(database.db, id);
  if (!done) throw gone();
  const { undo, obstacle } = KINDS[done.genre];
  await journalImport(services, actor, id, 'demande d’annulation d’un import');
  try {
    await database.apart(undo(id, clock().toISOString()));
  } catch (error) {
    if (!(error instanceof NotAsExpected)) throw error;
    // Somebody else may have taken it back at the same time.
    throw (await findDone(database.db, id)) ? conflict(obstacle) : gone();
  }
  const action = `annulation d’un import ${counted(done.crees, done.modifies)}`;
  await journalImport(services, actor, id, action);
}
