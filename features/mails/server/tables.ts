import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';
import type { PasswordType } from '#platform/shared/roles.ts';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    /** An address that may be sent the codes of a stay; see `knownAddressesStore.ts`. */
    destinataires: {
      type: PasswordType;
      stage_id: number;
      /** In lower case. */
      adresse: string;
      /** When it was added, by somebody who had not just proved who they are; blank: it is known. */
      depuis: string;
      /** Random, of its link; null: none was made. See `linksStore.ts`. */
      lien: Generated<string | null>;
      /** SHA-256 of what opens the link, in hexadecimal. */
      jeton: Generated<string | null>;
      /** When the link was first opened. */
      ouvert_le: Generated<string | null>;
      /** When staff cut it; null: it opens. */
      coupe_le: Generated<string | null>;
      /** Up to when it has been told what is new in the stay: photos published later are new. Null: it has no link. */
      soir_le: Generated<string | null>;
      /** From when its last evening mail counts; null: there was none. */
      soir_depuis: Generated<string | null>;
      /** When it asked for no more evening mails, about any of its stays; null: it gets them. */
      soir_arret: Generated<string | null>;
    };
  }
}

export const mailTables = {
  destinataires: ['type', 'stage_id', 'adresse'],
} satisfies Partial<TableKeys>;
