import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

/* The tables of this feature, one interface each. Columns have their wire names; instants are ISO text in UTC. */

interface ReglagesTable {
  cle: string;
  valeur: string;
  modifie_le: string;
}

export interface PagesVuesTable {
  /** `2026-06-20` in the site's time zone; blank: all days together. */
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
  /** When staff marked it as read; null: unread. */
  lu_le: string | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    reglages: ReglagesTable;
    pages_vues: PagesVuesTable;
    messages_contact: MessagesContactTable;
  }
}

export const siteTables = {
  reglages: ['cle'],
  pages_vues: ['jour', 'page'],
  messages_contact: ['id'],
} satisfies Partial<TableKeys>;
