import type { Generated } from 'kysely';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

export interface JournalTable {
  id: Generated<number>;
  instant: string;
  acteur: string;
  action: string;
  objet: string | null;
  objet_id: number | null;
  ip: string | null;
  /** Its link: keyed hash of the line and of what was left by the one before it. */
  chaine: string;
}

/** One row: where the chain of the journal begins and goes on. */
interface JournalTeteTable {
  id: number;
  /** Names the key that the chain is made with. */
  cle: string;
  /** What the last line that was erased left; the first one hangs on it. */
  ancre: string;
  /** What the last line left; the next one will hang on it. Also the lock that gives lines one order. */
  suite: string;
}

/** Erasures that this database knows of; those of the file beside the database that it does not, it has to do again. */
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
