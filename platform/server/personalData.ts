import type { Actor } from './actor.ts';
import type { Access } from './db/database.ts';
import { addressKey } from './mail/transport.ts';

/** Places where the site knows people by their e-mail address, and how an export lists and an erasure erases them. */

/** A place whose addresses are never erased, as they are the organisation’s own. */
export interface KeptPlace {
  genre: string;
  /** Lists what this place holds about an address, given its key, under the wire names. */
  list(db: Access, key: string): Promise<object[]>;
  /** Like `list`, with what takes long to read, for an export; absent where `list` is complete. */
  listWhole?(db: Access, key: string): Promise<object[]>;
  /** French sentence with their number and what becomes of them; true before an erasure and after it. */
  text(count: number): string;
}

export interface Place extends KeptPlace {
  /** Lists the keys of all addresses held here; one may come several times. */
  listKeys(db: Access): Promise<string[]>;
  erase(erasing: Erasing): Promise<unknown>;
}

export interface Erasing {
  transaction: Access;
  key: string;
  actor: Actor;
  now: Date;
}

/** The keys of the addresses in rows that hold nothing else. */
export function keysIn(rows: readonly object[]): string[] {
  return rows.flatMap((row) => Object.values(row).map((address) => addressKey(address ?? '')));
}

/** Hides other addresses in a row: the other address of a family is somebody else’s, and is not disclosed. */
export function withoutOthers<Row extends object>(row: Row, key: string): Row {
  const shown = Object.entries(row).map(([name, value]) => {
    const isOther = /email/.test(name) && value && addressKey(value) !== key;
    return [name, isOther ? '(une autre adresse)' : value];
  });
  return Object.fromEntries(shown) as Row;
}
