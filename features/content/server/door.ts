import { KINDS } from '#features/content/shared/kinds.ts';
import type { Services } from '#platform/server/services.ts';
import { moveToBin } from './bin.ts';
import { type Doors, doorOf } from './items/door.ts';
import { addItem } from './save.ts';
import { findRowToChange } from './store.ts';

/** How the site itself brings contents and takes them away. */
export function contentDoors(services: Services): Doors {
  return Object.fromEntries(
    KINDS.map((kind) => [
      kind.table,
      doorOf(services, kind, {
        add: (form, actor, alongside) => addItem(services, kind, form, actor, alongside),
        findToChange: (transaction, id) => findRowToChange(services.database, transaction, kind, id),
        moveToBin: (transaction, row, actor, now) => moveToBin(transaction, kind, row.id, actor, now),
      }),
    ]),
  );
}
