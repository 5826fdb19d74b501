import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, hourOf } from '#platform/shared/time.ts';
import type { Access } from './db/database.ts';

/* Events counted by the hour, in the table `rafales`, and kept for a day: acts, wrong passwords, refusals. */

/** Used in place of a kind of sign-in: all of them together. */
export const ALL_SIGN_INS = 'connexions';

/** Adds to the count of the hour, within a transaction. */
export async function countThings(
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

/** All events of a kind and key that are still counted. */
export async function sumOf(db: Access, genre: string, cle: string): Promise<number> {
  const { sum } = await db
    .selectFrom('rafales')
    .select(({ fn }) => fn.sum<number | null>('nombre').as('sum'))
    .where('genre', '=', genre)
    .where('cle', '=', cle)
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
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
  return ofLate(db, now, HOUR_MS)
    .select(['genre', 'cle', ({ fn }) => fn.max('nombre').as('nombre')])
    .where('nombre', '>=', least)
    .groupBy(['genre', 'cle'])
    .orderBy('nombre', 'desc')
    .execute();
}

/** Of each person who did something of these kinds in the last day, how often in all, and at most in an hour. */
export function listDays(db: Access, kinds: readonly string[], now: Date) {
  return ofLate(db, now, DAY_MS)
    .select(({ fn }) => ['genre', fn.sum<number>('nombre').as('day'), fn.max('nombre').as('hour')])
    .where('genre', 'in', kinds)
    .groupBy(['genre', 'cle'])
    .execute();
}

/** Number of events of a kind, whoever they are of, in this hour or the one before, the higher of the two. */
export async function countLate(db: Access, genre: string, now: Date): Promise<number> {
  const { count } = await ofLate(db, now, HOUR_MS)
    .select(({ fn }) => fn.max<number | null>('nombre').as('count'))
    .where('genre', '=', genre)
    .executeTakeFirstOrThrow();
  return count ?? 0;
}

function ofLate(db: Access, now: Date, ms: number) {
  return (
    db
      .selectFrom('rafales')
      .where('heure', '>=', hourOf(new Date(now.getTime() - ms)))
      // Excludes what a clock that ran ahead has dated.
      .where('heure', '<=', hourOf(now))
  );
}

export async function forgetCounts(transaction: Access, now: Date): Promise<void> {
  const before = hourOf(new Date(now.getTime() - DAY_MS));
  await transaction.deleteFrom('rafales').where('heure', '<', before).execute();
}
