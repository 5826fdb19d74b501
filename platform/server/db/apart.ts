import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import type { ApartAnswer, ApartTask } from './sqlite.ts';

/*
 * Runs in a worker thread with its own connection, so that a statement of a second does not block readers. It is
 * terminated from outside, never within a transaction: all else that it keeps is temporary.
 */

/** Time, in ms, for which it waits for a write under way. */
const BUSY_MS = 10_000;

const raw = new SQLite(workerData as string, { timeout: BUSY_MS });
raw.pragma('foreign_keys = ON');
raw.pragma('temp_store = MEMORY');
raw.pragma('secure_delete = ON');
raw.pragma('synchronous = FULL');

parentPort?.on('message', (task: ApartTask) => parentPort?.postMessage(run(task)));

function run({ statements, isTransaction }: ApartTask): ApartAnswer {
  try {
    if (isTransaction) raw.exec('begin immediate');
    for (const [index, { text, parameters, rows }] of statements.entries()) {
      const { changes } = raw.prepare(text).run(...parameters);
      if (rows !== undefined && changes !== rows) return { failed: index };
    }
    if (isTransaction) raw.exec('commit');
    return {};
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { error: { code, message } };
  } finally {
    if (raw.inTransaction) raw.exec('rollback');
  }
}
