import type { Database } from '../db/open.ts';
import type { Log } from '../log.ts';

/** Work that comes back. It runs once however many processes there are, and catches up after a stop. */
export interface Scheduled {
  name: string;
  /** Milliseconds between the starts of two runs. */
  every: number;
  run(): Promise<void>;
}

const TICK_MS = 30_000;

export interface Schedule {
  /** Runs whatever is due; at most one run of each. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export function startSchedule(
  database: Database,
  works: readonly Scheduled[],
  clock: () => Date,
  log: Log,
): Schedule {
  let running: Promise<void> | undefined;

  async function tick(): Promise<void> {
    for (const work of works) {
      try {
        if (await take(database, work, clock())) await work.run();
      } catch (error) {
        log.error({ err: error, schedule: work.name }, 'scheduled work failed');
      }
    }
  }
  function start(): Promise<void> {
    running ??= tick().finally(() => {
      running = undefined;
    });
    return running;
  }
  const timer = setInterval(start, TICK_MS);
  timer.unref();
  return {
    tick: start,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** True for the one process whose turn it is. */
async function take(database: Database, work: Scheduled, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const next = new Date(now.getTime() + work.every).toISOString();
  return database.write(async (transaction) => {
    await transaction
      .insertInto('planifications')
      .values({ nom: work.name, prochaine_le: at, derniere_le: null })
      .onConflict((conflict) => conflict.column('nom').doNothing())
      .execute();
    const taken = await transaction
      .updateTable('planifications')
      .set({ prochaine_le: next, derniere_le: at })
      .where('nom', '=', work.name)
      // A turn further away than one period was written by a clock that ran ahead.
      .where((where) => where.or([where('prochaine_le', '<=', at), where('prochaine_le', '>', next)]))
      .executeTakeFirst();
    return taken.numUpdatedRows === 1n;
  });
}
