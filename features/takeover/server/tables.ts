import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    reprises: {
      id: Generated<number>;
      /** Host of the site that it comes from. */
      origine: string;
      /** Name of its calls there, and its id among them, or its name. */
      genre: string;
      numero: string;
      /** Table and id of its row here. The row may have been erased since. */
      objet: string;
      objet_id: number;
    };
  }
}

/** The columns that identify a row of each. */
export const takeoverTables = {
  reprises: ['id'],
} satisfies Partial<TableKeys>;
