import { AUDIENCE_DAYS } from '#features/site/shared/promises.ts';
import type { Services } from '#platform/server/services.ts';
import { openTurns } from '#platform/server/turns.ts';
import { DAY_MS, dayAt } from '#platform/shared/time.ts';
import { ALL_DAYS, addViews, deleteDaysBefore, keyOf, listTotals, type ViewRow } from './store.ts';

/*
 * Page views are counted in memory and added to the table a few seconds later, and at the stop: a crowd costs
 * one write, not thousands. A crash loses the last seconds, which a counter of visits can bear.
 */

export interface Views {
  /** Counts one view of a page, today. */
  count(page: string): void;
  /** Views of a page, or of all pages, those not written yet included. */
  total(page: string | undefined): Promise<number>;
  /** Writes what is left; for the end of the process. */
  stop(): Promise<void>;
}

const WRITE_AFTER_MS = 2_000;
/** Readers of the counter that may stand in line; beyond, the answer is 503. */
const WAITING_MAX = 1_000;

export function openViews({ database, config, clock, log }: Services): Views {
  // A reader never looks while counts are on their way from memory to the table: they would be in neither, or
  // in both.
  const inTurn = openTurns(1, WAITING_MAX);
  let unwritten = new Map<string, ViewRow>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: ViewRow): void {
    const key = keyOf(row);
    unwritten.set(key, { ...row, nombre: row.nombre + (unwritten.get(key)?.nombre ?? 0) });
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
  }

  async function write(): Promise<void> {
    timer = undefined;
    try {
      await inTurn(async () => {
        const rows = [...unwritten.values()];
        if (rows.length === 0) return;
        unwritten = new Map();
        try {
          await database.write((transaction) => addViews(transaction, rows));
        } catch (error) {
          // Back to memory, for the next time; there are never more rows than pages and days.
          rows.forEach(add);
          throw error;
        }
      });
    } catch (error) {
      log.warn({ err: error }, 'page views are not written yet');
    }
  }

  return {
    count(page) {
      add({ jour: dayOf(clock(), config.TIME_ZONE), page, nombre: 1 });
      add({ jour: ALL_DAYS, page, nombre: 1 });
    },
    total: (page) =>
      inTurn(async () => {
        const rows = [...(await listTotals(database.db)), ...unwritten.values()];
        return rows
          .filter((row) => row.jour === ALL_DAYS && (page === undefined || row.page === page))
          .reduce((sum, row) => sum + row.nombre, 0);
      }),
    async stop() {
      clearTimeout(timer);
      await write();
      // What could not be written is lost: nothing may be tried once the database is closed.
      clearTimeout(timer);
    },
  };
}

/** Scheduled: forgets the counts of days that are long past. */
export async function forgetOldDays({ database, config, clock }: Services): Promise<void> {
  const first = new Date(clock().getTime() - AUDIENCE_DAYS * DAY_MS);
  await database.write((transaction) => deleteDaysBefore(transaction, dayOf(first, config.TIME_ZONE)));
}

function dayOf(instant: Date, timeZone: string): string {
  return dayAt(instant, timeZone);
}
