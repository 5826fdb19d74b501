/*
 * Codes and labels of stays, directors and families, in the API and on screen. This file does not import zod, so
 * that browsers need not load it.
 */

/** The kind of stays among the results of the portal's search. */
export const STAY_GENRE = 'stages';
export const CHILD_GENRE = 'enfants';
export const DIRECTOR_GENRE = 'directeurs';

/** What a director directs; one category per assignment to a stay. */
export const CATEGORIES = { centre: 'Centre', sejour: 'Séjour' } as const;
export type Category = keyof typeof CATEGORIES;

/** Whether the child may be seen on photos. */
export const CONSENTS = { oui: 'Oui', non: 'Non', inconnu: 'Inconnu' } as const;
export type Consent = keyof typeof CONSENTS;

export const NO_ADDRESS = 'Sans e-mail';

export const IMPORT_KINDS = { sejours: 'séjours', familles: 'familles', directeurs: 'directeurs' } as const;
export type ImportKind = keyof typeof IMPORT_KINDS;

export const COLUMN_LABELS: Record<string, string> = {
  nom_stage: 'Nom du séjour',
  date_debut: 'Date de début',
  date_fin: 'Date de fin',
  mdp_formateur: 'Mot de passe directeur',
  mdp_stagiaire: 'Mot de passe famille',
  nom: 'Nom',
  prenom: 'Prénom',
  email: 'E-mail',
  email_2: 'Second e-mail',
  consentement_image: 'Droit à l’image',
  telephone: 'Téléphone',
  cat: 'Type',
  stageId: 'Numéro du séjour',
  nom_prenom: 'Nom et prénom (MARTIN Léa)',
  prenom_nom: 'Prénom et nom (Léa MARTIN)',
  dates: 'Dates (du … au …)',
};

/** Minimum number of letters and digits in a password set by an imported file. */
export const STAY_PASSWORD_MIN = 10;

/** The sections of « Bilan du séjour », by wire code, in the order of the form. */
export const REVIEW_SECTIONS = {
  effectifs: 'Effectifs',
  hebergement: 'Hébergement',
  repas: 'Repas',
  activites: 'Activités',
  equipe: 'Équipe',
  sante_securite: 'Santé et sécurité',
  transport: 'Transport',
  materiel: 'Matériel',
  a_ameliorer: 'À améliorer',
} as const;
export type ReviewSection = keyof typeof REVIEW_SECTIONS;

/** The questions that families answer with a mark, by wire code, in the order of the questionnaire. */
export const EVALUATION_QUESTIONS = {
  accueil: 'L’accueil et l’information avant le séjour',
  hebergement: 'L’hébergement',
  repas: 'Les repas',
  activites: 'Les activités',
  equipe: 'L’équipe',
  photos: 'Les photos et les nouvelles pendant le séjour',
} as const;
export type EvaluationQuestion = keyof typeof EVALUATION_QUESTIONS;

/** Marks of reviews and evaluations, from the worst to the best. */
export const MARKS = [1, 2, 3, 4, 5] as const;

/** The name of a booklet in the API and on screen: its file name, always ending in `.pdf`. */
export function bookletName(fileName: string): string {
  const name = fileName.normalize('NFC').trim();
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}

/** Days after the end of their last stay during which directors are kept. */
export const DIRECTOR_DAYS = 365;

export const EVALUATION_DAYS = 365;

/** The practical information of a stay that its families read. */
export const PRACTICAL = ['adresse', 'horaires', 'telephone_urgence', 'consignes'] as const;

/** A stay's number as people type it: « 4 », « séjour 4 », « n° 4. ». Undefined where there is none, or two. */
export function stayNumberIn(typed: string): number | undefined {
  const digits = /^\D*(\d{1,15})\D*$/.exec(typed)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
