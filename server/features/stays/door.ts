import { stayCalls } from '../../../shared/stays/stays.ts';
import type { Access } from '../../db/open.ts';
import { check } from '../../http/problems.ts';
import { endSessions } from '../../http/sessions.ts';
import type { Doors } from '../../items/door.ts';
import { journal } from '../../journal.ts';
import type { Services } from '../../services.ts';
import { findStayToChange, type Stay } from '../../stays.ts';
import { addStay } from './add.ts';
import { deleteStay } from './store.ts';

/**
 * How the site itself brings stays and takes them away. There is no bin for stays: one that somebody changed, or
 * wrote something into, stays where it is.
 */
export function stayDoors(services: Services): Doors {
  const { database, clock } = services;
  return {
    stages: {
      add: async ({ texts }, actor, alongside) => {
        const { version: _version, ...values } = check(stayCalls['POST /stages'].body.schema, texts);
        await addStay(services, values, actor, alongside);
      },
      takeOut: (id, actor, alongside) =>
        database.write(async (transaction) => {
          await alongside(transaction);
          const stay = await findStayToChange(database, transaction, id);
          if (!stay || !(await isUntouched(transaction, stay))) return;
          await endSessions(transaction, { stageId: id });
          await deleteStay(transaction, id);
          await journal(transaction, actor, clock(), 'effacement', { table: 'stages', id });
        }),
    },
  };
}

/** Nobody changed the stay, wrote of a child or a section of the review in it, or left it a director. */
async function isUntouched(db: Access, { id, version, created_at }: Stay): Promise<boolean> {
  if (version !== 1) return false;
  const child = await db
    .selectFrom('stagiaires')
    .select('id')
    .where('stage_id', '=', id)
    .where('modifie_le', '>', created_at)
    .executeTakeFirst();
  const section = await db
    .selectFrom('bilans')
    .select('code')
    .where('stage_id', '=', id)
    .where('modifie_le', '>', created_at)
    .executeTakeFirst();
  const assignment = await db
    .selectFrom('affectations')
    .select('cat')
    .where('stage_id', '=', id)
    .executeTakeFirst();
  return !child && !section && !assignment;
}
