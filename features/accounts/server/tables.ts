import type { Generated } from 'kysely';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

interface AdminsTable {
  id: Generated<number>;
  username: string;
  /** The name folded to one case, unique. */
  cle: string;
  mot_de_passe: string;
  created_at: string;
  vu_le: string | null;
}

/** The second factor of an admin: there from when its secret is shown, asked for once `actif_le` is set. */
interface SecondsFacteursTable {
  admin_id: number;
  /** Sealed. */
  secret: string;
  /** Since when it is asked for; null until a first code has come. */
  actif_le: string | null;
  /** The last step of which a code was taken: no code of it, or of an older one, is taken again. */
  pas: Generated<number>;
}

/** A recovery code that was not used yet. */
interface CodesSecoursTable {
  admin_id: number;
  /** Keyed hash. */
  empreinte: string;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    admins: AdminsTable;
    seconds_facteurs: SecondsFacteursTable;
    codes_secours: CodesSecoursTable;
  }
}
