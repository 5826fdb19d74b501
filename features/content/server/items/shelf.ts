import { journal } from '#features/audit/server/journal.ts';
import { type ItemKind, titleOf } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import { type Actor, SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { eraseStruckOff, strikeOff } from '#platform/server/files/register.ts';
import { conflict, notFound } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';

/** One kind's part of the bin, given by its feature. */
export interface Shelf {
  kind: ItemKind;
  /** What was deleted, in no order. */
  list(): Promise<{ id: number; titre: string; supprime_le: string }[]>;
  /** Puts an item back; throws 404 when there is none, 409 when it is not deleted. */
  restore(id: number, actor: Actor): Promise<void>;
  /** Erases for good, with their files, what was deleted before this instant. */
  eraseBefore(before: Date): Promise<void>;
}

/** What a kind's feature does in its own way. */
interface OwnWays<Row> {
  /** The row, held until the end of the transaction. */
  findToChange(transaction: Access, id: number): Promise<Row | undefined>;
  putBack(transaction: Access, row: Row, now: Date): Promise<unknown>;
}

export function shelfOf<Row extends { supprime_le: string | null }>(
  services: Services,
  kind: ItemKind,
  { findToChange, putBack }: OwnWays<Row>,
): Shelf {
  const { database, clock, kept } = services;
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
      await kept.drop(genreOf(kind));
    },
    eraseBefore: async (before) => {
      for (const { id } of await listDeleted(database.db, kind, before)) {
        const keys = await database.write(async (transaction) => {
          const row = await findToChange(transaction, id);
          // Restored since it was listed.
          if (!row?.supprime_le || row.supprime_le >= before.toISOString()) return [];
          return erase(transaction, kind, id, SITE, clock());
        });
        await eraseStruckOff(services, keys);
      }
    },
  };
}

/** Kysely checks columns against one table; what is needed of them here is the same in all. */
const tableOf = (kind: ItemKind) => kind.table as 'actualites';

/** What is in the bin, or went there before an instant. */
function listDeleted(db: Access, kind: ItemKind, before?: Date) {
  return db
    .selectFrom(tableOf(kind))
    .selectAll()
    .where('supprime_le', 'is not', null)
    .$if(before !== undefined, (query) => query.where('supprime_le', '<', (before as Date).toISOString()))
    .execute();
}

/** Erases a row for good. The keys returned are of its files, to erase after the commit. */
export async function erase(
  transaction: Access,
  kind: ItemKind,
  id: number,
  actor: Actor,
  now: Date,
): Promise<string[]> {
  const keys = await strikeOff(transaction, { table: kind.table, id });
  await transaction.deleteFrom(tableOf(kind)).where('id', '=', id).execute();
  await journal(transaction, actor, now, 'effacement', { table: kind.table, id });
  return keys;
}
