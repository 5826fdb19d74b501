import { availableParallelism } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import type { Access, Database } from '#platform/server/db/open.ts';
import { asHttpError, UNFORESEEN } from '#platform/server/http/errors.ts';
import type { Log } from '#platform/server/log.ts';
import { type Loop, openLoop } from './loop.ts';

/*
 * Work done after the answer, kept in a table: a job is written in the transaction of what it belongs to, and
 * runs at least once, in one process at a time, even when that process dies.
 */

/**
 * Payload of every job, by its name. Features add theirs by merging into it, beside the handler; a name without a
 * handler does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by features
export interface JobPayloads {}

type JobName = keyof JobPayloads;
/** Handlers by name. `isGivenUp`: the job failed too often; the handler ends what it belongs to, and it is over. */
export type JobHandlers = {
  [N in JobName]: (payload: JobPayloads[N], isGivenUp: boolean) => Promise<void>;
};

/** Tries before a job is left for a person to inspect. */
const MAX_TRIES = 8;
/** Wait, in ms, for a trouble that only other people can mend: a full disk, a database that does not answer. */
const TROUBLE_MS = 30_000;
/** Jobs of one queue never wait for those of the other: photos come by hundreds. */
const QUEUES = [
  { name: 'others', holds: sql<boolean>`nom <> 'prepare-photo'`, atOnce: 1, isToldOfEnd: false },
  {
    name: 'photos',
    holds: sql<boolean>`nom = 'prepare-photo'`,
    // One per core, and no more than leaves enough memory for the site, which answers meanwhile.
    atOnce: Math.min(4, availableParallelism()),
    isToldOfEnd: true,
  },
] satisfies Queue[];
interface Queue {
  name: string;
  holds: RawBuilder<boolean>;
  atOnce: number;
  /** Its handlers run once more after the last try, with `isGivenUp`: nobody else follows these jobs up. */
  isToldOfEnd: boolean;
}
/** Lease of a job, in ms, past which its worker counts as dead; a photo's lease includes its wait for a turn. */
const LEASE_MS = 5 * 60_000;
const POLL_MS = 2_000;
/** An instant further ahead than this, in ms, was set by a clock that ran ahead: clocks differ by less. */
const FURTHEST_MS = 48 * 3_600_000;

/**
 * Adds a job to a transaction; call `wake` after the commit, or the worker finds it at its next poll. `rang`: the
 * number of jobs of the same batch that go first, so that a large batch does not keep other jobs waiting for all of
 * it.
 */
export async function addJob<N extends JobName>(
  db: Access,
  name: N,
  payload: JobPayloads[N],
  now: Date,
  rang = 0,
): Promise<void> {
  const at = now.toISOString();
  await db
    .insertInto('jobs')
    .values({ nom: name, charge: JSON.stringify(payload), essais: 0, rang, a_faire_le: at, created_at: at })
    .execute();
}

/** A job that is not done yet. */
export interface WaitingJob {
  name: JobName;
  /** True once it failed too often to be tried again by itself. */
  isGivenUp: boolean;
  /** Why its last try failed, for a person; the cause itself is in the log. */
  error: string | null;
}

/** Lists the unfinished jobs of these names, the one under way included; oldest first. */
export async function listJobs(db: Access, names: readonly JobName[], now: Date): Promise<WaitingJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['nom', 'essais', 'pris_jusqua', 'erreur'])
    .where('nom', 'in', names)
    .orderBy('id')
    .execute();
  return rows.map(({ nom, essais, pris_jusqua, erreur }) => ({
    name: nom as JobName,
    isGivenUp: essais >= MAX_TRIES && (pris_jusqua ?? '') < now.toISOString(),
    error: erreur,
  }));
}

/** Deletes the jobs of these names, before others take over what they left undone. */
export async function dropJobs(db: Access, names: readonly JobName[]): Promise<void> {
  await db.deleteFrom('jobs').where('nom', 'in', names).execute();
}

/** Deletes the jobs of a name that were added before an instant and have not completed. */
export async function dropOldJobs(db: Access, name: JobName, before: Date): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('nom', '=', name)
    .where('created_at', '<', before.toISOString())
    .execute();
}

export interface JobWorker {
  /** Checks for jobs now rather than at the next tick. */
  wake(): void;
  /** Resolves when no job is due: for tests, and for commands that want the work done. */
  idle(): Promise<void>;
  /** Takes no new job and waits for the one under way. */
  stop(): Promise<void>;
}

