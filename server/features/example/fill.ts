import type { Access } from '../../db/open.ts';
import { conflict } from '../../http/errors.ts';
import type { Doors } from '../../items/door.ts';
import type { JobPayloads } from '../../jobs/jobs.ts';
import { SITE } from '../../journal.ts';
import type { Services } from '../../services.ts';
import { EXAMPLE, type ExampleItem } from './items.ts';
import { deleteRecord, findRecord, markInPlace } from './store.ts';

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
  if (!item || !door) return deleteRecord(database.db, cle);
  const texts = { ...item.texts(clock()), ...(await managerOf(database.db, item)) };
  try {
    await door.add({ texts, files: await item.files() }, SITE, async (transaction, id) => {
      if (!(await markInPlace(transaction, cle, id))) throw new NotAwaited();
    });
  } catch (error) {
    // Another worker, which had taken this one for dead, was first.
    if (!(error instanceof NotAwaited)) throw error;
  }
}

/** Whom a person of the example depends on; thrown for as long as that one is not in place, to be tried again. */
async function managerOf(db: Access, { manager }: ExampleItem): Promise<Record<string, string>> {
  if (manager === undefined) return {};
  const record = await findRecord(db, manager);
  if (!record?.objet_id) throw conflict('Une personne de l’exemple attend celle dont elle dépend.');
  return { manager_id: String(record.objet_id) };
}

export async function takeOut(
  services: Services,
  doors: Doors,
  { cle }: JobPayloads['example-out'],
): Promise<void> {
  const { db } = services.database;
  const record = await findRecord(db, cle);
  const door = record && doors[record.objet];
  // It never came.
  if (!door || record.objet_id === null) return deleteRecord(db, cle);
  await door.takeOut(record.objet_id, SITE, (transaction) => deleteRecord(transaction, cle));
}
