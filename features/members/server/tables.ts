import type { Generated } from 'kysely';
import type { Illustrated } from '#features/content/server/tables.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

export interface EmployesTable extends Illustrated {
  id: Generated<number>;
  nom: string;
  prenom: string;
  poste: string;
  role: string;
  /** The employee above; never one who is in the bin. */
  manager_id: number | null;
  /** In the bin: ids of those who moved up when this one went there, `12;15`. */
  equipe: Generated<string>;
  email: string;
  telephone: string;
  photo: string | null;
  /** 1: shown to visitors. */
  email_public: number;
  telephone_public: number;
  photo_public: number;
  /** Percents of what a square leaves out of the photo that lie to its left and above it. */
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