export function startJobs(database: Database, handlers: JobHandlers, clock: () => Date, log: Log): JobWorker {
  async function runAll(lane: Queue, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const job = await claim(database, lane, clock());
      if (!job) return;
      await runOne(lane, job);
    }
  }

  async function runOne({ isToldOfEnd }: Queue, job: Claimed): Promise<void> {
    try {
      const handler = handlers[job.nom as JobName] as JobHandler | undefined;
      if (!handler) throw new Error(`No handler for job ${job.nom}`);
      await handler(JSON.parse(job.charge), job.essais > MAX_TRIES);
      await database.write((transaction) =>
        transaction.deleteFrom('jobs').where('id', '=', job.id).execute(),
      );
    } catch (error) {
      log.error({ err: error, job: job.nom, tries: job.essais }, 'job failed');
      const known = asHttpError(error);
      // A full disk, or a database that does not answer: other people mend it, so it is no reason to give up the job.
      const isTrouble = known?.status === 507 || known?.status === 503;
      const isLast = isToldOfEnd && job.essais === MAX_TRIES;
      const next = isLast ? 0 : Math.min(3_600_000, 5_000 * 2 ** (job.essais - 1));
      const wait = isTrouble ? TROUBLE_MS : next;
      const change = {
        a_faire_le: new Date(clock().getTime() + wait).toISOString(),
        pris_jusqua: null,
        erreur: known?.message ?? UNFORESEEN,
        essais: isTrouble ? job.essais - 1 : job.essais,
      };
      await database.write((transaction) =>
        transaction.updateTable('jobs').set(change).where('id', '=', job.id).execute(),
      );
    }
  }

  const rounds = QUEUES.flatMap((lane) => Array.from({ length: lane.atOnce }, () => openQueue(lane)));
  function openQueue(lane: Queue): Loop {
    const own: Loop = openLoop(
      () => runAll(lane, () => own.isStopped()),
      POLL_MS,
      (error) => log.error({ err: error }, 'job queue unreachable'),
    );
    return own;
  }
  function wake(): void {
    for (const one of rounds) one.wake();
  }
  wake();
  return {
    wake,
    async idle() {
      await Promise.all(rounds.map((one) => one.idle()));
    },
    async stop() {
      await Promise.all(rounds.map((one) => one.stop()));
    },
  };
}

/**
 * Ends the leases of a process that died. Only where no other process may be at work: elsewhere the leases have to
 * run out.
 */
export async function releaseJobs(database: Database): Promise<void> {
  await database.write((transaction) =>
    transaction.updateTable('jobs').set({ pris_jusqua: null }).where('pris_jusqua', 'is not', null).execute(),
  );
}

/** Number of jobs given up after too many failures; those on their last try are not included. */
export async function countGivenUp(db: Access, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where(isGivenUp(now))
    .executeTakeFirstOrThrow();
  return count;
}

/** How many jobs of each queue wait or are under way, since when the oldest does, and how many are given up. */
export async function countByQueue(
  db: Access,
  now: Date,
): Promise<{ lane: string; waiting: number; givenUp: number; oldest: string | null }[]> {
  return Promise.all(
    QUEUES.map(async ({ name: lane, holds }) => {
      const row = await db
        .selectFrom('jobs')
        .select([
          sql<number>`count(case when ${isGivenUp(now)} then 1 end)`.as('givenUp'),
          sql<number>`count(case when not ${isGivenUp(now)} then 1 end)`.as('waiting'),
          sql<string | null>`min(case when not ${isGivenUp(now)} then created_at end)`.as('oldest'),
        ])
        .where(holds)
        .executeTakeFirstOrThrow();
      return { lane, ...row };
    }),
  );
}

function isGivenUp(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(essais >= ${MAX_TRIES} and coalesce(pris_jusqua, '') < ${now.toISOString()})`;
}

type JobHandler = (payload: unknown, isGivenUp: boolean) => Promise<void>;

interface Claimed {
  id: number;
  nom: string;
  charge: string;
  essais: number;
}

/** Takes the first due job; the conditional update gives it to one worker only. */
async function claim(
  database: Database,
  { holds, isToldOfEnd }: Queue,
  now: Date,
): Promise<Claimed | undefined> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + LEASE_MS).toISOString();
  const furthest = new Date(now.getTime() + FURTHEST_MS).toISOString();
  for (;;) {
    const due = await database.db
      .selectFrom('jobs')
      .select(['id', 'nom', 'charge', 'essais', 'pris_jusqua'])
      .where((where) => where.or([where('a_faire_le', '<=', at), where('a_faire_le', '>', furthest)]))
      .where(holds)
      .$if(!isToldOfEnd, (query) => query.where('essais', '<', MAX_TRIES))
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
    const taken = await database.write((transaction) =>
      transaction
        .updateTable('jobs')
        // Counted before it runs: a job that takes the process down with it must not be tried for ever.
        .set({ pris_jusqua: until, essais: due.essais + 1 })
        .where('id', '=', due.id)
        .where(sql<boolean>`coalesce(pris_jusqua, '') = ${due.pris_jusqua ?? ''}`)
        .executeTakeFirst(),
    );
    if (taken.numUpdatedRows === 1n) return { ...due, essais: due.essais + 1 };
  }
}
