import { DAY_MS } from '#platform/shared/time.ts';
import type { Access, Database } from './db/database.ts';

/*
 * Whether the machine's clock can be trusted when it says that something has expired. The site stores the instant of
 * its last check: after a clock jumped far ahead, or after a long stop, which looks the same, a person must confirm
 * the day.
 */

/** Longest time, in ms, between two checks that needs no confirmation. */
const LEAP_MS = 40 * DAY_MS;

/** False until somebody confirms that time has passed. */
export async function isClockTrusted(db: Access, now: Date): Promise<boolean> {
  const last = await db.selectFrom('horloge').select('vue_le').executeTakeFirst();
  return last === undefined || now.getTime() - Date.parse(last.vue_le) <= LEAP_MS;
}

/** Runs work that erases for good by age, unless the clock may be wrong: the first run after a confirmation does it. */
export async function whenTrusted(
  { database, clock }: { database: Database; clock: () => Date },
  work: () => Promise<void>,
): Promise<void> {
  if (await isClockTrusted(database.db, clock())) await work();
}

/**
 * Trusts the time from this instant on: after a check that finds nothing odd, or when a person confirms. A clock that
 * was set back is trusted too, as nothing expires because of it.
 */
export async function trustClock(transaction: Access, now: Date): Promise<void> {
  const values = { vue_le: now.toISOString() };
  await transaction
    .insertInto('horloge')
    .values({ id: 1, ...values })
    .onConflict((clash) => clash.column('id').doUpdateSet(values))
    .execute();
}
