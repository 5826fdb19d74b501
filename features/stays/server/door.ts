import { journal } from '#features/audit/server/journal.ts';
import type { Doors } from '#features/content/server/items/door.ts';
import { stayCalls } from '#features/stays/calls.ts';
import { signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { check } from '#platform/server/http/problems.ts';
import { endSessions } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { addStay } from './add.ts';
import type { StayFollower } from './follower.ts';
import { findStayToChange, type Stay } from './staysStore.ts';
import { deleteStay } from './store.ts';

/**
 * How the site itself brings stays and takes them away. There is no bin for stays: one that somebody changed, or
 * wrote something into, stays where it is.
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
          // The site confirms nothing for photos but its own.
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
        // What is being sent to a stay that remains is somebody's.
        if (isDeleted) for (const { settle } of followers) await settle(services, id);
      },
    },
  };
}

/** Nobody changed the stay, wrote anything of its people and days, sent it photos or left it a director. */
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
