import { sql } from 'kysely';
import type { Access, Database } from '../db/open.ts';
import { asHttpError, UNFORESEEN } from '../http/errors.ts';
import type { Log } from '../log.ts';
import { openRounds } from './rounds.ts';

/*
 * Work done after the answer, kept in a table: a job is written in the transaction of what it belongs to, and
 * runs at least once, in one process at a time, even when that process dies.
 */

/** Every job, with what it needs to know. A name without a handler does not compile. */
export interface JobPayloads {
  /** Makes the narrower sizes of a content picture; `largeur` is its own width in pixels. */
  'narrow-picture': { nom: string; largeur: number };
  /** Reads the text of minutes, for the search. */
  'read-minutes': { id: number };
  /** Puts one item of the example in its place, or takes it out. */
  'example-in': { cle: string };
  'example-out': { cle: string };
  /** Sends the codes of a stay to an address, when it is recorded for it. */
  'lost-code': { stageId: number; address: string };
}

export type JobName = keyof JobPayloads;
export type JobHandlers = { [N in JobName]: (payload: JobPayloads[N]) => Promise<void> };

/** Tries before a job is left for a person to look at. */
const MAX_TRIES = 8;
/** Time a worker has for one job, in ms; past it the worker counts as dead. */
const LEASE_MS = 5 * 60_000;
const POLL_MS = 2_000;
/** What is set for later, or taken for longer, than this was by a clock that ran ahead by more than clocks differ. */
const FURTHEST_MS = 48 * 3_600_000;

/** Adds a job to a transaction; `wake` the worker after the commit, or it is found at the next look. */
export async function addJob<N extends JobName>(
  db: Access,
  name: N,
  payload: JobPayloads[N],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await db
    .insertInto('jobs')
    .values({ nom: name, charge: JSON.stringify(payload), essais: 0, a_faire_le: at, created_at: at })
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

/** The jobs of these names that are not done yet, the one under way included; oldest first. */
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

/** Forgets the jobs of these names, before others take over what they left undone. */
export async function dropJobs(db: Access, names: readonly JobName[]): Promise<void> {
  await db.deleteFrom('jobs').where('nom', 'in', names).execute();
}

/** Forgets the jobs of a name that nothing has come of, added before an instant. */
export async function dropOldJobs(db: Access, name: JobName, before: Date): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('nom', '=', name)
    .where('created_at', '<', before.toISOString())
    .execute();
}

export interface JobWorker {
  /** Looks for jobs now rather than at the next tick. */
  wake(): void;
  /** Resolves when no job is due: for tests, and for commands that want the work done. */
  idle(): Promise<void>;
  /** Takes no new job and waits for the one under way. */
  stop(): Promise<void>;
}

export function startJobs(database: Database, handlers: JobHandlers, clock: () => Date, log: Log): JobWorker {
  async function runAll(): Promise<void> {
    while (!rounds.isStopped()) {
      const job = await claim(database, clock());
      if (!job) return;
      await runOne(job);
    }
  }

  async function runOne(job: Claimed): Promise<void> {
    try {
      const handler = handlers[job.nom as JobName] as ((payload: unknown) => Promise<void>) | undefined;
      if (!handler) throw new Error(`No handler for job ${job.nom}`);
      await handler(JSON.parse(job.charge));
      await database.write((transaction) =>
        transaction.deleteFrom('jobs').where('id', '=', job.id).execute(),
      );
    } catch (error) {
      log.error({ err: error, job: job.nom, tries: job.essais }, 'job failed');
      const wait = Math.min(3_600_000, 5_000 * 2 ** (job.essais - 1));
      const change = {
        a_faire_le: new Date(clock().getTime() + wait).toISOString(),
        pris_jusqua: null,
        erreur: asHttpError(error)?.message ?? UNFORESEEN,
      };
      await database.write((transaction) =>
        transaction.updateTable('jobs').set(change).where('id', '=', job.id).execute(),
      );
    }
  }

  const rounds = openRounds(runAll, POLL_MS, (error) => log.error({ err: error }, 'job queue unreachable'));
  rounds.wake();
  return rounds;
}

/** Jobs that failed too often and are tried no more; those on their last try are not among them. */
export async function countGivenUp(db: Access, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('essais', '>=', MAX_TRIES)
    .where((where) =>
      where.or([where('pris_jusqua', 'is', null), where('pris_jusqua', '<', now.toISOString())]),
    )
    .executeTakeFirstOrThrow();
  return count;
}

interface Claimed {
  id: number;
  nom: string;
  charge: string;
  essais: number;
}

/** Takes the oldest due job; the conditional update lets one worker of many have it. */
async function claim(database: Database, now: Date): Promise<Claimed | undefined> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + LEASE_MS).toISOString();
  const furthest = new Date(now.getTime() + FURTHEST_MS).toISOString();
  for (;;) {
    const due = await database.db
      .selectFrom('jobs')
      .select(['id', 'nom', 'charge', 'essais', 'pris_jusqua'])
      .where((where) => where.or([where('a_faire_le', '<=', at), where('a_faire_le', '>', furthest)]))
      .where('essais', '<', MAX_TRIES)
      .where((where) =>
        where.or([
          where('pris_jusqua', 'is', null),
          where('pris_jusqua', '<', at),
          where('pris_jusqua', '>', furthest),
        ]),
      )
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
