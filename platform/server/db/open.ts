import { accessSync, constants, existsSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import {
  Kysely,
  PostgresDialect,
  type RawBuilder,
  SqliteDialect,
  type SqliteStatement,
  sql,
  type Transaction,
} from 'kysely';
import type pg from 'pg';
import { type Notifications, openLocalNotifications, openNotifications } from './notifications.ts';
import type { Tables } from './tables.ts';

/** Opening of the database: SQLite or PostgreSQL behind one interface, `Database`. */

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

/** A task for the worker of `apart`; `ApartAnswer` is its reply. */
export interface ApartTask {
  statements: { text: string; parameters: readonly unknown[]; rows: number | undefined }[];
  /** True: all statements or none. False: a single statement, on temporary tables only. */
  isTransaction: boolean;
}
export interface ApartAnswer {
  /** Index of the statement that did not change as many rows as it had to. */
  failed?: number;
  error?: { code: string | undefined; message: string };
}

/**
 * Time, in ms, for which SQLite waits for a lock of another program. Short, as the wait stops the whole process; past
 * it the query fails as `busy`.
 */
const BUSY_MS = 100;

/**
 * Pages that SQLite keeps for itself on the disk, in its file and in its log of writes: more than the 1,000 after which
 * it moves the log into the file, and begins it anew.
 */
const ROOM_PAGES = 1_200;
/** Into how many writes the log's part is split: each takes as many free pages of the file, of which few may be left. */
const ROOM_PARTS = 6;

const SQLITE_FILE = 'passerelle.db';

/** Opens PostgreSQL when an address is given, else `passerelle.db` in `directory`. */
export function openDatabase(options: DatabaseOptions): Database {
  return options.url ? openPostgres(options.url, options) : openSqlite(options);
}

/** True when there is a database to open; false for a folder that does not belong to a site. */
export function isDatabaseThere({ url, directory }: DatabaseOptions): boolean {
  // With PostgreSQL, only the data folder is on this machine.
  return existsSync(url ? directory : join(directory, SQLITE_FILE));
}

interface DatabaseOptions {
  url?: string | undefined;
  directory: string;
  /** Opens read-only: nothing is written or created. For commands that only inspect. */
  isReadOnly?: boolean;
  /** Called when PostgreSQL closes a connection (a restart, say); the next query opens another. */
  onLost?: (error: Error) => void;
}

function openSqlite({ directory, isReadOnly = false }: DatabaseOptions): Database {
  const path = join(directory, SQLITE_FILE);
  const raw = isReadOnly ? new SQLite(path, { readonly: true }) : openToWrite(directory, path);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: preparingOnce(raw) }) });
  /**
   * The last task given to `apart`, until it ends: it holds the write lock, and waiting for that lock stops the
   * process. Tasks given meanwhile run one after the other.
   */
  let apart: Promise<void> | undefined;
  /** Writes in progress, those that still wait for the connection included; `apart` waits for them before its turn. */
  const writes = new Set<Promise<unknown>>();
  const inTurn = async (work: () => Promise<void>) => {
    const turn = Promise.allSettled([apart, ...writes]).then(work);
    // Set at once, so that no other task gets in between the check and the turn.
    apart = turn;
    try {
      await turn;
    } finally {
      if (apart === turn) apart = undefined;
    }
  };
  const compiled = ({ query, rows }: Statement) => {
    const { sql: text, parameters } = query.compile(db);
    return { text, parameters, rows };
  };
  const pageBytes = raw.pragma('page_size', { simple: true }) as number;
  /** Runs `work` on the connection, between transactions. */
  const between = <T>(work: () => T) => db.connection().execute(async () => work());
  /** Writes pages and frees them: they stay in the file, and have made the log of the last writes as long. */
  const writeFreed = (pages: number) =>
    db.transaction().execute(async (transaction) => {
      await sql`create table place (octets blob)`.execute(transaction);
      await sql`insert into place values (zeroblob(${pages * pageBytes}))`.execute(transaction);
      await sql`drop table place`.execute(transaction);
    });
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  const keepRoom = async () => {
    const bytes = ROOM_PAGES * pageBytes;
    const isLogShort = () => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < bytes;
    requireHere(directory);
    while (apart) await apart.catch(() => {});
    const freed = raw.pragma('freelist_count', { simple: true }) as number;
    // On a full disk the log would take pages for which there is no room in the file.
    if (freed < ROOM_PAGES && freeBytes() > 4 * bytes) await writeFreed(ROOM_PAGES);
    for (let part = 0; part < ROOM_PARTS && isLogShort(); part++) await writeFreed(ROOM_PAGES / ROOM_PARTS);
    await between(() => raw.pragma('wal_checkpoint(PASSIVE)'));
  };
  const dataVersion = raw.prepare<[], number>('pragma data_version').pluck();
  let lastVersion = dataVersion.get();
  return {
    engine: 'sqlite',
    db,
    async write(work) {
      requireHere(directory);
      while (apart) await apart.catch(() => {});
      const write = db.transaction().execute(work);
      writes.add(write);
      try {
        return await write;
      } finally {
        writes.delete(write);
      }
    },
    async apart(statements) {
      requireHere(directory);
      const task = { statements: statements.map(compiled), isTransaction: true };
      await inTurn(() => withWorker(path, (ask) => ask(task)));
    },
    async apartAfter(prepare) {
      await withWorker(path, async (ask) => {
        const statements = await prepare((query) =>
          ask({ statements: [compiled({ query })], isTransaction: false }),
        );
        requireHere(directory);
        await inTurn(() => ask({ statements: statements.map(compiled), isTransaction: true }));
      });
    },
    async snapshot(work) {
      const reader = new SQLite(path, { readonly: true, timeout: 10_000 });
      const own = new Kysely<Tables>({ dialect: new SqliteDialect({ database: reader }) });
      try {
        return await own.transaction().execute(work);
      } finally {
        await own.destroy();
      }
    },
    changedElsewhere() {
      const version = dataVersion.get();
      const isChanged = version !== lastVersion;
      lastVersion = version;
      return isChanged;
    },
    async settle() {
      while (apart) await apart.catch(() => {});
      const [ended] = await between(() => raw.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]);
      try {
        await keepRoom();
      } catch (error) {
        // Another program writes, or took what the log has just freed on a full disk: scheduled work tries again.
        if (databaseTrouble(error) === undefined && !(error instanceof SiteMoving)) throw error;
      }
      return ended?.busy === 0;
    },
    room: { keep: keepRoom, left: freeBytes },
    // A write by another program, such as a command, is detected by `changedElsewhere`.
    notifications: openLocalNotifications(),
    async size() {
      const { rows } = await sql<{ size: number }>`
        select page_count * page_size as size from pragma_page_count(), pragma_page_size()`.execute(db);
      return rows[0]?.size ?? 0;
    },
    // The transaction holds the only write lock there is.
    rowLock: sql``,
    close: () => db.destroy(),
  };
}

