import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    reglages: {
      cle: string;
      valeur: string;
      modifie_le: string;
    };
    pages_vues: {
      /** `2026-06-20` in the site's time zone; blank: all days together. */
      jour: string;
      page: string;
      nombre: number;
    };
    messages_contact: {
      id: Generated<number>;
      nom: string;
      email: string;
      message: string;
      created_at: string;
      /** When staff marked it as read; null: unread. */
      lu_le: string | null;
    };
  }
}

export const siteTables = {
  reglages: ['cle'],
  pages_vues: ['jour', 'page'],
  messages_contact: ['id'],
} satisfies Partial<TableKeys>;
