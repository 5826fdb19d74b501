import type { TableKeys } from '#platform/server/db/tables.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

/** A present or recent trouble; see `features/dashboard/server/alertMails.ts`. */
export interface AlertesTable {
  cle: string;
  vue_le: string;
  /** When a mail last reported it; null: none has. */
  dite_le: string | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    alertes: AlertesTable;
  }
}

export const dashboardTables = {
  alertes: ['cle'],
} satisfies Partial<TableKeys>;
