import { sql } from 'kysely';
import type { Access, Database } from '#platform/server/db/open.ts';

/** What goes when its time is over. */

/** Rows of one statement: nobody waits long for the write lock. */
export const SLICE = 1_000;

/** Repeats `work`, each time in a transaction of its own, until it finds fewer rows than a slice. */
export async function inSlices(
  database: Database,
  work: (transaction: Access) => Promise<number>,
): Promise<void> {
  while ((await database.write(work)) === SLICE);
}

/** The answers of before a day; returns how many there were. */
export async function deleteEvaluations(transaction: Access, day: string): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('evaluations')
    .where('jour', '<', day)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * The directors whose last stay ended before a day, those added since aside, and those without a stay whom nobody
 * changed since; returns how many there were.
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
  // Held first: whoever is given a stay meanwhile has it when the second look is taken.
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

/** The proofs of stays that were erased before an instant; returns how many there were. */
export async function deleteProofs(transaction: Access, before: Date): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('attestations')
    .where('efface_le', '<', before.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
