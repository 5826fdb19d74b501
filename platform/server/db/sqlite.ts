import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import {
  type Access,
  type Database,
  type DatabaseOptions,
  databaseTrouble,
  NotAsExpected,
  type Statement,
} from './database.ts';
import { requireHere, SiteMoving } from './directory.ts';
import { openLocalNotifications } from './notifications.ts';
import { reserveIn } from './reserve.ts';
import type { Tables } from './tables.ts';

export const SQLITE_FILE = 'passerelle.db';

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

export function openSqlite({ directory, isReadOnly = false }: DatabaseOptions): Database {
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
  const reserve = reserveIn(directory);
  const keepRoom = async () => {
    const bytes = ROOM_PAGES * pageBytes;
    const isLogShort = () => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < bytes;
    requireHere(directory);
    while (apart) await apart.catch(() => {});
    const freed = raw.pragma('freelist_count', { simple: true }) as number;
    // On a full disk the log would take pages for which there is no room in the file.
    if (freed < ROOM_PAGES && reserve.left() > 4 * bytes) await writeFreed(ROOM_PAGES);
    for (let part = 0; part < ROOM_PARTS && isLogShort(); part++) await writeFreed(ROOM_PAGES / ROOM_PARTS);
    await between(() => raw.pragma('wal_checkpoint(PASSIVE)'));
    reserve.keep();
  };
  const dataVersion = raw.prepare<[], number>('pragma data_version').pluck();
  let lastVersion = dataVersion.get();
  return {
    engine: 'sqlite',
    db,
    async write(work) {
      requireHere(directory);
      reserve.letGo();
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
    room: { keep: keepRoom, left: reserve.left },
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

/** What is damaged in the file of a database, in words of SQLite; it reads the whole file. */
export async function listFaults(db: Access): Promise<string[]> {
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const rows = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  return [
    ...pages.rows.flatMap(({ integrity_check: said }) => (said === 'ok' ? [] : [said.replace(/\s+/g, ' ')])),
    ...new Set(rows.rows.map(({ table, parent }) => `${table} sans ${parent}`)),
  ];
}

export async function fileOf(db: Access): Promise<string | undefined> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db);
  return rows[0]?.file;
}
