import { setTimeout as pause } from 'node:timers/promises';
import { actAsSite } from '#platform/server/budgets.ts';
import type { Database } from '#platform/server/db/database.ts';
import type { QueueName } from '#platform/server/db/tables.ts';
import { asHttpError, UNFORESEEN } from '#platform/server/errors.ts';
import type { Log } from '#platform/server/log.ts';
import { type JobName, type JobPayloads, QUEUES, type Queue } from './jobs.ts';
import { type ClaimedJob, claimJob, type Ending, endJob, type NextRun, type Pacing } from './jobsStore.ts';

/*
 * The worker: takes due jobs of each queue, runs their handlers, and tries failed ones again. Several processes may
 * share a database: a job is leased to one of them, and a lease that has run out is that of a dead process.
 */

/** Handlers by name. `isGivenUp`: the job failed too often; the handler ends what it belongs to, and it is over. */
export type JobHandlers = {
  [N in JobName]: Handler<JobPayloads[N], void> | Handler<JobPayloads[N], Ending | undefined>;
};
type Handler<Payload, Result> = (payload: Payload, isGivenUp: boolean) => Promise<Result>;

/** Pacings by queue; a queue without one runs its jobs as soon as they are due. */
export type Pacings = Partial<Record<QueueName, Pacing>>;

export interface JobWorker {
  /** Takes jobs from now on. Before, they only wait. */
  start(handlers: JobHandlers, pacings: Pacings): void;
  /** Checks for jobs now rather than at the next tick. */
  wake(): void;
  /** Resolves when no job is due: for tests, and for commands that want the work done. */
  idle(): Promise<void>;
  /** Takes no new job and waits for the one under way. */
  stop(): Promise<void>;
}

/** Wait, in ms, for a trouble that only other people can mend: a full disk, a database that does not answer. */
const TROUBLE_MS = 30_000;
/** Wait, in ms, before an ending that could not be written is tried again. */
const REWRITE_MS = 1_000;

export function openJobs(database: Database, clock: () => Date, log: Log): JobWorker {
  const onFailed = (error: unknown) => log.error({ err: error }, 'job queue unreachable');

  function openQueue(name: QueueName, handlers: JobHandlers, pacing: Pacing | undefined): Loop {
    const queue: Queue = QUEUES[name];
    const loop: Loop = openLoop(runAll, queue.pollMs, onFailed);
    return loop;

    async function runAll(): Promise<void> {
      let count = 0;
      for (; !loop.isStopped(); count++) {
        const job = await claimJob(database, name, pacing, clock());
        if (!job) break;
        await runOne(job);
      }
      if (count === 0 || !pacing || loop.isStopped()) return;
      const opening = await pacing.nextOpening(database.db, clock());
      // A pause of a second must not become two by the poll; a timer may be a millisecond early.
      if (opening) setTimeout(loop.wake, opening.getTime() - clock().getTime() + 2).unref();
    }

    async function runOne(job: ClaimedJob): Promise<void> {
      const handler = handlers[job.nom as JobName] as Handler<unknown, Ending | undefined> | undefined;
      try {
        if (!handler) throw new Error(`No handler for job ${job.nom}`);
        const ending = await handler(JSON.parse(job.charge), job.essais > queue.tries);
        if (ending) await writeSurely(job, ending);
        else await endJob(database, job, async () => undefined);
      } catch (error) {
        log.error({ err: error, job: job.nom, tries: job.essais }, 'job failed');
        const why = asHttpError(error)?.message ?? UNFORESEEN;
        await endJob(database, job, async () => nextRun(queue, job, error), why);
      }
    }

    async function writeSurely(job: ClaimedJob, ending: Ending): Promise<void> {
      for (;;) {
        try {
          return await endJob(database, job, ending);
        } catch (error) {
          onFailed(error);
          if (loop.isStopped()) return;
          await pause(REWRITE_MS);
        }
      }
    }

    function nextRun({ tries, isToldOfEnd }: Queue, { essais }: ClaimedJob, error: unknown): NextRun {
      const status = asHttpError(error)?.status;
      // A full disk, or a database that does not answer: other people mend it, so it is no reason to give up the job.
      const isTrouble = status === 507 || status === 503;
      const isLast = isToldOfEnd && essais === tries;
      const backoff = isLast ? 0 : Math.min(3_600_000, 5_000 * 2 ** (essais - 1));
      return { at: new Date(clock().getTime() + (isTrouble ? TROUBLE_MS : backoff)), isCounted: !isTrouble };
    }
  }

  let loops: Loop[] = [];
  const wake = () => {
    for (const loop of loops) loop.wake();
  };
  return {
    start(handlers, pacings) {
      loops = (Object.keys(QUEUES) as QueueName[]).flatMap((name) =>
        Array.from({ length: QUEUES[name].atOnce }, () => openQueue(name, handlers, pacings[name])),
      );
      wake();
    },
    wake,
    idle: async () => void (await Promise.all(loops.map((loop) => loop.idle()))),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}

/* A polling loop, which does its work at each tick and at each `wake`, one run at a time. */

interface Loop {
  /** Runs now rather than at the next tick; during a run, another one follows it. */
  wake(): void;
  /** Runs, and resolves when no run is under way or requested any longer. */
  idle(): Promise<void>;
  /** Starts no further run and waits for the one under way, which ends sooner when it checks `isStopped`. */
  stop(): Promise<void>;
  isStopped(): boolean;
}

/** `work` does all that it finds to do; `everyMs` is the time between ticks. Nothing runs before a wake or a tick. */
function openLoop(work: () => Promise<void>, everyMs: number, onFailed: (error: unknown) => void): Loop {
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await work();
    } while (again && !stopped);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    // Whoever wakes it is not who works.
    running ??= actAsSite(run)
      .catch(onFailed)
      .finally(() => {
        running = undefined;
        // `wake` was called during a run that failed.
        if (again && !stopped) setImmediate(wake);
      });
  }

  const timer = setInterval(wake, everyMs);
  timer.unref();
  return {
    wake,
    async idle() {
      wake();
      while (running) await running;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
    isStopped: () => stopped,
  };
}
