import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    /** What is handed to who asked to be forgotten; the address is not in it. */
    preuves_effacement: {
      id: Generated<number>;
      /** Keyed hash of the address, as in the file of erasures. */
      empreinte: string;
      instant: string;
      /** What it says, as it was said then: `Proof` as JSON, without its id. */
      contenu: string;
    };
  }
}

export const privacyTables = { preuves_effacement: ['id'] } satisfies Partial<TableKeys>;
