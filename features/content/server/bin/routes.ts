import type { Shelf } from '#features/content/server/items/shelf.ts';
import { BIN_DAYS } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import { notFound } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/** The bin, whose shelves the features give. */

const BIN_MS = BIN_DAYS * DAY_MS;

type BinKeys = Extract<CallKey, `${string} /corbeille${string}`>;

export function binHandlers(shelves: readonly Shelf[]): Pick<Handlers, BinKeys> {
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

/** Scheduled: erases for good what has been in the bin for its time. */
export async function emptyBin({ clock }: Services, shelves: readonly Shelf[]): Promise<void> {
  const before = new Date(clock().getTime() - BIN_MS);
  for (const shelf of shelves) await shelf.eraseBefore(before);
}
