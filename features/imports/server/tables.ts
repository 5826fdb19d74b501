import type { Generated } from 'kysely';
import type { Category, Consent, ImportKind } from '#features/stays/shared/terms.ts';
import type { TableKeys } from '#platform/server/db/tables.ts';

/** The stage of an import; `apercu` is a preview, which stores nothing. */
export type ImportStage = 'apercu' | 'lecture' | 'enregistrement' | 'fait';

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    /** An import or a preview, from its start. A finished import is kept as the last of its kind, so it can be undone. */
    imports: {
      id: Generated<number>;
      genre: ImportKind;
      /** Name made up by the browser, by which it asks for the progress. */
      suivi: string | null;
      etape: ImportStage;
      /** Progress of reading, in percent of the file. */
      avance: Generated<number>;
      crees: Generated<number>;
      modifies: Generated<number>;
      acteur: string;
      created_at: string;
      /** Time of its last update; an import without updates for long has died with its process. */
      vu_le: string;
    };
    /** A child that an import created or changed, with its former values, kept for the undo. */
    imports_familles: {
      id: Generated<number>;
      import_id: number;
      stagiaire_id: number;
      /** Version of the child after the import. */
      version: number;
      /** Former last name; null: the child was created. */
      avant_nom: string | null;
      avant_prenom: string | null;
      avant_email: string | null;
      avant_email_2: string | null;
      avant_consentement_image: Consent | null;
    };
    /** A stay that an import created or changed, with its former values, kept for the undo. */
    imports_sejours: {
      id: Generated<number>;
      import_id: number;
      stage_id: number;
      /** Version of the stay after the import. */
      version: number;
      /** Former name; null: the stay was created. */
      avant_nom_stage: string | null;
      /** Former passwords, still encrypted; null: not changed. */
      avant_mdp_formateur: string | null;
      avant_mdp_stagiaire: string | null;
    };
    /** A line of an import of directors that created or changed one, with what was there before, kept for the undo. */
    imports_directeurs: {
      id: Generated<number>;
      import_id: number;
      formateur_id: number;
      /** Version of the director after the import. */
      version: number;
      /** The stay that the line names. */
      stage_id: number | null;
      /** What the director directed there; null: nothing. */
      avant_cat: Category | null;
      /** Former last name; null: the director was created. */
      avant_nom: string | null;
      avant_prenom: string | null;
      avant_telephone: string | null;
    };
    /** What a header stood for in the last import that used it. */
    imports_titres: {
      genre: ImportKind;
      /** The header as `headerKey` returns it. */
      titre: string;
      /** Wire name of a column; blank: not read, though it names one. */
      colonne: string;
    };
    /** What a word of lists means, as a person answered; see `Asked.isKept`. */
    imports_reponses: {
      question: string;
      reponse: string;
    };
    /** A line that an import left aside. */
    imports_laissees: {
      id: Generated<number>;
      import_id: number;
      ligne: number;
      /** JSON object of its cells by column. */
      cellules: string;
      raisons: string;
    };
  }
}

/** The columns that identify a row of each. */
export const importTables = {
  imports: ['id'],
  imports_familles: ['id'],
  imports_sejours: ['id'],
  imports_directeurs: ['id'],
  imports_titres: ['genre', 'titre'],
  imports_reponses: ['question'],
  imports_laissees: ['id'],
} satisfies Partial<TableKeys>;
