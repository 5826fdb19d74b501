import { availableParallelism } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { QueueName } from '#platform/server/db/tables.ts';

/*
 * Work done after the answer, kept in a table: a job is written in the transaction of what it belongs to, and
 * runs at least once, in one process at a time, even when that process dies (`worker.ts`).
 */

/**
 * Payload of every job, by its name. Features add theirs by merging into it, beside the handler; a name without a
 * handler does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by features
export interface JobPayloads {}

export type JobName = keyof JobPayloads;

/** Settings of a queue. The jobs of one queue never wait for those of another. */
export interface Queue {
  /** Jobs run at once in a process. */
  atOnce: number;
  /** Tries before a job is given up. */
  tries: number;
  /**
   * True: its handlers run once more after the last try, with `isGivenUp`, and end what the job belongs to. False: the
   * job stays, for a person to inspect.
   */
  isToldOfEnd: boolean;
  /** Lease of a job, in ms, past which its worker counts as dead. */
  leaseMs: number;
  /** Time, in ms, between two queries for due jobs, when nothing wakes the queue. */
  pollMs: number;
}

export const QUEUES = {
  others: { atOnce: 1, tries: 8, isToldOfEnd: false, leaseMs: 5 * 60_000, pollMs: 2_000 },
  photos: {
    // One per core, and no more than leaves enough memory for the site, which answers meanwhile.
    atOnce: Math.min(4, availableParallelism()),
    tries: 8,
    isToldOfEnd: true,
    // Includes a photo's wait for its turn.
    leaseMs: 5 * 60_000,
    pollMs: 2_000,
  },
  // One message at a time, as a crash then repeats one at most. An attempt takes 40 s at most.
  mails: { atOnce: 1, tries: 12, isToldOfEnd: true, leaseMs: 60_000, pollMs: 1_000 },
} as const satisfies Record<QueueName, Queue>;

interface JobOptions {
  queue?: QueueName;
  /** Priority: the number of jobs of the same batch that go first, so that a large batch does not keep others waiting. */
  rank?: number;
  /** The part of the queue that waits together; see `Pacing`. */
  lane?: string;
  /** The message that the job sends; a job that the message already has starts anew. */
  messageId?: number;
}

/** Adds a job to a transaction; call `wake` after the commit, or the worker finds it at its next poll. */
export async function addJob<N extends JobName>(
  db: Access,
  name: N,
  payload: JobPayloads[N],
  now: Date,
  options: JobOptions = {},
): Promise<void> {
  await addJobs(db, name, [{ payload, ...options }], now);
}

/** Most rows in one statement. */
const SLICE = 500;

export async function addJobs<N extends JobName>(
  db: Access,
  name: N,
  jobs: readonly (JobOptions & { payload: JobPayloads[N] })[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const rows = jobs.map(({ payload, queue = 'others', rank = 0, lane = '', messageId = null }) => ({
    nom: name,
    file: queue,
    rang: rank,
    voie: lane,
    message_id: messageId,
    charge: JSON.stringify(payload),
    essais: 0,
    a_faire_le: at,
    created_at: at,
  }));
  for (const slice of slicesOf(rows, SLICE))
    await db
      .insertInto('jobs')
      .values(slice)
      .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ essais: 0, a_faire_le: at }))
      .execute();
}

/** A job that is not done yet. */
export interface WaitingJob<N extends JobName> {
  payload: JobPayloads[N];
  /** True once it failed too often to be tried again by itself. */
  isGivenUp: boolean;
  /** Why its last try failed, for a person; the cause itself is in the log. */
  error: string | null;
}

/** Lists the unfinished jobs of a name, the one under way included; oldest first. */
export async function listJobs<N extends JobName>(db: Access, name: N, now: Date): Promise<WaitingJob<N>[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['charge', 'erreur', sql<number>`case when ${isGivenUp(now)} then 1 else 0 end`.as('isGivenUp')])
    .where('nom', '=', name)
    .orderBy('id')
    .execute();
  return rows.map(({ charge, erreur, isGivenUp: givenUp }) => ({
    payload: JSON.parse(charge),
    isGivenUp: givenUp === 1,
    error: erreur,
  }));
}

/** Deletes the jobs of a name, before others take over what they left undone. */
export async function dropJobs(db: Access, name: JobName): Promise<void> {
  await db.deleteFrom('jobs').where('nom', '=', name).execute();
}

/** Deletes the jobs of a name that were added before an instant and have not completed. */
export async function dropOldJobs(db: Access, name: JobName, before: Date): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('nom', '=', name)
    .where('created_at', '<', before.toISOString())
    .execute();
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

/** Queues whose jobs are counted; those of `mails` are counted by the states of their messages. */
const COUNTED = ['others', 'photos'] as const satisfies QueueName[];

/** How many jobs of each queue wait or are under way, since when the oldest does, and how many are given up. */
export async function countByQueue(
  db: Access,
  now: Date,
): Promise<{ queue: QueueName; waiting: number; givenUp: number; oldest: string | null }[]> {
  return Promise.all(
    COUNTED.map(async (queue) => {
      const row = await db
        .selectFrom('jobs')
        .select([
          sql<number>`count(case when ${isGivenUp(now)} then 1 end)`.as('givenUp'),
          sql<number>`count(case when not ${isGivenUp(now)} then 1 end)`.as('waiting'),
          sql<string | null>`min(case when not ${isGivenUp(now)} then created_at end)`.as('oldest'),
        ])
        .where('file', '=', queue)
        .executeTakeFirstOrThrow();
      return { queue, ...row };
    }),
  );
}

function isGivenUp(now: Date): RawBuilder<boolean> {
  const tries = sql.join(
    Object.entries(QUEUES).map(([name, queue]) => sql`when ${name} then ${sql.lit(queue.tries)}`),
    sql` `,
  );
  return sql<boolean>`(essais >= case file ${tries} end and coalesce(pris_jusqua, '') < ${now.toISOString()})`;
}
