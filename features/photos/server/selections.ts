import { randomBytes } from 'node:crypto';
import { notFound, tooMany } from '#platform/server/http/errors.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/** Photos that somebody chose to download together: under a key that nobody guesses, for a day. */

/** Of one sign-in, in a day: nobody keeps the others of a stay from theirs. */
const SELECTIONS_MAX = 200;

/** Records the photos of a stay among `ids`, and returns their key; 404 when there is none. */
export async function insertSelection(
  services: Services,
  session: Session,
  stageId: number,
  ids: readonly number[],
): Promise<string> {
  const { database, clock } = services;
  const chosen = await database.db
    .selectFrom('photos')
    .select('id')
    .where('id', 'in', ids)
    .where('stage_id', '=', stageId)
    .execute();
  if (chosen.length === 0) throw notFound('Ces photos n’existent plus.');
  const cle = randomBytes(16).toString('base64url');
  const row = {
    cle,
    stage_id: stageId,
    session_id: session.id,
    ids: JSON.stringify(chosen.map(({ id }) => id)),
    created_at: clock().toISOString(),
  };
  await database.write(async (transaction) => {
    const { count } = await transaction
      .selectFrom('photos_selections')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('session_id', '=', session.id)
      .where('created_at', '>', oldest(services))
      .executeTakeFirstOrThrow();
    if (count >= SELECTIONS_MAX)
      throw tooMany(HOUR_MS / 1000, 'Trop de sélections\u202f: réessayez plus tard.');
    await transaction.insertInto('photos_selections').values(row).execute();
  });
  return cle;
}

/** The photos of a key; 404 when it is not of this stay, or too old. */
export async function getSelection(services: Services, stageId: number, cle: string): Promise<number[]> {
  const row = await services.database.db
    .selectFrom('photos_selections')
    .select('ids')
    .where('cle', '=', cle)
    .where('stage_id', '=', stageId)
    .where('created_at', '>', oldest(services))
    .executeTakeFirst();
  if (!row) throw notFound('Cette sélection n’existe plus\u202f: choisissez les photos à nouveau.');
  return JSON.parse(row.ids) as number[];
}

/** Scheduled: forgets the selections of yesterday. */
export async function forgetOldSelections(services: Services): Promise<void> {
  await services.database.write((transaction) =>
    transaction.deleteFrom('photos_selections').where('created_at', '<=', oldest(services)).execute(),
  );
}

function oldest({ clock }: Services): string {
  return new Date(clock().getTime() - DAY_MS).toISOString();
}
