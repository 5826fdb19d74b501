import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

export interface ExemplesTable {
  id: Generated<number>;
  /** Names the item in the example, whatever its row. */
  cle: string;
  /** Table and id of its row; no id until it is there. The row may have been erased from the bin since. */
  objet: string;
  objet_id: number | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    exemples: ExemplesTable;
  }
}

export const exampleTables = {
  exemples: ['id'],
} satisfies Partial<TableKeys>;
