import { DAY_MS } from '#platform/shared/time.ts';
import type { Access, Database } from './db/open.ts';

/*
 * Whether the clock of the machine can be believed when it says that something is over. The site keeps the instant of its
 * last look: a clock that jumped far ahead, and a long stop, which looks the same, wait for a person to confirm the day.
 */

/** The longest time in ms between two looks that nobody has to confirm. */
const LEAP_MS = 40 * DAY_MS;

/** False until somebody confirms that time has passed. */
export async function isClockTrusted(db: Access, now: Date): Promise<boolean> {
  const last = await db.selectFrom('horloge').select('vue_le').executeTakeFirst();
  return last === undefined || now.getTime() - Date.parse(last.vue_le) <= LEAP_MS;
}

/** Does what erases for good by its age, unless the clock may be wrong: the next run after somebody confirms it does. */
export async function whenTrusted(
  { database, clock }: { database: Database; clock: () => Date },
  work: () => Promise<void>,
): Promise<void> {
  if (await isClockTrusted(database.db, clock())) await work();
}

/**
 * Time is believed from this instant on: at each look that finds nothing odd, or as a person says. A clock that was set
 * back is believed as well, as nothing is over because of it.
 */
export async function trustClock(transaction: Access, now: Date): Promise<void> {
  const values = { vue_le: now.toISOString() };
  await transaction
    .insertInto('horloge')
    .values({ id: 1, ...values })
    .onConflict((clash) => clash.column('id').doUpdateSet(values))
    .execute();
}
