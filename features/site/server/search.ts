import type { HandlersOf } from '#platform/server/http/serve.ts';
import { askedWords } from '#platform/shared/fold.ts';
import type { FoundThings, searchCalls } from '../calls.ts';

/* The search of visitors, in what all features show them. What they look for is written down nowhere. */

export interface PublicSource {
  genre: string;
  /** What has all of these words, folded, and may be shown to anyone now. */
  find(words: readonly string[]): Promise<FoundThings>;
}

/** `sources`: in the order in which their kinds are shown. */
export function searchHandlers(sources: readonly PublicSource[]): HandlersOf<typeof searchCalls> {
  return {
    'GET /recherche-site': async ({ query }) => {
      const words = askedWords(query.q);
      if (words.length === 0) return [];
      const groups = await Promise.all(
        sources.map(async ({ genre, find }) => ({ genre, ...(await find(words)) })),
      );
      return groups.filter(({ nombre }) => nombre > 0);
    },
  };
}
