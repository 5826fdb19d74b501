import type { Database } from '#platform/server/db/open.ts';
import type { Counts } from './counts.ts';

/** What this process counts as it goes, and what its writes take. */
export interface Metrics extends Omit<Counts, 'writeBegun' | 'writeEnded'> {
  /** The same database, its writes counted. */
  countWrites(database: Database): Database;
  /** What the last writes took, their wait for one another included, in ms. */
  averageWriteMs(): number;
}

const NOT_COUNTED: Counts = {
  answered() {},
  begun() {},
  ended() {},
  cached() {},
  signIn() {},
  writeBegun() {},
  writeEnded() {},
};

/** `isRead`: somebody may ask for them. Most sites have nobody, and do without the library that counts. */
export async function openMetrics(isRead: boolean): Promise<Metrics> {
  const { writeBegun, writeEnded, ...counts } = isRead
    ? (await import('./counts.ts')).openCounts()
    : NOT_COUNTED;
  let averageMs = 0;
  return {
    ...counts,
    countWrites: (database) => ({
      ...database,
      async write(work) {
        const started = performance.now();
        writeBegun();
        try {
          return await database.write(work);
        } finally {
          const ms = performance.now() - started;
          averageMs += (ms - averageMs) / 10;
          writeEnded(ms);
        }
      },
    }),
    averageWriteMs: () => averageMs,
  };
}
