import { journal } from '#features/audit/server/journal.ts';
import type { Doors } from '#features/content/server/items/door.ts';
import { directorCalls } from '#features/stays/directors-calls.ts';
import { conflict } from '#platform/server/http/errors.ts';
import { check } from '#platform/server/http/problems.ts';
import type { Services } from '#platform/server/services.ts';
import { deleteDirector, getDirector, listDirectors, putDirector } from './store.ts';

/** How the site itself brings directors and takes them away: whoever was changed or given a stay, stays. */
export function directorDoors({ database, clock }: Services): Doors {
  return {
    formateurs: {
      add: async ({ texts }, actor, alongside) => {
        const person = check(directorCalls['PUT /formateurs/update/:id'].body.schema, texts);
        await database.write(async (transaction) => {
          const now = clock();
          const id = await putDirector(transaction, person, now);
          const { version } = await getDirector(transaction, id);
          if (version !== 1) throw conflict('Un directeur a déjà cette adresse.');
          await journal(transaction, actor, now, 'création', { table: 'formateurs', id });
          await alongside(transaction, id);
        });
      },
      takeOut: (id, actor, alongside) =>
        database.write(async (transaction) => {
          await alongside(transaction);
          const [director] = await listDirectors(transaction, id);
          if (director?.version !== 1) return;
          await deleteDirector(transaction, id);
          await journal(transaction, actor, clock(), 'effacement', { table: 'formateurs', id });
        }),
    },
  };
}
