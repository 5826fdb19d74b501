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
    };
  }
}

export const mailTables = {
  destinataires: ['type', 'stage_id', 'adresse'],
} satisfies Partial<TableKeys>;
