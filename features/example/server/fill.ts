import type { Doors } from '#features/content/server/doors.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict, HttpError } from '#platform/server/http/errors.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { EXAMPLE, type ExampleItem, type Places } from './items.ts';
import { deleteAwaited, deleteRecord, findRecord, markInPlace } from './store.ts';

/*
 * The jobs that put the example in and take it out, an item each: a stop waits for one item only, one that
 * fails holds no other up, and one done twice finds the first time's record.
 */

class NotAwaited extends Error {}

export async function putIn(
  services: Services,
  doors: Doors,
  { cle }: JobPayloads['example-in'],
): Promise<void> {
  const { database, clock } = services;
  const record = await findRecord(database.db, cle);
  if (record?.objet_id !== null) return;
  const item = EXAMPLE.find((one) => one.cle === cle);
  const door = doors[record.objet];
  // Planned by another version of the product, whose example had it.
  if (!item || !door) return forget(services, cle);
  const places = await placesOf(database.db, item);
  const now = clock();
  try {
    await door.add(
      { texts: item.texts(now, places), files: await item.files() },
      SITE,
      async (transaction, id) => {
        // Another worker, which had taken this one for dead, was first.
        if (!(await markInPlace(transaction, cle, id))) throw new NotAwaited();
        await item.alongside?.(transaction, id, now, places);
      },
    );
  } catch (error) {
    if (error instanceof NotAwaited) return;
    // A stay, a director or a booklet of that name is the site's own, and stays what it is.
    if (error instanceof HttpError && error.status === 409) return forget(services, cle);
    throw error;
  }
}

/** But for what another worker has put in place meanwhile. */
function forget({ database }: Services, cle: string): Promise<void> {
  return database.write((transaction) => deleteAwaited(transaction, cle));
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

export async function takeOut(
  services: Services,
  doors: Doors,
  { cle }: JobPayloads['example-out'],
): Promise<void> {
  const { database } = services;
  const record = await findRecord(database.db, cle);
  const door = record && doors[record.objet];
  // It never came.
  if (!door || record.objet_id === null)
    return database.write((transaction) => deleteRecord(transaction, cle));
  await door.takeOut(record.objet_id, SITE, (transaction) => deleteRecord(transaction, cle));
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Puts one item of the example in its place, or takes it out. */
    'example-in': { cle: string };
    'example-out': { cle: string };
  }
}
