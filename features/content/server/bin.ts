import { journal } from '#features/audit/server/journal.ts';
import type { ContentKind } from '#features/content/shared/kind.ts';
import { KINDS } from '#features/content/shared/kinds.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Services } from '#platform/server/services.ts';
import { type Shelf, shelfOf } from './items/shelf.ts';
import { findRowToChange, updateRow } from './store.ts';

/** The bin's part of each content kind. */
export function contentShelves(services: Services): Shelf[] {
  return KINDS.map((kind) =>
    shelfOf(services, kind, {
      findToChange: (transaction, id) => findRowToChange(services.database, transaction, kind, id),
      putBack: (transaction, row, now) => updateRow(transaction, kind, row.id, { supprime_le: null }, now),
    }),
  );
}

export async function moveToBin(
  transaction: Access,
  kind: ContentKind,
  id: number,
  actor: Actor,
  now: Date,
): Promise<void> {
  await updateRow(transaction, kind, id, { supprime_le: now.toISOString() }, now);
  await journal(transaction, actor, now, 'mise à la corbeille', { table: kind.table, id });
}
