import type { Registry } from 'prom-client';
import type { Database } from '../db/open.ts';

/** What this process counts as it goes, where somebody may ask for it. */
export interface Counts {
  /** Absent where nobody may. */
  registry?: Registry;
  /** A request was answered, under the name that the log gives it. */
  answered(call: string, status: number, ms: number): void;
  /** A request that takes its way through the application has come, or is over. */
  begun(): void;
  ended(): void;
  /** A public list was sent from memory, or had to be read. */
  kept(outcome: 'hit' | 'miss'): void;
  signIn(kind: string, outcome: 'right' | 'wrong' | 'limited'): void;
  /** A transaction that writes has been asked for, or is over. */
  writeBegun(): void;
  writeEnded(ms: number): void;
}

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
  kept() {},
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
