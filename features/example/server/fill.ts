import type { StayFollower } from '#features/stays/server/stays.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict, HttpError } from '#platform/server/http/errors.ts';
import type { JobHandlers } from '#platform/server/jobs/worker.ts';
import type { Services } from '#platform/server/services.ts';
import { openAdapters } from './adapters.ts';
import { EXAMPLE, type ExampleItem, type Places } from './items.ts';
import { deleteAwaited, deleteRecord, findRecord, markInPlace } from './store.ts';

/*
 * The job that puts the example in and takes it out, an item each: a stop waits for one item only, one that
 * fails holds no other up, and one done twice finds the first time's record.
 */

class NotAwaited extends Error {}

export function exampleJob(services: Services, followers: readonly StayFollower[]): JobHandlers['example'] {
  const { database, clock } = services;
  const adapters = openAdapters(services, followers);

  async function putIn(cle: string): Promise<void> {
    const record = await findRecord(database.db, cle);
    if (record?.objet_id !== null) return;
    const item = EXAMPLE.find((one) => one.cle === cle);
    const adapter = adapters[record.objet];
    // Planned by another version of the product, whose example had it.
    if (!item || !adapter) return forget(cle);
    const places = await placesOf(database.db, item);
    const now = clock();
    try {
      const form = { texts: item.texts(now, places), files: await item.files() };
      await adapter.add(form, async (transaction, id) => {
        // Another worker, which had taken this one for dead, was first.
        if (!(await markInPlace(transaction, cle, id))) throw new NotAwaited();
        await item.alongside?.({ database, transaction, id, now, places });
      });
    } catch (error) {
      if (error instanceof NotAwaited) return;
      // A stay, a director or a booklet of that name is the site's own, and stays what it is.
      if (error instanceof HttpError && error.status === 409) return forget(cle);
      throw error;
    }
  }

  /** But for what another worker has put in place meanwhile. */
  function forget(cle: string): Promise<void> {
    return database.write((transaction) => deleteAwaited(transaction, cle));
  }

  async function takeOut(cle: string): Promise<void> {
    const record = await findRecord(database.db, cle);
    const adapter = record && adapters[record.objet];
    // It never came.
    if (!adapter || record.objet_id === null)
      return database.write((transaction) => deleteRecord(transaction, cle));
    await adapter.remove(record.objet_id, (transaction) => deleteRecord(transaction, cle));
  }

  return ({ cle, isComing }) => (isComing ? putIn(cle) : takeOut(cle));
}

/** What an item depends on; thrown for as long as that is awaited, to be tried again. */
async function placesOf(db: Access, { after = [] }: ExampleItem): Promise<Places> {
  const places = new Map<string, number>();
  for (const cle of after) {
    const record = await findRecord(db, cle);
    if (record?.objet_id === null) throw conflict('Un élément de l’exemple attend celui dont il dépend.');
    if (record) places.set(cle, record.objet_id);
  }
  return places;
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Puts one item of the example in its place, or takes it out. */
    example: { cle: string; isComing: boolean };
  }
}
