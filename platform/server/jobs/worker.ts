import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { actAsSite } from '#platform/server/budgets.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { QueueName } from '#platform/server/db/tables.ts';
import { asHttpError, UNFORESEEN } from '#platform/server/errors.ts';
import type { Log } from '#platform/server/log.ts';
import { type JobName, type JobPayloads, QUEUES, type Queue } from './jobs.ts';

/*
 * The worker: takes due jobs of each queue, runs their handlers, and tries failed ones again. Several processes may
 * share a database: a job is leased to one of them, and a lease that has run out is that of a dead process.
 */

/** Handlers by name. `isGivenUp`: the job failed too often; the handler ends what it belongs to, and it is over. */
export type JobHandlers = {
  [N in JobName]: Handler<JobPayloads[N], void> | Handler<JobPayloads[N], Ending | undefined>;
};
type Handler<Payload, Result> = (payload: Payload, isGivenUp: boolean) => Promise<Result>;

/**
 * Writes what came of a job, in the transaction that ends it; returns when it has to run again, if it does. It is
 * repeated until it is written, and the queue waits for that: the outcome is known here alone.
 */
export type Ending = (transaction: Access) => Promise<NextRun | undefined>;

export interface NextRun {
  /** Undefined: as soon as its lane is open. */
  at: Date | undefined;
  /** False: the run counts as no try. */
  isCounted: boolean;
}

/** Policy of a queue: when its jobs may run. */
export interface Pacing {
  /** Lanes whose jobs have to wait; `all`: no job may run now. */
  closed(db: Access, now: Date): Promise<readonly string[] | 'all'>;
  /**
   * Reserves the lane of a job that is being taken, until its lease ends; false: it has just been closed. Of two
   * processes at once, only one gets it.
   */
  reserve(transaction: Access, job: ClaimedJob, now: Date): Promise<boolean>;
  /** When the next closed lane opens; undefined: none is closed. */
  nextOpening(db: Access, now: Date): Promise<Date | undefined>;
}

/** Pacings by queue; a queue without one runs its jobs as soon as they are due. */
export type Pacings = Partial<Record<QueueName, Pacing>>;

export interface ClaimedJob {
  id: number;
  nom: string;
  voie: string;
  message_id: number | null;
  charge: string;
  /** Tries, this one included. */
  essais: number;
  /** End of the lease. */
  pris_jusqua: string;
}

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
/** An instant further ahead than this, in ms, was set by a clock that ran ahead: clocks differ by less. */
const FURTHEST_MS = 48 * 3_600_000;
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
        const job = await claim(database, name, pacing, clock());
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
        else await end(database, job, async () => undefined);
      } catch (error) {
        log.error({ err: error, job: job.nom, tries: job.essais }, 'job failed');
        await end(database, job, async () => nextRun(queue, job, error), messageOf(error));
      }
    }

    async function writeSurely(job: ClaimedJob, ending: Ending): Promise<void> {
      for (;;) {
        try {
          return await end(database, job, ending);
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

/** Why a job failed, for a person. */
function messageOf(error: unknown): string {
  return asHttpError(error)?.message ?? UNFORESEEN;
}

/** Takes the first due job of a queue; the conditional update gives it to one worker only. */
async function claim(
  database: Database,
  name: QueueName,
  pacing: Pacing | undefined,
  now: Date,
): Promise<ClaimedJob | undefined> {
  const at = now.toISOString();
  const { leaseMs, tries, isToldOfEnd }: Queue = QUEUES[name];
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const furthest = new Date(now.getTime() + FURTHEST_MS).toISOString();
  for (;;) {
    const closed = (await pacing?.closed(database.db, now)) ?? [];
    if (closed === 'all') return undefined;
    const due = await database.db
      .selectFrom('jobs')
      .select(['id', 'nom', 'voie', 'message_id', 'charge', 'essais', 'pris_jusqua'])
      .where('file', '=', name)
      .where((where) => where.or([where('a_faire_le', '<=', at), where('a_faire_le', '>', furthest)]))
      .$if(closed.length > 0, (query) => query.where('voie', 'not in', closed))
      .$if(!isToldOfEnd, (query) => query.where('essais', '<', tries))
      .where((where) =>
        where.or([
          where('pris_jusqua', 'is', null),
          where('pris_jusqua', '<', at),
          where('pris_jusqua', '>', furthest),
        ]),
      )
      .orderBy('rang')
      .orderBy('a_faire_le')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!due) return undefined;
    // Counted before it runs: a job that takes the process down with it must not be tried for ever.
    const job = { ...due, essais: due.essais + 1, pris_jusqua: until };
    const isTaken = await database.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set({ pris_jusqua: until, essais: job.essais })
        .where('id', '=', due.id)
        .where(sql<boolean>`coalesce(pris_jusqua, '') = ${due.pris_jusqua ?? ''}`)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      if (!pacing || (await pacing.reserve(transaction, job, now))) return true;
      const { pris_jusqua, essais } = due;
      await transaction.updateTable('jobs').set({ pris_jusqua, essais }).where('id', '=', due.id).execute();
      return false;
    });
    if (isTaken) return job;
  }
}

/** Ends a job, or sets its next run, together with what `ending` writes. */
async function end(
  database: Database,
  { id, essais, pris_jusqua }: ClaimedJob,
  ending: Ending,
  error: string | null = null,
): Promise<void> {
  await database.write(async (transaction) => {
    const next = await ending(transaction);
    if (!next) {
      await transaction.deleteFrom('jobs').where('id', '=', id).execute();
      return;
    }
    const { at, isCounted } = next;
    await transaction
      .updateTable('jobs')
      .set({ pris_jusqua: null, erreur: error, essais: isCounted ? essais : essais - 1 })
      .$if(at !== undefined, (query) => query.set({ a_faire_le: at?.toISOString() }))
      .where('id', '=', id)
      // Another process may have the job by now.
      .where('pris_jusqua', '=', pris_jusqua)
      .execute();
  });
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
