import type { Generated } from 'kysely';
import type { Consent, ImportKind } from '#features/stays/shared/terms.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

/** How far an import is; a preview reads and goes no further. */
export type ImportStage = 'apercu' | 'lecture' | 'enregistrement' | 'fait';

/** An import, from its first byte; one that is done stays as the last of its kind. */
interface ImportsTable {
  id: Generated<number>;
  genre: ImportKind;
  /** Name under which a browser asks how far it is. */
  suivi: string | null;
  etape: ImportStage;
  /** Percent of the file that is read. */
  avance: Generated<number>;
  crees: Generated<number>;
  modifies: Generated<number>;
  acteur: string;
  created_at: string;
  /** Its last sign of life: one that gives none for long has died. */
  vu_le: string;
}

/** A child that an import made or changed, and what was there before. */
interface ImportsFamillesTable {
  id: Generated<number>;
  import_id: number;
  stagiaire_id: number;
  /** Of the child after the import. */
  version: number;
  /** Null: the child was made. */
  avant_nom: string | null;
  avant_prenom: string | null;
  avant_email: string | null;
  avant_email_2: string | null;
  avant_consentement_image: Consent | null;
}

/** A stay that an import made or changed. */
interface ImportsSejoursTable {
  id: Generated<number>;
  import_id: number;
  stage_id: number;
  /** Of the stay after the import. */
  version: number;
  /** Null: the stay was made. */
  avant_nom_stage: string | null;
  /** Sealed as they were. */
  avant_mdp_formateur: string | null;
  avant_mdp_stagiaire: string | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    imports: ImportsTable;
    imports_familles: ImportsFamillesTable;
    imports_sejours: ImportsSejoursTable;
  }
}
