import { type Actor, signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { DISCARDS_A_DAY, DISCARDS_AN_HOUR, PHOTO_BIN_DAYS } from '../shared/terms.ts';

/*
 * The limits of what destroys photos. They refuse nothing, as what is taken away from families has to be gone from them:
 * beyond them the site erases nothing before staff have answered.
 */

/** In words, for whoever goes beyond. */
export const LIMITS = `Au-delà de ${DISCARDS_AN_HOUR} en une heure ou de ${DISCARDS_A_DAY} en un jour`;

/**
 * How many photos of a stay somebody may throw away or blur now of which time alone then erases what was there; only
 * directors are limited. What was put back or given back since does not count.
 */
export async function countFree(
  db: Access,
  context: Actor & { session: Session | undefined },
  stageId: number,
  now: Date,
): Promise<number> {
  if (context.session?.role !== 'director') return Number.POSITIVE_INFINITY;
  const { acteur } = signature(context);
  const since = (ms: number) => countActs(db, stageId, acteur, new Date(now.getTime() - ms).toISOString());
  const left = Math.min(DISCARDS_AN_HOUR - (await since(HOUR_MS)), DISCARDS_A_DAY - (await since(DAY_MS)));
  return Math.max(0, left);
}

/** From when what is thrown away or blurred now is erased. */
export function endOf(now: Date): string {
  return new Date(now.getTime() + PHOTO_BIN_DAYS * DAY_MS).toISOString();
}

async function countActs(db: Access, stageId: number, acteur: string, since: string): Promise<number> {
  const discards = await db
    .selectFrom('photos')
    .select(({ fn }) => fn.countAll<number>().as('nombre'))
    .where('stage_id', '=', stageId)
    .where('jetee_par', '=', acteur)
    .where('jetee_le', '>', since)
    .executeTakeFirstOrThrow();
  const blurs = await db
    .selectFrom('photos_avant')
    .innerJoin('photos', 'photos.id', 'photos_avant.photo_id')
    .select(({ fn }) => fn.countAll<number>().as('nombre'))
    .where('stage_id', '=', stageId)
    .where('floutee_par', '=', acteur)
    .where('floutee_le', '>', since)
    .executeTakeFirstOrThrow();
  return Number(discards.nombre) + Number(blurs.nombre);
}
