import type { Access } from '#platform/server/db/open.ts';

/* Words for what lines of the journal are about: lines hold a table and an id, which tell staff nothing. */

/** A table that lines are about. */
export interface NamedTable {
  table: string;
  /** « Enfant ». */
  label: string;
  gone: 'effacé' | 'effacée';
  /**
   * Words for the rows that are still there, by id. They are looked up when the journal is read and never stored with
   * it, so that a name goes with its row.
   */
  names(db: Access, ids: readonly number[]): Promise<Map<number, string>>;
}

interface About {
  objet: string | null;
  objet_id: number | null;
}

/** Words for what each of these lines is about, in their order; null where that is nothing. */
export async function namesOf(
  db: Access,
  tables: readonly NamedTable[],
  lines: readonly About[],
): Promise<(string | null)[]> {
  const known = new Map<string, Map<number, string>>();
  for (const { table, names } of tables) {
    const ids = lines.flatMap(({ objet, objet_id }) => (objet === table ? (objet_id ?? []) : []));
    if (ids.length > 0) known.set(table, await names(db, [...new Set(ids)]));
  }
  return lines.map(({ objet, objet_id }) => {
    const named = tables.find(({ table }) => table === objet);
    if (objet === null || objet_id === null) return named?.label ?? objet;
    if (!named) return `${objet} n°\u00a0${objet_id}`;
    return known.get(objet)?.get(objet_id) ?? `${named.label} n°\u00a0${objet_id} (${named.gone})`;
  });
}
