import { sql } from 'kysely';
import { jsonRows } from '#platform/server/db/json.ts';
import type { Access } from '#platform/server/db/open.ts';
import { shortened } from '#platform/server/http/limits.ts';
import type { Services } from '#platform/server/services.ts';
import { openTurns } from '#platform/server/turns.ts';
import type { PhotosOuverturesTable } from './tables.ts';

/*
 * Which sign-in first opened which photo, and when: for the day when a password has leaked. Gathered in memory and
 * written a few seconds later, and at the stop, so that nobody waits for it; a crash loses the last seconds.
 */

export interface Openings {
  /** Notes that a sign-in opened a photo; only the first time is kept. */
  note(photoId: number, sessionId: number, ip: string): void;
  /** Writes what is left; for the end of the process. */
  stop(): Promise<void>;
}

type Row = [photoId: number, sessionId: number, ip: string, at: string];

const WRITE_AFTER_MS = 3_000;
/** Those that wait to be written, should the database refuse for long. */
const UNWRITTEN_MAX = 200_000;
/** Rows of one statement. */
const ROWS_AT_ONCE = 5_000;

export function openOpenings({ database, clock, log }: Services): Openings {
  const inTurn = openTurns(1, 1_000);
  let unwritten = new Map<string, Row>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: Row): void {
    const key = `${row[0]} ${row[1]}`;
    if (unwritten.has(key) || unwritten.size >= UNWRITTEN_MAX) return;
    unwritten.set(key, row);
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
  }

  async function insert(rows: readonly Row[]): Promise<void> {
    const columns = { photo_id: 'bigint', session_id: 'bigint', ip: 'text', ouverte_le: 'text' } as const;
    const opened = jsonRows(database.engine, 'ouvertes', columns, rows);
    // What was erased meanwhile is left out.
    await database.write((transaction) =>
      sql`insert into photos_ouvertures (photo_id, session_id, ip, ouverte_le)
        select ouvertes.photo_id, ouvertes.session_id, ouvertes.ip, ouvertes.ouverte_le
        from ${opened} inner join photos on photos.id = ouvertes.photo_id
        where true on conflict do nothing`.execute(transaction),
    );
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await inTurn(async () => {
      // In one order, so that no process waits for another in a circle.
      const rows = [...unwritten.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      unwritten = new Map();
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        try {
          await insert(rows.slice(from, from + ROWS_AT_ONCE));
        } catch (error) {
          log.warn({ err: error }, 'openings of photos are not written yet');
          rows.slice(from).forEach(add);
          return;
        }
      }
    });
  }

  return {
    note: (photoId, sessionId, ip) => add([photoId, sessionId, shortened(ip), clock().toISOString()]),
    async stop() {
      await write();
      // What could not be written is lost: nothing may be tried once the database is closed.
      clearTimeout(timer);
    },
  };
}

/** Who opened which photos of a stay, in the order in which they did. */
export function listOpenings(db: Access, stageId: number): Promise<PhotosOuverturesTable[]> {
  return db
    .selectFrom('photos_ouvertures')
    .innerJoin('photos', 'photos.id', 'photos_ouvertures.photo_id')
    .selectAll('photos_ouvertures')
    .where('stage_id', '=', stageId)
    .orderBy('ouverte_le')
    .orderBy('session_id')
    .orderBy('photo_id')
    .execute();
}
