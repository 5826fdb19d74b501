import { benefits } from './benefits.ts';
import { events } from './events.ts';
import { featured } from './featured.ts';
import type { ContentKind } from './kind.ts';
import { minutes } from './minutes.ts';
import { news } from './news.ts';
import { partners } from './partners.ts';

/** Every content kind, in the order of the specification. */
export const KINDS: readonly ContentKind[] = [news, featured, partners, events, benefits, minutes];

/** The name of a kind in addresses and in the journal: `actualites`, `alaune`… */
export function genreOf(kind: ContentKind): string {
  return kind.path.slice(1);
}

export function kindOfGenre(genre: string): ContentKind | undefined {
  return KINDS.find((kind) => genreOf(kind) === genre);
}
