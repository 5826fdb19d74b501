import type { Generated } from 'kysely';
import type { Category, Consent, ReviewSection } from '#features/stays/shared/terms.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

export interface StagesTable {
  id: Generated<number>;
  nom_stage: string;
  /** `stayKey` of its name and dates, unique. */
  cle: string;
  date_debut: string;
  date_fin: string;
  /** Sealed; see `features/stays/server/staysStore.ts`. */
  mdp_formateur: string;
  mdp_stagiaire: string;
  adresse: Generated<string>;
  horaires: Generated<string>;
  telephone_urgence: Generated<string>;
  consignes: Generated<string>;
  /** Days that its photos stay; null: as the settings say. */
  conservation_jours: number | null;
  /** Since when its people are erased and its passwords blank, its photos being over. */
  efface_le: Generated<string | null>;
  /** Since when its photos were seen to be over; they are erased a day later. */
  fini_le: Generated<string | null>;
  /** The last day of its photos that its families were told of, a week before. */
  prevenu_pour: Generated<string | null>;
  created_at: string;
  modifie_le: string;
  version: Generated<number>;
}

export interface FormateursTable {
  id: Generated<number>;
  nom: string;
  prenom: string;
  mail: string;
  /** The address folded to one case, unique: the same address is the same person. */
  cle_mail: string;
  telephone: string;
  created_at: string;
  modifie_le: string;
  version: Generated<number>;
}

/** Who directs which stay, and as what. */
interface AffectationsTable {
  formateur_id: number;
  stage_id: number;
  cat: Category;
}

export interface StagiairesTable {
  id: Generated<number>;
  stage_id: number;
  nom: string;
  prenom: string;
  /** `childKey` of the names, unique in its stay. */
  cle: string;
  email: string;
  email_2: Generated<string>;
  consentement_image: Consent;
  created_at: string;
  modifie_le: string;
  version: Generated<number>;
}

interface LivretsTable {
  id: Generated<number>;
  /** What it is called on the wire and on screen. */
  nom: string;
  cle: string;
  created_at: string;
}

/** A section of a stay's review by its directors. */
export interface BilansTable {
  stage_id: number;
  code: ReviewSection;
  note: number | null;
  commentaire: string;
  modifie_le: string;
}

/** A family's answers, with nothing that says whose. */
export interface EvaluationsTable {
  /** Random, so that their order says nothing either. */
  cle: string;
  stage_id: number;
  /** JSON of marks by question. */
  notes: string;
  /** 1 yes, 0 no. */
  recommande: number | null;
  texte: string;
  /** The day alone: an hour could tell who. */
  jour: string;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    stages: StagesTable;
    formateurs: FormateursTable;
    affectations: AffectationsTable;
    stagiaires: StagiairesTable;
    livrets: LivretsTable;
    bilans: BilansTable;
    evaluations: EvaluationsTable;
  }
}
