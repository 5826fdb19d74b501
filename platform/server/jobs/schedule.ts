import { type Access, databaseTrouble } from '#platform/server/db/database.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { listSuccesses, noteRun, takeRun } from './jobsStore.ts';

/** Work that is repeated. Each run happens once however many processes there are, and catches up after a stop. */
export interface Scheduled {
  name: string;
  /** Name of the work, as staff read it. */
  label: string;
  /** Milliseconds between the starts of two runs. */
  every: number;
  run(): Promise<void>;
  /** Called in its place, at each tick, while the database cannot be written because its disk is full. */
  runOnFullDisk?(): Promise<void>;
}

const TICK_MS = 30_000;

export interface Schedule {
  /** Runs all work that is due, each once at most. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** With `isTimed` false, nothing is run but by `tick`. */
export function startSchedule(
  { database, clock, log }: Services,
  works: readonly Scheduled[],
  isTimed = true,
): Schedule {
  let running: Promise<void> | undefined;

  async function run(work: Scheduled): Promise<void> {
    try {
      if (!(await takeRun(database, work, clock()))) return;
      await work.run();
      await noteRun(database, work.name, clock());
    } catch (error) {
      log.error({ err: error, schedule: work.name }, 'scheduled work failed');
      if (databaseTrouble(error) === 'full') await work.runOnFullDisk?.();
    }
  }

  async function tick(): Promise<void> {
    for (const work of works) {
      await run(work).catch((error) =>
        log.error({ err: error, schedule: work.name }, 'what is done on a full disk failed'),
      );
    }
  }
  function start(): Promise<void> {
    running ??= tick().finally(() => {
      running = undefined;
    });
    return running;
  }
  const timer = isTimed ? setInterval(start, TICK_MS).unref() : undefined;
  return {
    async tick() {
      // A tick under way may have checked before something was due.
      await running;
      await start();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** What a work of a short period may miss in ms, as a restart makes it. */
const MISSED_MS = HOUR_MS / 2;

/** Lists the works whose last completed run, or first try, is more than two of their periods old, and `MISSED_MS`. */
export async function listMissed(db: Access, works: readonly Scheduled[], now: Date): Promise<Scheduled[]> {
  const successes = await listSuccesses(db);
  return works.filter(({ name, every }) => {
    const last = successes.get(name);
    return last ? Date.parse(last) + Math.max(2 * every, MISSED_MS) + TICK_MS < now.getTime() : false;
  });
}

/** The scheduled work that checks the integrity of stored files. */
export const INTEGRITY_CHECK = 'relecture';
