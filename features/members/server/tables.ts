import type { Generated } from 'kysely';
import type { Illustrated, Searched } from '#features/content/server/tables.ts';
import type { TableKeys } from '#platform/server/db/tables.ts';

export interface EmployesTable extends Illustrated, Searched {
  id: Generated<number>;
  nom: string;
  prenom: string;
  poste: string;
  role: string;
  /** Id of the direct manager; never one who is in the bin. */
  manager_id: number | null;
  /** For a person in the bin: ids of the team that moved up at the deletion, `12;15`. */
  equipe: Generated<string>;
  email: string;
  telephone: string;
  photo: string | null;
  /** 1: shown to visitors. */
  email_public: number;
  telephone_public: number;
  photo_public: number;
  /** Square crop: of the part of the photo that it leaves out, the percentage to its left and above it. */
  cadrage_x: number;
  cadrage_y: number;
  created_at: string;
  modifie_le: string;
  supprime_le: string | null;
  version: number;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    employes: EmployesTable;
  }
}

export const memberTables = {
  employes: ['id'],
} satisfies Partial<TableKeys>;
