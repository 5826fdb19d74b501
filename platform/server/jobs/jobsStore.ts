import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '#platform/server/concurrency.ts';
import { type Access, countRows, type Database, hasChanged } from '#platform/server/db/database.ts';
import type { QueueName } from '#platform/server/db/tables.ts';
import { type JobName, type JobPayloads, QUEUES, type Queue } from './jobs.ts';

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
  for (const slice of slicesOf(rows))
    await db
      .insertInto('jobs')
      .values(slice)
      .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ essais: 0, a_faire_le: at }))
      .execute();
}

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
  return countRows(db.selectFrom('jobs').where(isGivenUp(now)));
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

/* The jobs of the worker. */

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

/** An instant further ahead than this, in ms, was set by a clock that ran ahead: clocks differ by less. */
const FURTHEST_MS = 48 * 3_600_000;

/** Takes the first due job of a queue; the conditional update gives it to one worker only. */
export async function claimJob(
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
      const taking = transaction
        .updateTable('jobs')
        .set({ pris_jusqua: until, essais: job.essais })
        .where('id', '=', due.id)
        .where(sql<boolean>`coalesce(pris_jusqua, '') = ${due.pris_jusqua ?? ''}`);
      if (!(await hasChanged(taking))) return false;
      if (!pacing || (await pacing.reserve(transaction, job, now))) return true;
      const { pris_jusqua, essais } = due;
      await transaction.updateTable('jobs').set({ pris_jusqua, essais }).where('id', '=', due.id).execute();
      return false;
    });
    if (isTaken) return job;
  }
}

/** Ends a job, or sets its next run, together with what `ending` writes. */
export async function endJob(
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

/* The runs of scheduled works. */

/** Claims a due run; true for the one process that gets it. */
export async function takeRun(
  database: Database,
  { name, every }: { name: string; every: number },
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const next = new Date(now.getTime() + every).toISOString();
  return database.write(async (transaction) => {
    await transaction
      .insertInto('planifications')
      .values({ nom: name, prochaine_le: at, derniere_le: null })
      .onConflict((conflict) => conflict.column('nom').doNothing())
      .execute();
    const taken = transaction
      .updateTable('planifications')
      .set({ prochaine_le: next, derniere_le: at })
      .set(({ fn, ref, val }) => ({ reussie_le: fn.coalesce(ref('reussie_le'), val(at)) }))
      .where('nom', '=', name)
      // A next run further away than one period was set by a clock that ran ahead.
      .where((where) => where.or([where('prochaine_le', '<=', at), where('prochaine_le', '>', next)]));
    return hasChanged(taken);
  });
}

/** Row of a work outside the schedule: the backup command records in `reussie_le` when it last succeeded. */
export const BACKUP = 'sauvegarde';

/** When each work last completed, by name; null before its first try. */
export async function listSuccesses(db: Access): Promise<Map<string, string | null>> {
  const rows = await db.selectFrom('planifications').select(['nom', 'reussie_le']).execute();
  return new Map(rows.map(({ nom, reussie_le }) => [nom, reussie_le]));
}

/** When the last backup was made, and until when it is kept; undefined when the site knows of none. */
export function findBackup(db: Access) {
  const backup = db.selectFrom('planifications').select(['reussie_le', 'prochaine_le']);
  return backup.where('nom', '=', BACKUP).executeTakeFirst();
}

/** Records that a work has just completed: one of the schedule, or one that a command does, such as a backup. */
export async function noteRun(
  database: Database,
  nom: string,
  now: Date,
  more: { prochaine_le?: string } = {},
): Promise<void> {
  await putRun(database, nom, { derniere_le: now.toISOString(), reussie_le: now.toISOString(), ...more });
}

/** Writes of a work what has just become of it. */
async function putRun(
  database: Database,
  nom: string,
  values: { derniere_le: string; reussie_le?: string; prochaine_le?: string },
): Promise<void> {
  await database.write((transaction) =>
    transaction
      .insertInto('planifications')
      .values({ nom, prochaine_le: values.derniere_le, ...values })
      .onConflict((clash) => clash.column('nom').doUpdateSet(values))
      .execute(),
  );
}

/** Writes something, to see whether the database takes it. */
export async function writeBeat(database: Database, now: Date): Promise<void> {
  await putRun(database, 'readyz', { derniere_le: now.toISOString() });
}
