import type { Generated } from 'kysely';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

interface ReglagesTable {
  cle: string;
  valeur: string;
  modifie_le: string;
}

export interface PagesVuesTable {
  /** `2026-06-20` on the clocks of the site; blank: all days together. */
  jour: string;
  page: string;
  nombre: number;
}

export interface MessagesContactTable {
  id: Generated<number>;
  nom: string;
  email: string;
  message: string;
  created_at: string;
  /** When somebody of the staff said that it is read; null: it waits. */
  lu_le: string | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    reglages: ReglagesTable;
    pages_vues: PagesVuesTable;
    messages_contact: MessagesContactTable;
  }
}
