import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    /** A present or recent trouble; see `features/dashboard/server/alertMails.ts`. */
    alertes: {
      cle: string;
      vue_le: string;
      /** When a mail last reported it; null: none has. */
      dite_le: string | null;
    };
  }
}

export const dashboardTables = {
  alertes: ['cle'],
} satisfies Partial<TableKeys>;
