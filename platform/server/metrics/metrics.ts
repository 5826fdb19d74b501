import type { Database } from '#platform/server/db/open.ts';
import type { Counts } from './counts.ts';

/** What this process counts, and how long its writes take. */
export interface Metrics extends Omit<Counts, 'writeBegun' | 'writeEnded'> {
  /** Returns the same database, with its writes counted. */
  countWrites(database: Database): Database;
  /** Moving average of the time of writes, in ms, their wait for one another included. */
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
  streams() {},
};

/** `isRead`: somebody may request the metrics. Most sites have nobody who does, and do not load the library. */
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
