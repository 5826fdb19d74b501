import { journal } from '#features/audit/server/journal.ts';
import { type Actor, SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, notFound } from '#platform/server/errors.ts';
import { condemnFiles, tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { binCalls } from '../calls.ts';
import { type ContentKind, genreOf, type ItemKind, KINDS, titleOf } from '../shared/kinds.ts';
import { BIN_DAYS } from '../shared/limits.ts';
import { deleteRow, findRowToChange, listDeleted, updateRow } from './store.ts';

/* The bin: its calls, and the parts (shelves) that features give it. */

const BIN_MS = BIN_DAYS * DAY_MS;

export function binHandlers(shelves: readonly Shelf[]): HandlersOf<typeof binCalls> {
  return {
    'GET /corbeille': async () => {
      const lists = await Promise.all(
        shelves.map(async ({ kind, list }) =>
          (await list()).map((item) => ({
            genre: genreOf(kind),
            ...item,
            efface_le: new Date(Date.parse(item.supprime_le) + BIN_MS).toISOString(),
          })),
        ),
      );
      return lists.flat().sort((a, b) => b.supprime_le.localeCompare(a.supprime_le) || b.id - a.id);
    },
    'POST /corbeille/:genre/:id/restaurer': async ({ params, ...context }) => {
      const shelf = shelves.find(({ kind }) => genreOf(kind) === params.genre);
      if (!shelf) throw notFound();
      await shelf.restore(params.id, context);
      return { message: shelf.kind.texts.restored };
    },
  };
}

/** Scheduled: erases for good the items that have been in the bin for `BIN_DAYS`. */
export async function emptyBin({ clock }: Services, shelves: readonly Shelf[]): Promise<void> {
  const before = new Date(clock().getTime() - BIN_MS);
  for (const shelf of shelves) await shelf.eraseBefore(before);
}

/** One kind's part of the bin, given by its feature. */
export interface Shelf {
  kind: ItemKind;
  list(): Promise<{ id: number; titre: string; supprime_le: string }[]>;
  /** Puts an item back; throws 404 when there is none, 409 when it is not deleted. */
  restore(id: number, actor: Actor): Promise<void>;
  /** Erases for good, with their files, the items deleted before this instant. */
  eraseBefore(before: Date): Promise<void>;
}

interface OwnWays<Row> {
  /** Finds the row and locks it until the end of the transaction. */
  findToChange(transaction: Access, id: number): Promise<Row | undefined>;
  putBack(transaction: Access, row: Row, now: Date): Promise<unknown>;
}

export function shelfOf<Row extends { supprime_le: string | null }>(
  services: Services,
  kind: ItemKind,
  { findToChange, putBack }: OwnWays<Row>,
): Shelf {
  const { database, clock, cache } = services;
  return {
    kind,
    list: async () =>
      (await listDeleted(database.db, kind)).map((row) => ({
        id: row.id,
        titre: titleOf(kind, row),
        supprime_le: String(row.supprime_le),
      })),
    restore: async (id, actor) => {
      await database.write(async (transaction) => {
        const now = clock();
        const row = await findToChange(transaction, id);
        if (!row) throw notFound(kind.texts.notFound);
        if (row.supprime_le === null) throw conflict('Cet élément n’est pas dans la corbeille.');
        await putBack(transaction, row, now);
        await journal(transaction, actor, now, 'restauration', { table: kind.table, id });
      });
      await cache.drop(genreOf(kind));
    },
    eraseBefore: async (before) => {
      const at = before.toISOString();
      const due = (await listDeleted(database.db, kind)).filter(
        ({ supprime_le }) => String(supprime_le) < at,
      );
      for (const { id } of due) {
        await database.write(async (transaction) => {
          const row = await findToChange(transaction, id);
          // Restored since it was listed, or deleted again.
          if (!row?.supprime_le || row.supprime_le >= at) return;
          await erase(transaction, kind, id, SITE, clock());
        });
      }
      await tryEraseCondemned(services);
    },
  };
}

/** Erases a row for good. Call `tryEraseCondemned` after the commit. */
export async function erase(
  transaction: Access,
  kind: ItemKind,
  id: number,
  actor: Actor,
  now: Date,
): Promise<void> {
  await condemnFiles(transaction, { table: kind.table, ids: [id] });
  await deleteRow(transaction, kind, id);
  await journal(transaction, actor, now, 'effacement', { table: kind.table, id });
}

export function contentShelves(services: Services): Shelf[] {
  return KINDS.map((kind) =>
    shelfOf(services, kind, {
      findToChange: (transaction, id) => findRowToChange(services.database, transaction, kind, id),
      putBack: (transaction, row, now) => updateRow(transaction, kind, row.id, { supprime_le: null }, now),
    }),
  );
}

export async function moveToBin(
  transaction: Access,
  kind: ContentKind,
  id: number,
  actor: Actor,
  now: Date,
): Promise<void> {
  await updateRow(transaction, kind, id, { supprime_le: now.toISOString() }, now);
  await journal(transaction, actor, now, 'mise à la corbeille', { table: kind.table, id });
}
