import type { ManagedStay } from './questions.ts';

/** The fields of the form by wire name, as they are labelled. */
export const STAY_LABELS = {
  nom_stage: 'Nom du séjour',
  date_debut: 'Date de début',
  date_fin: 'Date de fin',
  adresse: 'Adresse',
  horaires: 'Horaires',
  telephone_urgence: 'Téléphone d’urgence',
  consignes: 'Consignes aux familles',
  conservation_jours: 'Conservation des photos, en jours',
} as const;

type StayField = keyof typeof STAY_LABELS;
export const STAY_FIELDS = Object.keys(STAY_LABELS) as StayField[];

/** What the form holds, and the version that it was drawn from. */
export type StayTexts = Record<StayField, string> & { version?: string };

/** The texts of a stay as its form shows them; of none, blanks. */
export function textsOfStay(stay: ManagedStay | undefined): Record<StayField, string> {
  return Object.fromEntries(STAY_FIELDS.map((name) => [name, String(stay?.[name] ?? '')])) as Record<
    StayField,
    string
  >;
}
