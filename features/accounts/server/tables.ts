import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    admins: {
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
      /**
       * By when they need a second factor: from then on they are let into nothing but their own account. Null: they have one,
       * or none is asked for.
       */
      facteur_avant: string | null;
      /** 1: the password is the one that the first start made up and printed; else 0. */
      provisoire: Generated<number>;
      /** Of the link by which somebody invited chooses a password, and until when it opens; null: nobody is awaited. */
      lien: string | null;
      jeton: string | null;
      invite_jusqua: string | null;
    };
    /** The second factor of an admin: a row from when its secret is shown; a code is asked for once `actif_le` is set. */
    seconds_facteurs: {
      admin_id: number;
      /** Shared secret, sealed. */
      secret: string;
      /** Since when a code is asked for; null until a first code confirmed the secret. */
      actif_le: string | null;
      /** The last step whose code was accepted: no code of this step or an older one is accepted again. */
      pas: Generated<number>;
    };
    /** An unused recovery code, of an account with an application or passkeys. */
    codes_secours: {
      admin_id: number;
      /** Keyed hash of the code. */
      empreinte: string;
    };
    cles_acces: {
      id: Generated<number>;
      admin_id: number;
      /** Credential id, base64url, unique. */
      identifiant: string;
      /** COSE key, base64url. */
      cle_publique: string;
      /** Signature counter of the last use; most passkeys have none and stay at 0. */
      compteur: number;
      nom: string;
      created_at: string;
      vu_le: string | null;
      /** When the challenge of its last use was made; only the version before reads it, which keeps no used challenges. */
      defi_le: string;
    };
    appareils: {
      admin_id: number;
      /** SHA-256 of the value of its cookie, in hexadecimal. */
      empreinte: string;
      vu_le: string;
      /** `Firefox sur Windows`; blank: unknown. */
      appareil: Generated<string>;
      /** Shortened address of that sign-in; blank: unknown. */
      reseau: Generated<string>;
    };
    /** A challenge that a passkey has signed, so that it is not used again. */
    defis: {
      /** SHA-256 of the challenge, in hexadecimal. */
      empreinte: string;
      expire_le: string;
    };
  }
}

export const accountTables = {
  admins: ['id'],
  seconds_facteurs: ['admin_id'],
  codes_secours: ['admin_id', 'empreinte'],
  cles_acces: ['id'],
  appareils: ['admin_id', 'empreinte'],
  defis: ['empreinte'],
} satisfies Partial<TableKeys>;
