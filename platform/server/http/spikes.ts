import { sql } from 'kysely';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Log } from '#platform/server/log.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/*
 * What there is suddenly much of, counted by the hour in the database so that all processes count together: wrong
 * passwords, by where they were typed and for whom, and sign-ins that go on asking for what is not theirs. Kept for a
 * day.
 */

/** In the place of a kind of sign-in: all of them together. */
export const ALL_SIGN_INS = 'connexions';
/** Sign-ins, by their id, to which much was refused. */
export const REFUSALS = 'refus';

/** Adds to the count of the hour, in a transaction. */
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

/** What came to so many in this hour or the one before, the most first. Guesses at random names are countless and few each. */
export function listSpikes(db: Access, now: Date, least: number): Promise<Spike[]> {
  return ofLate(db, now)
    .select(['genre', 'cle', ({ fn }) => fn.max('nombre').as('nombre')])
    .where('nombre', '>=', least)
    .groupBy(['genre', 'cle'])
    .orderBy('nombre', 'desc')
    .execute();
}

/** Wrong passwords of everybody, in this hour or the one before, the more of the two. */
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
      // Not what a clock which ran ahead has dated.
      .where('heure', '<=', hourOf(now))
  );
}

export async function forgetSpikes(transaction: Access, now: Date): Promise<void> {
  const before = hourOf(new Date(now.getTime() - DAY_MS));
  await transaction.deleteFrom('rafales').where('heure', '<', before).execute();
}

function hourOf(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}

/** Refusals to one sign-in in a window from which they are many. */
export const REFUSALS_MANY = 100;
const WINDOW_MS = 10 * 60_000;

/**
 * Counts, in this process, the answers 403 and 404 to each sign-in, and writes down the one that makes them many: a
 * person has few of them, who tries out addresses has many. Nothing is written for those who do not.
 */
export function watchRefusals({
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
      .catch((error) => log.warn({ err: error }, 'a burst of refusals is not counted'));
  };
}
