import { journal } from '#features/audit/server/journal.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Services } from '#platform/server/services.ts';
import { insertStay, type NewStay } from './staysStore.ts';
import { unlessTaken } from './store.ts';

/**
 * Adds a stay with its passwords, and returns what `alongside` makes of its id in the same transaction. Throws 409
 * when the name and the dates are another stay’s.
 */
export function addStay<R>(
  { database, secrets, clock }: Services,
  values: NewStay,
  actor: Actor,
  alongside: (transaction: Access, id: number) => Promise<R>,
): Promise<R> {
  return unlessTaken(
    database.write(async (transaction) => {
      const now = clock();
      const id = await insertStay(transaction, secrets, values, now);
      await journal(transaction, actor, now, 'création', { table: 'stages', id });
      return alongside(transaction, id);
    }),
  );
}
