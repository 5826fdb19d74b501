import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';
import type { Category, Consent, ReviewSection } from '../shared/terms.ts';

declare module '#platform/server/db/tables.ts' {
  interface SessionsTable {
    /** 1: a family that has answered the questionnaire. */
    evaluation_faite: Generated<number>;
  }
  interface Tables {
    stages: {
      id: Generated<number>;
      nom_stage: string;
      /** `stayKey` of its name and dates, unique. */
      cle: string;
      date_debut: string;
      date_fin: string;
      /** Encrypted, like `mdp_stagiaire`; see `features/stays/server/staysStore.ts`. */
      mdp_formateur: string;
      mdp_stagiaire: string;
      adresse: Generated<string>;
      horaires: Generated<string>;
      telephone_urgence: Generated<string>;
      consignes: Generated<string>;
      /** Days that its photos are kept; null: the retention of the settings. */
      conservation_jours: number | null;
      /** When its people and passwords were erased after the end of its photos; null: not erased. */
      efface_le: Generated<string | null>;
      /** When its photos were found to be over; they are erased a day later. */
      fini_le: Generated<string | null>;
      /** The last day of its photos that was announced to its families, a week before that day. */
      prevenu_pour: Generated<string | null>;
      /** 1: its families are told of new photos in the evening. */
      soir: Generated<number>;
      /** 1: its families also sign in with the password that they share; 0: by the link of their address alone. */
      mdp_commun: Generated<number>;
      created_at: string;
      modifie_le: string;
      version: Generated<number>;
    };
    formateurs: {
      id: Generated<number>;
      nom: string;
      prenom: string;
      mail: string;
      /** The e-mail address folded to one case, unique: the same address is the same person. */
      cle_mail: string;
      telephone: string;
      created_at: string;
      modifie_le: string;
      version: Generated<number>;
    };
    /** Who directs which stay, and as what. */
    affectations: {
      formateur_id: number;
      stage_id: number;
      cat: Category;
    };
    stagiaires: {
      id: Generated<number>;
      stage_id: number;
      nom: string;
      prenom: string;
      /** `childKey` of the names, with a number for a further child of the same names; unique in its stay. */
      cle: string;
      /** Blank for a family without an address, like `email_2` for one that has no second one. */
      email: string;
      email_2: Generated<string>;
      consentement_image: Consent;
      created_at: string;
      modifie_le: string;
      version: Generated<number>;
    };
    livrets: {
      id: Generated<number>;
      /** Name in the API and on screen. */
      nom: string;
      cle: string;
      /** The stay whose people alone may open it; null: for those of all stays. */
      stage_id: number | null;
      created_at: string;
    };
    /** A section of the directors' review of a stay. */
    bilans: {
      stage_id: number;
      code: ReviewSection;
      note: number | null;
      commentaire: string;
      modifie_le: string;
    };
    /** A family's answers, without anything that tells whose they are. */
    evaluations: {
      /** Random, so that the order of the rows tells nothing either. */
      cle: string;
      stage_id: number;
      /** JSON object of marks by question code. */
      notes: string;
      /** 1 yes, 0 no. */
      recommande: number | null;
      texte: string;
      /** The day only: a time could reveal who answered. */
      jour: string;
    };
    /** What people removed, as a keyed hash; see `removalsStore.ts`. */
    retraits: {
      empreinte: string;
      retire_le: string;
    };
  }
}

/** The columns that identify a row of each. */
export const stayTables = {
  stages: ['id'],
  formateurs: ['id'],
  affectations: ['formateur_id', 'stage_id'],
  stagiaires: ['id'],
  livrets: ['id'],
  bilans: ['stage_id', 'code'],
  evaluations: ['cle'],
  retraits: ['empreinte'],
} satisfies Partial<TableKeys>;
