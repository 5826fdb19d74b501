import { sql } from 'kysely';
import type { Access, Database } from '#platform/server/db/open.ts';

/* Deletions of rows whose time is over. */

/** Most rows of one statement, so that nobody waits long for the write lock. */
export const SLICE = 1_000;

/** Repeats `work`, each time in a transaction of its own, until it finds fewer rows than a slice. */
export async function inSlices(
  database: Database,
  work: (transaction: Access) => Promise<number>,
): Promise<void> {
  while ((await database.write(work)) === SLICE);
}

/** Deletes the evaluations made before a day; returns how many. */
export async function deleteEvaluations(transaction: Access, day: string): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('evaluations')
    .where('jour', '<', day)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes one slice of the directors created before an instant whose last stay ended before a day, or who have no stay
 * and were not changed since that day; returns how many.
 */
export async function deleteDirectors(
  { rowLock }: Database,
  transaction: Access,
  { day, instant }: { day: string; instant: Date },
): Promise<number> {
  const at = instant.toISOString();
  const isOver = sql<boolean>`created_at < ${at} and coalesce(
    (select max(s.date_fin) from affectations a join stages s on s.id = a.stage_id where a.formateur_id = formateurs.id),
    substr(modifie_le, 1, 10)) < ${day}`;
  // Locked first: a director given a stay meanwhile has it when the condition is checked again.
  const held = await transaction
    .selectFrom('formateurs')
    .select('id')
    .where(isOver)
    .orderBy('id')
    .limit(SLICE)
    .modifyEnd(rowLock)
    .execute();
  if (held.length === 0) return 0;
  const ids = held.map(({ id }) => id);
  const { numDeletedRows } = await transaction
    .deleteFrom('formateurs')
    .where('id', 'in', ids)
    .where(isOver)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the proofs of stays that were erased before an instant; returns how many. */
export async function deleteProofs(transaction: Access, before: Date): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('attestations')
    .where('efface_le', '<', before.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
