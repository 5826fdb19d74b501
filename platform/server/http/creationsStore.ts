import { AsyncLocalStorage } from 'node:async_hooks';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { HOUR_MS } from '#platform/shared/time.ts';

/* What was created with a key, in the table `creations`; see `once.ts`. */

/** Time, in ms, for which a creation that is asked again is answered from what was kept. */
const KEPT_MS = 24 * HOUR_MS;

type Row = Tables['creations'];
export type Wish = Pick<Row, 'cle' | 'demande'> & { isNoted: boolean };

/** The creation that is under way. Work that stays when nothing is created leaves it. */
export const creating = new AsyncLocalStorage<Wish>();

/** Wraps a database so that the first write of a creation notes its key: both are there, or neither. */
export function withKeys(database: Database, clock: () => Date): Database {
  return {
    ...database,
    async write(work) {
      const wish = creating.getStore();
      if (!wish || wish.isNoted) return database.write(work);
      const { cle, demande } = wish;
      const row = { cle, demande, reponse: null, created_at: clock().toISOString() };
      const result = await database.write(async (transaction) => {
        // Waits for another transaction with the same key, and fails once that one has created.
        await transaction.insertInto('creations').values(row).execute();
        return work(transaction);
      });
      wish.isNoted = true;
      return result;
    },
  };
}

export function findCreation(db: Access, cle: string): Promise<Row | undefined> {
  return db.selectFrom('creations').selectAll().where('cle', '=', cle).executeTakeFirst();
}

export async function writeAnswer(transaction: Access, cle: string, reponse: string): Promise<void> {
  await transaction.updateTable('creations').set({ reponse }).where('cle', '=', cle).execute();
}

export async function deleteOldCreations(transaction: Access, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString();
  await transaction.deleteFrom('creations').where('created_at', '<=', before).execute();
}
