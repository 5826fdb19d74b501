/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

/** A trouble that is there, or was until lately; see `features/dashboard/server/alertMails.ts`. */
export interface AlertesTable {
  /** Of the watch that sees it. */
  cle: string;
  /** When it was last seen. */
  vue_le: string;
  /** When a mail last told of it; null: none has. */
  dite_le: string | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    alertes: AlertesTable;
  }
}
