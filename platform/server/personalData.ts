import { type RawBuilder, sql } from 'kysely';
import type { Actor } from './actor.ts';
import type { Access } from './db/open.ts';
import { addressKey } from './mail/transport.ts';

/** What is said and done of one place where the site knows people by their e-mail address. */

/** A place whose addresses stay, as they are the organisation’s own. */
export interface KeptPlace {
  genre: string;
  /** What stands here of an address, by its key, under the names of the wire. */
  list(db: Access, key: string): Promise<object[]>;
  /** The same with what takes long to read, for an export; absent where the list is all of it. */
  listWhole?(db: Access, key: string): Promise<object[]>;
  /** How many there are, and what becomes of them; true before an erasure and after it. */
  text(count: number): string;
}

export interface Place extends KeptPlace {
  /** The keys of all addresses that stand here; one may come several times. */
  listKeys(db: Access): Promise<string[]>;
  erase(erasing: Erasing): Promise<unknown>;
}

export interface Erasing {
  transaction: Access;
  /** Of the address; see `addressKey`. */
  key: string;
  actor: Actor;
  now: Date;
  /** Keys of files, to erase after the commit. */
  files: string[];
}

/** Is this column the address of `key`. */
export function holds(column: string, key: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = ${key}`;
}

/** The keys of the addresses in rows of nothing else. */
export function keysIn(rows: readonly object[]): string[] {
  return rows.flatMap((row) => Object.values(row).map((address) => addressKey(address ?? '')));
}

/** The other address of a family is somebody else’s: whoever asks for theirs is not told it. */
export function withoutOthers<Row extends object>(row: Row, key: string): Row {
  const shown = Object.entries(row).map(([name, value]) => {
    const isOther = /email/.test(name) && value && addressKey(value) !== key;
    return [name, isOther ? '(une autre adresse)' : value];
  });
  return Object.fromEntries(shown) as Row;
}
