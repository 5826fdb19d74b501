import { journal } from '#features/audit/server/journal.ts';
import type { Doors } from '#features/content/server/items/door.ts';
import type { Access } from '#platform/server/db/open.ts';
import { eraseStruckOff, strikeOff } from '#platform/server/files/register.ts';
import { conflict } from '#platform/server/http/errors.ts';
import { stageOwnFiles } from '#platform/server/http/forms.ts';
import type { Services } from '#platform/server/services.ts';
import { saveBooklet } from './save.ts';
import { deleteBooklet, findBooklet, TABLE } from './store.ts';

/** How the site itself brings booklets and takes them away: one that somebody replaced stays. */
export function bookletDoors(services: Services): Doors {
  const { database, staging, clock } = services;
  return {
    [TABLE]: {
      add: async ({ files }, actor, alongside) => {
        const staged = await stageOwnFiles(files, staging);
        try {
          await saveBooklet(services, staged.files, actor, async (transaction, id) => {
            if (await findFile(transaction, id)) throw conflict('Un livret porte déjà ce nom.');
            await alongside(transaction, id);
          });
        } finally {
          await staged.discard();
        }
      },
      takeOut: async (id, actor, alongside) => {
        const keys = await database.write(async (transaction) => {
          await alongside(transaction);
          const booklet = await findBooklet(transaction, id);
          const file = await findFile(transaction, id);
          // The file that came with the booklet is as old as its row.
          if (!booklet || file?.created_at !== booklet.created_at) return [];
          await deleteBooklet(transaction, booklet.nom);
          const owner = { table: TABLE, id };
          await journal(transaction, actor, clock(), 'effacement', owner);
          return strikeOff(transaction, owner);
        });
        await eraseStruckOff(services, keys);
      },
    },
  };
}

function findFile(db: Access, id: number): Promise<{ created_at: string } | undefined> {
  return db
    .selectFrom('fichiers')
    .select('created_at')
    .where('objet', '=', TABLE)
    .where('objet_id', '=', id)
    .executeTakeFirst();
}
