import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import type { ApartAnswer, ApartTask } from './open.ts';

/*
 * Runs in a worker thread: one transaction on a connection of its own, so that a statement of a second stops
 * nobody who reads.
 */

/** How long, in ms, it waits for the write that is under way. */
const BUSY_MS = 10_000;

parentPort?.postMessage(run(workerData as ApartTask));

function run({ path, statements }: ApartTask): ApartAnswer {
  const raw = new SQLite(path, { timeout: BUSY_MS });
  try {
    raw.pragma('foreign_keys = ON');
    raw.pragma('temp_store = MEMORY');
    raw.pragma('secure_delete = ON');
    raw.pragma('synchronous = FULL');
    raw.exec('begin immediate');
    for (const [index, { text, parameters, rows }] of statements.entries()) {
      const { changes } = raw.prepare(text).run(...parameters);
      if (rows !== undefined && changes !== rows) return { failed: index };
    }
    raw.exec('commit');
    return {};
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { error: { code, message } };
  } finally {
    // What was not committed is rolled back.
    raw.close();
  }
}
