import type { CallKey } from '../../../shared/api.ts';
import { BIN_DAYS, type ContentKind } from '../../../shared/content/kind.ts';
import { genreOf, KINDS, kindOfGenre } from '../../../shared/content/kinds.ts';
import type { Access } from '../../db/open.ts';
import { eraseStruckOff, strikeOff } from '../../files.ts';
import { conflict, notFound } from '../../http/errors.ts';
import type { Handlers } from '../../http/serve.ts';
import { type Actor, journal, SITE } from '../../journal.ts';
import type { Services } from '../../services.ts';
import { deleteRow, findRowToChange, listDeleted, updateRow } from './store.ts';

/** The bin that the content kinds share. */

const BIN_MS = BIN_DAYS * 24 * 3_600_000;

type BinKeys = Extract<CallKey, `${string} /corbeille${string}`>;

export function binHandlers(services: Services): Pick<Handlers, BinKeys> {
  const { database, clock } = services;
  return {
    'GET /corbeille': async () => {
      const lists = await Promise.all(
        KINDS.map(async (kind) =>
          (await listDeleted(database.db, kind)).map((row) => ({
            genre: genreOf(kind),
            id: row.id,
            titre: String(row[kind.titledBy]),
            supprime_le: String(row.supprime_le),
            efface_le: new Date(Date.parse(String(row.supprime_le)) + BIN_MS).toISOString(),
          })),
        ),
      );
      return lists.flat().sort((a, b) => b.supprime_le.localeCompare(a.supprime_le) || b.id - a.id);
    },
    'POST /corbeille/:genre/:id/restaurer': async ({ params, ...context }) => {
      const kind = kindOfGenre(params.genre);
      if (!kind) throw notFound();
      await database.write(async (transaction) => {
        const now = clock();
        const row = await findRowToChange(database, transaction, kind, params.id);
        if (!row) throw notFound(kind.texts.notFound);
        if (row.supprime_le === null) throw conflict('Cet élément n’est pas dans la corbeille.');
        await updateRow(transaction, kind, row.id, { supprime_le: null }, now);
        await journal(transaction, context, now, 'restauration', { table: kind.table, id: row.id });
      });
      services.kept.drop(genreOf(kind));
      return { message: kind.texts.restored };
    },
  };
}

/** Erases for good what has been in the bin for its time: the row first, then its files. */
export async function emptyBin(services: Services): Promise<void> {
  const { database, clock } = services;
  const before = new Date(clock().getTime() - BIN_MS);
  for (const kind of KINDS) {
    for (const { id } of await listDeleted(database.db, kind, before)) {
      const keys = await database.write(async (transaction) => {
        const row = await findRowToChange(database, transaction, kind, id);
        // Restored since it was listed.
        if (!row?.supprime_le || row.supprime_le >= before.toISOString()) return [];
        return erase(transaction, kind, id, SITE, clock());
      });
      await eraseStruckOff(services, keys);
    }
  }
}

/**
 * Takes an item out that nobody need keep: for good, past the bin. One that somebody changed goes to the bin
 * instead, and what is there already stays. No item of that id: only what goes `alongside` is done.
 */
export async function takeOutContent(
  services: Services,
  kind: ContentKind,
  id: number,
  actor: Actor,
  alongside: (transaction: Access) => Promise<void>,
): Promise<void> {
  const { database, clock } = services;
  const keys = await database.write(async (transaction) => {
    const now = clock();
    await alongside(transaction);
    const row = await findRowToChange(database, transaction, kind, id);
    if (!row) return [];
    // The way to the bin counts as a change as well.
    const isUntouched = row.version === (row.supprime_le === null ? 1 : 2);
    if (isUntouched) return erase(transaction, kind, id, actor, now);
    if (row.supprime_le === null) await moveToBin(transaction, kind, id, actor, now);
    return [];
  });
  services.kept.drop(genreOf(kind));
  await eraseStruckOff(services, keys);
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

/** The keys returned are of files to erase after the commit. */
async function erase(
  transaction: Access,
  kind: ContentKind,
  id: number,
  actor: Actor,
  now: Date,
): Promise<string[]> {
  const keys = await strikeOff(transaction, { table: kind.table, id });
  await deleteRow(transaction, kind, id);
  await journal(transaction, actor, now, 'effacement', { table: kind.table, id });
  return keys;
}
