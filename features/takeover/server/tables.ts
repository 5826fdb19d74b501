import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

export interface ReprisesTable {
  id: Generated<number>;
  /** Host of the site that it comes from. */
  origine: string;
  /** Name of its calls there, and its id among them, or its name. */
  genre: string;
  numero: string;
  /** Table and id of its row here. The row may have been erased since. */
  objet: string;
  objet_id: number;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    reprises: ReprisesTable;
  }
}

/** The columns that identify a row of each. */
export const takeoverTables = {
  reprises: ['id'],
} satisfies Partial<TableKeys>;