function openToWrite(directory: string, path: string): SQLite.Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const raw = new SQLite(path, { timeout: 10_000 });
  // Switching to WAL needs exclusive access to the file, so it may wait; the queries after it may not.
  raw.pragma('journal_mode = WAL');
  raw.pragma(`busy_timeout = ${BUSY_MS}`);
  raw.pragma('foreign_keys = ON');
  raw.pragma('temp_store = MEMORY');
  // Erased data, people's names above all, must not stay readable in the file and its copies.
  raw.pragma('secure_delete = ON');
  // An existing WAL database opens with NORMAL, which may lose acknowledged commits at a power cut.
  raw.pragma('synchronous = FULL');
  if (raw.pragma('synchronous', { simple: true }) !== 2) throw new Error('SQLite: synchronous is not FULL');
  return raw;
}

/** Runs `work` with a worker thread that has its own connection; `ask` throws the database's error for a task. */
async function withWorker(
  path: string,
  work: (ask: (task: ApartTask) => Promise<void>) => Promise<void>,
): Promise<void> {
  const worker = new Worker(new URL(import.meta.resolve('#platform/server/db/apart.ts')), {
    workerData: path,
  });
  const broken = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The worker ended without an answer')));
  });
  // A pending `ask` reports the failure; without one, it must not be an unhandled rejection.
  broken.catch(() => {});
  try {
    await work(async (task) => {
      const answered = new Promise<ApartAnswer>((resolve) => worker.once('message', resolve));
      worker.postMessage(task);
      const { error, failed } = await Promise.race([answered, broken]);
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      if (failed !== undefined) throw new NotAsExpected(task.statements[failed]?.text ?? '');
    });
  } finally {
    await worker.terminate();
  }
}

const NOTHING_TO_DO: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

/** Most prepared statements kept; the product has fewer different ones, except for lists of varying length. */
const PREPARED_MAX = 300;

/**
 * Wraps a connection. It keeps prepared statements, as preparing costs as much as running a small one, and begins
 * every transaction with the write lock: a transaction that reads first and then finds the lock taken could only
 * fail. A write outside a transaction is a bug: it would stop the process while `apart` holds the lock.
 */
function preparingOnce(raw: SQLite.Database) {
  const prepared = new Map<string, SQLite.Statement<unknown[]>>();
  return {
    close: () => {
      raw.close();
    },
    prepare(text: string): SqliteStatement {
      // On a full disk SQLite rolls back by itself; a second rollback would hide the error that says so.
      if (text === 'rollback' && !raw.inTransaction) return NOTHING_TO_DO;
      const found = prepared.get(text);
      const statement =
        found && !found.busy ? found : raw.prepare<unknown[]>(text === 'begin' ? 'begin immediate' : text);
      if (!statement.readonly && !raw.inTransaction && text !== 'begin')
        throw new Error(`A write goes through database.write: ${text}`);
      if (statement === found) return found;
      if (prepared.size >= PREPARED_MAX) prepared.delete(prepared.keys().next().value ?? '');
      prepared.set(text, statement);
      return statement;
    },
  };
}

