import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    journal: {
      id: Generated<number>;
      instant: string;
      acteur: string;
      action: string;
      objet: string | null;
      objet_id: number | null;
      ip: string | null;
      /** Its link: keyed hash of the line and of the chain hash after the line before it. */
      chaine: string;
    };
    /** A single row: where the chain of the journal begins and where it goes on. */
    journal_tete: {
      id: number;
      /** Fingerprint of the key that the chain is made with. */
      cle: string;
      /** Chain hash after the last line erased; the first line's link is computed from it. */
      ancre: string;
      /** Chain hash after the last line, for the link of the next one. This row is also the lock that orders lines. */
      suite: string;
    };
    /** Erasures done on this database; those that only the file of erasures holds have to be done again. */
    effacements: {
      cle: string;
      genre: string;
      instant: string;
    };
  }
}

export const auditTables = {
  journal: ['id'],
  journal_tete: ['id'],
  effacements: ['cle'],
} satisfies Partial<TableKeys>;
