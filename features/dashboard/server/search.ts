import { journal } from '#features/audit/server/journal.ts';
import type { dashboardCalls } from '#features/dashboard/calls.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { bestRows, type SearchSource } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { askedWords } from '#platform/shared/fold.ts';

/* The search of the portal, in what all features bring. */

/** `sources`: in the order in which kinds that match equally well are shown. */
export function searchHandlers(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  sources: readonly SearchSource[],
): Pick<HandlersOf<typeof dashboardCalls>, 'GET /recherche'> {
  /**
   * Sessions and kinds of people already recorded: each key typed is a search, and a line for each would drown the
   * journal. Another process, or a restart, records them again.
   */
  const recorded = new Set<string>();
  return {
    'GET /recherche': async ({ query, ...context }) => {
      const words = askedWords(query.q);
      if (words.length === 0) return [];
      const groups = await Promise.all(
        sources.map(async ({ genre, people, list }) => ({
          people,
          rows: bestRows(await list(words), words).map(({ also: _also, ...row }) => ({
            dans_la_corbeille: false,
            ...row,
            genre,
          })),
        })),
      );
      const found = groups.filter(({ rows }) => rows.length > 0);
      const looked = found.flatMap(({ people }) => people ?? []);
      const keyOf = (table: string) => `${context.session?.id} ${table}`;
      const unrecorded = [...new Set(looked)].filter((table) => !recorded.has(keyOf(table)));
      if (unrecorded.length > 0) {
        // At once, as the next key may be searched while the lines are written.
        for (const table of unrecorded) recorded.add(keyOf(table));
        try {
          await database.write(async (transaction) => {
            for (const table of unrecorded)
              await journal(transaction, context, clock(), 'recherche', { table });
          });
        } catch (error) {
          for (const table of unrecorded) recorded.delete(keyOf(table));
          throw error;
        }
      }
      // People before things that match as well: those are looked for most.
      const rank = ({ rows, people }: (typeof found)[number]) => (rows[0]?.rank ?? 0) + (people ? 0 : 0.5);
      found.sort((a, b) => rank(a) - rank(b));
      return found.flatMap(({ rows }) => rows.map(({ rank: _rank, ...row }) => row));
    },
  };
}