const READ_ONLY = ' -c default_transaction_read_only=on';

function openPostgres(
  url: string,
  { isReadOnly = false, onLost = () => {} }: Pick<DatabaseOptions, 'isReadOnly' | 'onLost'>,
): Database {
  let opened: Promise<pg.Pool> | undefined;
  const pool = () => {
    opened ??= openPool(url, isReadOnly, onLost);
    return opened;
  };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const notifications = openNotifications(
    url,
    async (statement, values) => (await pool()).query(statement, values),
    onLost,
  );
  const apartAfter: Database['apartAfter'] = (prepare) =>
    db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = '120s'`.execute(transaction);
      // `prepare` may wait for a workbook that queues to be read.
      await sql`set local idle_in_transaction_session_timeout = '180s'`.execute(transaction);
      const statements = await prepare(async (query) => {
        await query.execute(transaction);
      });
      for (const { query, rows } of statements) {
        const { numAffectedRows } = await query.execute(transaction);
        if (rows !== undefined && numAffectedRows !== BigInt(rows))
          throw new NotAsExpected(query.compile(transaction).sql);
      }
    });
  return {
    engine: 'postgres',
    db,
    write: (work) => db.transaction().execute(work),
    apart: (statements) => apartAfter(async () => statements),
    apartAfter,
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    // What PostgreSQL's own log of writes holds, and for how long, is up to its operator.
    settle: async () => true,
    notifications,
    async size() {
      const { rows } = await sql<{
        size: number;
      }>`select pg_database_size(current_database()) as size`.execute(db);
      return rows[0]?.size ?? 0;
    },
    rowLock: sql`for update`,
    async close() {
      await notifications.close();
      await db.destroy();
    },
  };
}

async function openPool(url: string, isReadOnly: boolean, onLost: (error: Error) => void): Promise<pg.Pool> {
  const { Pool, types } = (await import('pg')).default;
  // Counts and ids arrive as text by default; ours fit in a number.
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    options: `-c timezone=UTC -c statement_timeout=30000 -c lock_timeout=5000${isReadOnly ? READ_ONLY : ''}`,
  });
  // Without a listener a lost connection would end the process. A query in progress gets its own error.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

/** Messages of the pool's own errors, which carry no code. */
const LOST = /timeout exceeded when trying to connect|Connection terminated/;

/** Whether the same may succeed a little later. */
function isPassing(error: unknown): boolean {
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

/**
 * Reserves `directory` for one server and returns the function that frees it. Throws `DirectoryInUse` for a second
 * server until the first ends, however it ends.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Checked first, as SQLite would take the lock even in a folder that it cannot write to.
  accessSync(directory, constants.W_OK);
  const lock = new SQLite(join(directory, 'verrou.db'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isPassing(error)) throw error;
    throw new DirectoryInUse(directory);
  }
  return () => lock.close();
}

export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(
      `Un autre serveur utilise déjà le dossier ${directory}\u202f: arrêtez-le, ou choisissez un autre DATA_DIR.`,
    );
  }
}

/** File that announces a move: locked while the move is under way; once it has ended, holds the site's new place. */
const MOVE_FILE = 'demenagement.db';

/** The site is being moved, or has been: nothing is written here any longer. The message is for people. */
export class SiteMoving extends Error {}

const UNDER_WAY =
  'Le site déménage\u202f: pendant quelques minutes, rien ne peut être enregistré. Réessayez ensuite.';

/** Blocks all other writes to the database of a directory; `end` allows them again, and so does a crash. */
export function holdForMove(directory: string): { leave(to: string): void; end(): void } {
  const path = join(directory, MOVE_FILE);
  const file = new SQLite(path, { timeout: 0 });
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    throw isPassing(error) ? new SiteMoving(UNDER_WAY) : error;
  }
  let hasLeft = false;
  return {
    /** Records for good where the site has moved, for anyone who tries to write here. */
    leave(to) {
      file.exec('create table depart (vers text not null)');
      file.prepare('insert into depart values (?)').run(to);
      file.exec('commit');
      hasLeft = true;
    },
    end() {
      file.close();
      if (!hasLeft) rmSync(path);
    },
  };
}

/** Throws `SiteMoving` when the site is moving or has moved. A file left by a move that crashed is ignored. */
function requireHere(directory: string): void {
  const path = join(directory, MOVE_FILE);
  if (!existsSync(path)) return;
  const file = new SQLite(path, { timeout: 0 });
  try {
    const hasLeft = file.prepare("select 1 from sqlite_schema where name = 'depart'").get() !== undefined;
    if (!hasLeft) return;
    const to = file.prepare<[], string>('select vers from depart').pluck().get();
    throw new SiteMoving(
      `Ce site a déménagé vers ${to}\u202f: rien n’est plus enregistré ici. Lancez-le avec les variables que le déménagement a données, ou supprimez ${path} pour revenir ici.`,
    );
  } catch (error) {
    throw isPassing(error) ? new SiteMoving(UNDER_WAY) : error;
  } finally {
    file.close();
  }
}
