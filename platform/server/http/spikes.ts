import { sql } from 'kysely';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Log } from '#platform/server/log.ts';
import { DAY_MS, HOUR_MS, hourOf } from '#platform/shared/time.ts';

/*
 * Spikes: events counted by the hour in the database, so that all processes count together. They are wrong passwords,
 * by where they were typed and for whom, sessions that keep asking for what is not theirs, and archives of whole stays.
 * Kept for a day.
 */

/** Used in place of a kind of sign-in: all of them together. */
export const ALL_SIGN_INS = 'connexions';
/** Kind of whole archives of photos, by the id of the session that fetches them. */
export const ARCHIVES = 'archives';
/** Kind of the sessions, by their id, that were often refused. */
export const REFUSALS = 'refus';

/** Adds to the count of the hour, within a transaction. */
export async function countSpike(
  transaction: Access,
  genre: string,
  cle: string,
  now: Date,
  nombre = 1,
): Promise<void> {
  await transaction
    .insertInto('rafales')
    .values({ genre, cle, heure: hourOf(now), nombre })
    .onConflict((clash) =>
      clash
        .columns(['heure', 'genre', 'cle'])
        .doUpdateSet(({ ref }) => ({ nombre: sql`${ref('rafales.nombre')} + ${nombre}` })),
    )
    .execute();
}

export interface Spike {
  genre: string;
  cle: string;
  nombre: number;
}

/**
 * Lists the counts that reached `least` in this hour or the one before, the highest first. Guesses at random names do
 * not show: they are countless and few each.
 */
export function listSpikes(db: Access, now: Date, least: number): Promise<Spike[]> {
  return ofLate(db, now)
    .select(['genre', 'cle', ({ fn }) => fn.max('nombre').as('nombre')])
    .where('nombre', '>=', least)
    .groupBy(['genre', 'cle'])
    .orderBy('nombre', 'desc')
    .execute();
}

/** Number of wrong passwords of everybody, in this hour or the one before, the higher of the two. */
export async function countWrongPasswords(db: Access, now: Date): Promise<number> {
  const { count } = await ofLate(db, now)
    .select(({ fn }) => fn.max<number | null>('nombre').as('count'))
    .where('genre', '=', ALL_SIGN_INS)
    .executeTakeFirstOrThrow();
  return count ?? 0;
}

function ofLate(db: Access, now: Date) {
  return (
    db
      .selectFrom('rafales')
      .where('heure', '>=', hourOf(new Date(now.getTime() - HOUR_MS)))
      // Excludes what a clock that ran ahead has dated.
      .where('heure', '<=', hourOf(now))
  );
}

export async function forgetSpikes(transaction: Access, now: Date): Promise<void> {
  const before = hourOf(new Date(now.getTime() - DAY_MS));
  await transaction.deleteFrom('rafales').where('heure', '<', before).execute();
}

/** Refusals to one session within a window from which they count as many. */
export const REFUSALS_MANY = 100;
const WINDOW_MS = 10 * 60_000;

/**
 * Counts, in this process, the 403 and 404 answers to each session, and records the one that makes them many: a
 * person has few of them, somebody who tries out addresses has many. Nothing is written for the others.
 */
export function openRefusalCount({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: () => Date;
  log: Log;
}): (sessionId: number) => void {
  let window = 0;
  const counts = new Map<number, number>();
  return (sessionId) => {
    const current = Math.floor(clock().getTime() / WINDOW_MS);
    if (current !== window) counts.clear();
    window = current;
    const count = (counts.get(sessionId) ?? 0) + 1;
    counts.set(sessionId, count);
    if (count !== REFUSALS_MANY) return;
    database
      .write((transaction) => countSpike(transaction, REFUSALS, String(sessionId), clock(), count))
      .catch((error) => log.warn({ err: error }, 'a spike of refusals is not counted'));
  };
}
