import type { ContentKind } from '../../../shared/content/kind.ts';
import { KINDS } from '../../../shared/content/kinds.ts';
import type { Access } from '../../db/open.ts';
import type { OwnFile } from '../../http/forms.ts';
import type { JobPayloads } from '../../jobs/jobs.ts';
import { type Actor, SITE } from '../../journal.ts';
import type { Services } from '../../services.ts';
import { EXAMPLE } from './items.ts';
import { deleteRecord, findRecord, markInPlace } from './store.ts';

/*
 * The jobs that put the example in and take it out, an item each: a stop waits for one item only, one that
 * fails holds no other up, and one done twice finds the first time's record.
 */

/** What the feature of the items does for this one, which must not know it: `app.ts` hands it over. */
export interface ContentDoor {
  add(
    services: Services,
    kind: ContentKind,
    item: { texts: Record<string, string | string[]>; files: Record<string, OwnFile[]> },
    actor: Actor,
    alongside: (transaction: Access, id: number) => Promise<void>,
  ): Promise<void>;
  takeOut(
    services: Services,
    kind: ContentKind,
    id: number,
    actor: Actor,
    alongside: (transaction: Access) => Promise<void>,
  ): Promise<void>;
}

class NotAwaited extends Error {}

export async function putIn(
  services: Services,
  content: ContentDoor,
  { cle }: JobPayloads['example-in'],
): Promise<void> {
  const { database, clock } = services;
  const record = await findRecord(database.db, cle);
  if (record?.objet_id !== null) return;
  const item = EXAMPLE.find((one) => one.cle === cle);
  // Planned by another version of the product, whose example had it.
  if (!item) return deleteRecord(database.db, cle);
  const form = { texts: item.texts(clock()), files: await item.files() };
  try {
    await content.add(services, item.kind, form, SITE, async (transaction, id) => {
      if (!(await markInPlace(transaction, cle, id))) throw new NotAwaited();
    });
  } catch (error) {
    // Another worker, which had taken this one for dead, was first.
    if (!(error instanceof NotAwaited)) throw error;
  }
}

export async function takeOut(
  services: Services,
  content: ContentDoor,
  { cle }: JobPayloads['example-out'],
): Promise<void> {
  const { db } = services.database;
  const record = await findRecord(db, cle);
  const kind = KINDS.find((one) => one.table === record?.objet);
  // It never came.
  if (!kind || !record || record.objet_id === null) return deleteRecord(db, cle);
  await content.takeOut(services, kind, record.objet_id, SITE, (transaction) =>
    deleteRecord(transaction, cle),
  );
}
