import type { Access } from '#platform/server/db/open.ts';
import type { OwnFile } from '#platform/server/http/forms.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/** One item of the example: what staff would have typed and chosen for it. */

export interface ExampleItem {
  /** Stable, as it is what is remembered of an item that is in place: `actualites/teletravail`. */
  cle: string;
  /** Table of its row, by which its door is known. */
  table: string;
  /** The `cle` of what has to be in place before: the person above, the stays that somebody directs. */
  after?: readonly string[];
  /** The form's texts, their dates counted from `now`. */
  texts(now: Date, places: Places): Record<string, string | string[]>;
  /** Its files by field. */
  files(): Promise<Record<string, OwnFile[]>>;
  /** Writes what comes with it and has no form of its own, in its transaction. */
  alongside?(transaction: Access, id: number, now: Date, places: Places): Promise<void>;
}

/** Ids by `cle` of what is in place; that which the site does without is not among them. */
export type Places = ReadonlyMap<string, number>;

export function picked<T extends object>(
  item: T,
  names: readonly (keyof T & string)[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(item[name])]));
}

export function ago(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

export function dayIn(now: Date, days: number): string {
  return ago(now, -days).slice(0, 10);
}
