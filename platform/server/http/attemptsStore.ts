import { ALL_SIGN_INS, countThings } from '#platform/server/countsStore.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { tooMany } from '#platform/server/errors.ts';

/* The counts of the limiter, in the table `tentatives`. */

/** When a count has to wait after a failure. */
export interface Rule {
  /** Failures before the first wait. */
  free: number;
  /** First wait in ms; it doubles with each further failure. */
  first: number;
}

export const LONGEST_WAIT_MS = 30_000;
const NEVER = new Date(0).toISOString();
/** Failures older than this are forgotten. */
const MEMORY_MS = 15 * 60_000;

/** Reads counts; throws 429 while one of them says to wait. Only reads: a flood of guesses must not cause writes. */
export async function readAttempts(
  db: Access,
  keys: readonly string[],
  at: Date,
): Promise<readonly Tables['tentatives'][]> {
  const rows = await db.selectFrom('tentatives').selectAll().where('cle', 'in', keys).execute();
  const now = at.getTime();
  // No longer than the longest wait, even when the clock was set back since.
  const left = rows.map((row) => Math.min(LONGEST_WAIT_MS, Date.parse(row.attendre_jusqua) - now));
  const wait = Math.max(0, ...left);
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
  return rows.map((row) => (now - Date.parse(row.dernier_le) < MEMORY_MS ? row : { ...row, echecs: 0 }));
}

/** Counts a failed check for each key, and sets how long the next one of a key has to wait. */
export async function countFailure(
  database: Database,
  { name, longestWait }: { name: string; longestWait: number },
  whose: string,
  rules: ReadonlyMap<string, Rule>,
  clock: () => Date,
): Promise<void> {
  await database.write(async (transaction) => {
    const now = clock().getTime();
    // Rows are locked in a fixed order before they are read: two processes at once count two failures.
    for (const [cle, rule] of rules) {
      const row = await transaction
        .insertInto('tentatives')
        .values({ cle, echecs: 0, attendre_jusqua: NEVER, dernier_le: NEVER })
        .onConflict((clash) => clash.column('cle').doUpdateSet({ cle }))
        .returning(['echecs', 'dernier_le'])
        .executeTakeFirstOrThrow();
      const isRecent = now - Date.parse(row.dernier_le) < MEMORY_MS;
      const echecs = (isRecent ? row.echecs : 0) + 1;
      const until = new Date(now + delayAfter(echecs, rule, longestWait)).toISOString();
      await transaction
        .updateTable('tentatives')
        .set({ echecs, attendre_jusqua: until, dernier_le: new Date(now).toISOString() })
        .where('cle', '=', cle)
        .execute();
    }
    await countThings(transaction, name, whose, clock());
    // Last, as all failures update this row.
    await countThings(transaction, ALL_SIGN_INS, '', clock());
  });
}

/** Adds one to a count without waits, and returns it. */
export async function countAct(transaction: Access, cle: string, now: Date): Promise<number> {
  const dernier_le = now.toISOString();
  const { echecs } = await transaction
    .insertInto('tentatives')
    .values({ cle, echecs: 1, attendre_jusqua: NEVER, dernier_le })
    .onConflict((clash) =>
      clash.column('cle').doUpdateSet((expression) => ({
        echecs: expression('tentatives.echecs', '+', 1),
        dernier_le,
      })),
    )
    .returning('echecs')
    .executeTakeFirstOrThrow();
  return echecs;
}

/** Forgets the failures of a key. */
export async function forgetAttempts(transaction: Access, cle: string): Promise<void> {
  await transaction.deleteFrom('tentatives').where('cle', '=', cle).execute();
}

/** Deletes counts that no limit reads any longer. */
export async function deleteOldAttempts(transaction: Access, now: Date): Promise<void> {
  const before = new Date(now.getTime() - MEMORY_MS).toISOString();
  await transaction.deleteFrom('tentatives').where('dernier_le', '<', before).execute();
}

function delayAfter(failures: number, rule: Rule, longest: number): number {
  if (failures <= rule.free) return 0;
  return Math.min(longest, rule.first * 2 ** (failures - rule.free - 1));
}
