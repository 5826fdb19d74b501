import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

/* The tables of this feature, one interface each. Columns have their wire names; instants are ISO text in UTC. */

interface AdminsTable {
  id: Generated<number>;
  username: string;
  /** The name folded to one case, unique. */
  cle: string;
  mot_de_passe: string;
  created_at: string;
  vu_le: string | null;
  /** Where they are told of sign-ins on new devices; blank: nowhere of their own. */
  email: Generated<string>;
  /** What they are let into: names of `RIGHTS`, separated by `;`. */
  droits: Generated<string>;
  /** 1: the password is the one that the first start made up and printed; else 0. */
  provisoire: Generated<number>;
}

/** The second factor of an admin: a row from when its secret is shown; a code is asked for once `actif_le` is set. */
interface SecondsFacteursTable {
  admin_id: number;
  /** Shared secret, sealed. */
  secret: string;
  /** Since when a code is asked for; null until a first code confirmed the secret. */
  actif_le: string | null;
  /** The last step whose code was accepted: no code of this step or an older one is accepted again. */
  pas: Generated<number>;
}

/** An unused recovery code. */
interface CodesSecoursTable {
  admin_id: number;
  /** Keyed hash of the code. */
  empreinte: string;
}

/** A device from which an admin has signed in. */
interface AppareilsTable {
  admin_id: number;
  /** SHA-256 of the value of its cookie, in hexadecimal. */
  empreinte: string;
  /** The last sign-in from it. */
  vu_le: string;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    admins: AdminsTable;
    seconds_facteurs: SecondsFacteursTable;
    codes_secours: CodesSecoursTable;
    appareils: AppareilsTable;
  }
}

/** The columns that identify a row of each. */
export const accountTables = {
  admins: ['id'],
  seconds_facteurs: ['admin_id'],
  codes_secours: ['admin_id', 'empreinte'],
  appareils: ['admin_id', 'empreinte'],
} satisfies Partial<TableKeys>;
