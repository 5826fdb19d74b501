import {
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely';
import type { Notifications } from './notifications.ts';
import type { Tables } from './tables.ts';

/* The database, SQLite or PostgreSQL behind one interface, and what its errors mean. */

export type Engine = 'sqlite' | 'postgres';
type Db = Kysely<Tables>;
/** A database handle or a transaction on it. */
export type Access = Db | Transaction<Tables>;

export interface Database {
  engine: Engine;
  db: Db;
  /** Runs `work` in a transaction that holds the write lock from its start. */
  write<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Runs long statements as one transaction that does not block readers; other writes wait for its end. Throws
   * `NotAsExpected`, with nothing changed, when a statement changes a number of rows other than its `rows`.
   */
  apart(statements: readonly Statement[]): Promise<void>;
  /**
   * Like `apart`, with the statements that `prepare` returns. `prepare` uses `run` to put the program's data that
   * they read into temporary tables, statement by statement, on the transaction's connection, while other writes go
   * on.
   */
  apartAfter(
    prepare: (run: (query: RawBuilder<unknown>) => Promise<void>) => Promise<readonly Statement[]>,
  ): Promise<void>;
  /** Runs `work`, which only reads, on the database as it is at the start, whatever is written meanwhile. */
  snapshot<T>(work: (db: Access) => Promise<T>): Promise<T>;
  /**
   * True when another connection, above all of another program, has written since the last call. Absent where only
   * the database server could tell.
   */
  changedElsewhere?: () => boolean;
  /**
   * Removes erased data from the file of the last writes (SQLite's WAL). False when another program that reads or
   * writes at that moment prevents it.
   */
  settle(): Promise<boolean>;
  /** Room for small writes on a disk without a free byte. Absent where the database has a disk of its own. */
  room?: {
    /** Takes it inside the files of the database, where it is short. */
    keep(): Promise<void>;
    /** Free bytes of the disk, beside it. */
    left(): number;
  };
  /** Notifications between the processes of this site. */
  notifications: Notifications;
  /** Size of the database in bytes. */
  size(): Promise<number>;
  /** Clause for `modifyEnd` of a select in a transaction: locks the selected rows until the transaction ends. */
  rowLock: RawBuilder<unknown>;
  close(): Promise<void>;
}

export interface Statement {
  query: RawBuilder<unknown>;
  /** Number of rows it must change, where that matters. */
  rows?: number;
}

/** A statement of `apart` changed another number of rows than it was made for: the rows changed meanwhile. */
export class NotAsExpected extends Error {
  constructor(text: string) {
    super(`Another number of rows than expected: ${text}`);
  }
}

export interface DatabaseOptions {
  url?: string | undefined;
  directory: string;
  /** Opens read-only: nothing is written or created. For commands that only inspect. */
  isReadOnly?: boolean;
  /** Called when PostgreSQL closes a connection (a restart, say); the next query opens another. */
  onLost?: (error: Error) => void;
}

/** Messages of the pool's own errors, which carry no code. */
const LOST = /timeout exceeded when trying to connect|Connection terminated/;

/** Whether the same may succeed a little later. */
export function isPassing(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  return trouble === 'busy' || trouble === 'away';
}

/** The meaning of a database error, the same on either engine; undefined for other errors. */
export function databaseTrouble(
  error: unknown,
): 'busy' | 'away' | 'full' | 'duplicate' | 'orphan' | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (['55P03', '57014', '53300', '40001', '40P01'].includes(code)) return 'busy';
  if (['57P03', '57P01', '08006', '08001', 'ECONNREFUSED'].includes(code)) return 'away';
  if (
    /^(ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/.test(code) ||
    LOST.test(String((error as Error | undefined)?.message))
  )
    return 'away';
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE' || code === '53100') return 'full';
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === '23505') {
    return 'duplicate';
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === '23503') return 'orphan';
  return undefined;
}

/** Counts the rows of a query that selects no column yet. */
export async function countRows<DB, T extends keyof DB>(
  query: SelectQueryBuilder<DB, T, object>,
): Promise<number> {
  const counting = query.select(({ fn }) => fn.countAll<number>().as('count'));
  const { count } = (await counting.executeTakeFirstOrThrow()) as { count: number };
  return count;
}

/** Runs the insertion of a row; returns its id. */
export async function insertedId<DB, T extends keyof DB>(
  insertion: InsertQueryBuilder<DB, T, InsertResult>,
): Promise<number> {
  const inserting = insertion.returning(sql<number>`id`.as('id'));
  const { id } = (await inserting.executeTakeFirstOrThrow()) as { id: number };
  return id;
}

type Count = bigint | undefined;
interface Change {
  executeTakeFirstOrThrow(): Promise<{
    numDeletedRows?: Count;
    numUpdatedRows?: Count;
    numInsertedOrUpdatedRows?: Count;
  }>;
}

/** Runs a statement that changes rows; returns how many it changed. */
export async function countChanged(change: Change): Promise<number> {
  const result = await change.executeTakeFirstOrThrow();
  return Number(result.numDeletedRows ?? result.numUpdatedRows ?? result.numInsertedOrUpdatedRows ?? 0);
}

export async function hasChanged(change: Change): Promise<boolean> {
  return (await countChanged(change)) > 0;
}
