import { genreOf, KINDS } from '../../../shared/content/kinds.ts';
import { eraseStruckOff } from '../../files.ts';
import { type Doors, isUntouched, sendOwn } from '../../items/door.ts';
import { erase } from '../../items/shelf.ts';
import type { Services } from '../../services.ts';
import { moveToBin } from './bin.ts';
import { addItem } from './save.ts';
import { findRowToChange } from './store.ts';

/** How the site itself brings contents and takes them away. */
export function contentDoors(services: Services): Doors {
  const { database, clock, kept } = services;
  const doors: Doors = {};
  for (const kind of KINDS) {
    doors[kind.table] = {
      add: (item, actor, alongside) =>
        sendOwn(services, kind, item, (form) => addItem(services, kind, form, actor, alongside)),
      takeOut: async (id, actor, alongside) => {
        const keys = await database.write(async (transaction) => {
          const now = clock();
          await alongside(transaction);
          const row = await findRowToChange(database, transaction, kind, id);
          if (!row) return [];
          if (isUntouched(row)) return erase(transaction, kind, id, actor, now);
          if (row.supprime_le === null) await moveToBin(transaction, kind, id, actor, now);
          return [];
        });
        kept.drop(genreOf(kind));
        await eraseStruckOff(services, keys);
      },
    };
  }
  return doors;
}
