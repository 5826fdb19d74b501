import { journal } from '#features/audit/server/journal.ts';
import type { Doors } from '#features/content/server/doors.ts';
import { directorCalls, stayCalls } from '#features/stays/calls.ts';
import { signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { eraseStruckOff, strikeOff } from '#platform/server/files/register.ts';
import { check, conflict } from '#platform/server/http/errors.ts';
import { stageOwnFiles } from '#platform/server/http/forms.ts';
import { endSessions } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { saveBooklet } from './booklets.ts';
import { deleteBooklet, findBooklet, TABLE } from './bookletsStore.ts';
import { deleteDirector, getDirector, listDirectors, putDirector } from './directorsStore.ts';
import { addStay, type StayFollower } from './stays.ts';
import { deleteStay, findStayToChange, type Stay } from './staysStore.ts';

/**
 * Adapter by which the site itself adds and removes stays. There is no bin for stays: a stay that somebody changed or
 * added something to is not removed.
 */
export function stayDoors(services: Services, followers: readonly StayFollower[]): Doors {
  const { database, clock } = services;
  return {
    stages: {
      add: async ({ texts }, actor, alongside) => {
        const { version: _version, ...values } = check(stayCalls['POST /stages'].body.schema, texts);
        await addStay(services, values, actor, alongside);
      },
      takeOut: async (id, actor, alongside) => {
        const isDeleted = await database.write(async (transaction) => {
          await alongside(transaction);
          const stay = await findStayToChange(database, transaction, id);
          // Removes only the photo confirmations that the site itself made.
          await transaction
            .deleteFrom('attestations')
            .where('stage_id', '=', id)
            .where('acteur', '=', signature(actor).acteur)
            .execute();
          if (!stay || !(await isUntouched(transaction, stay))) return false;
          await endSessions(transaction, { stageId: id });
          for (const { endUploads } of followers) await endUploads(services, transaction, id);
          await deleteStay(transaction, id);
          await journal(transaction, actor, clock(), 'effacement', { table: 'stages', id });
          return true;
        });
        // Uploads to a stay that remains belong to somebody, so they are kept.
        if (isDeleted) for (const { settle } of followers) await settle(services, id);
      },
    },
  };
}

/**
 * Whether the stay is as the site added it: nobody changed it, its children, review or days, and it has no directors,
 * photos or photo confirmations.
 */
async function isUntouched(db: Access, { id, version, created_at }: Stay): Promise<boolean> {
  if (version !== 1) return false;
  for (const table of ['stagiaires', 'bilans', 'jours'] as const) {
    const changed = await db
      .selectFrom(table as 'stagiaires')
      .select('stage_id')
      .where('stage_id', '=', id)
      .where('modifie_le', '>', created_at)
      .executeTakeFirst();
    if (changed) return false;
  }
  for (const table of ['affectations', 'photos', 'attestations'] as const) {
    const added = await db
      .selectFrom(table as 'affectations')
      .select('stage_id')
      .where('stage_id', '=', id)
      .executeTakeFirst();
    if (added) return false;
  }
  return true;
}

/** Adapter by which the site itself adds and removes directors; one changed or given a stay since is not removed. */
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

/** Adapter by which the site itself adds and removes booklets; one that somebody replaced is not removed. */
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
          // The file that was added with the booklet has the same creation time as its row.
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
