import { benefits } from './benefits.ts';
import { employees } from './employees.ts';
import { events } from './events.ts';
import { featured } from './featured.ts';
import type { ContentKind, ItemKind } from './kind.ts';
import { minutes } from './minutes.ts';
import { news } from './news.ts';
import { partners } from './partners.ts';

/** Every content kind, in the order of the specification. */
export const KINDS: readonly ContentKind[] = [news, featured, partners, events, benefits, minutes];

/** With the employees, whom a feature of their own reads. */
export const ITEM_KINDS: readonly ItemKind[] = [...KINDS, employees];

/** The name of a kind in addresses and in the journal: `actualites`, `alaune`… */
export function genreOf(kind: ItemKind): string {
  return kind.path.slice(1);
}

export function kindOfGenre(genre: string): ItemKind | undefined {
  return ITEM_KINDS.find((kind) => genreOf(kind) === genre);
}
