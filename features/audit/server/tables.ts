import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

/* The tables of this feature, one interface each. Columns have their wire names; instants are ISO text in UTC. */

export interface JournalTable {
  id: Generated<number>;
  instant: string;
  acteur: string;
  action: string;
  objet: string | null;
  objet_id: number | null;
  ip: string | null;
  /** Its link: keyed hash of the line and of the chain hash after the line before it. */
  chaine: string;
}

/** A single row: where the chain of the journal begins and where it goes on. */
interface JournalTeteTable {
  id: number;
  /** Fingerprint of the key that the chain is made with. */
  cle: string;
  /** Chain hash after the last line erased; the first line's link is computed from it. */
  ancre: string;
  /** Chain hash after the last line, for the link of the next one. This row is also the lock that orders lines. */
  suite: string;
}

/** Erasures done on this database; those that only the file of erasures holds have to be done again. */
interface EffacementsTable {
  cle: string;
  genre: string;
  instant: string;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    journal: JournalTable;
    journal_tete: JournalTeteTable;
    effacements: EffacementsTable;
  }
}

export const auditTables = {
  journal: ['id'],
  journal_tete: ['id'],
  effacements: ['cle'],
} satisfies Partial<TableKeys>;
