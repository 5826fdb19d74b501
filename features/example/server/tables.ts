import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    exemples: {
      id: Generated<number>;
      /** Names the item in the example, whatever its row. */
      cle: string;
      /** Table and id of its row; no id until it is there. The row may have been erased from the bin since. */
      objet: string;
      objet_id: number | null;
    };
  }
}

export const exampleTables = {
  exemples: ['id'],
} satisfies Partial<TableKeys>;
