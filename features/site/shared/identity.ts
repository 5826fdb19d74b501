/*
 * The fields that describe the organisation on pages and to search engines, as data: the settings check them and the
 * portal draws its form from them. Free of zod, so that browsers need not load it.
 */

export interface IdentityField {
  label: string;
  /**
   * `line` one line · `paragraphs` several lines · `email` an e-mail address · `address` an http(s) link · `siren`,
   * `rna` numbers of the registers of companies and of associations.
   */
  type: 'line' | 'paragraphs' | 'email' | 'address' | 'siren' | 'rna';
  max: number;
  section: 'Identité' | 'Hébergeur' | 'Contacts';
}

/** Identity fields by wire name. Blank is allowed: the page then leaves the line out. */
export const IDENTITY_FIELDS = {
  organisation_nom: { label: 'Nom de l’organisation', type: 'line', max: 200, section: 'Identité' },
  organisation_adresse: { label: 'Adresse postale', type: 'paragraphs', max: 500, section: 'Identité' },
  organisation_telephone: { label: 'Téléphone', type: 'line', max: 50, section: 'Identité' },
  organisation_email: { label: 'E-mail', type: 'email', max: 254, section: 'Identité' },
  organisation_siren: { label: 'SIREN', type: 'siren', max: 50, section: 'Identité' },
  organisation_rna: { label: 'RNA', type: 'rna', max: 50, section: 'Identité' },
  directeur_publication: {
    label: 'Directeur ou directrice de la publication',
    type: 'line',
    max: 200,
    section: 'Identité',
  },
  hebergeur_nom: { label: 'Nom de l’hébergeur', type: 'line', max: 200, section: 'Hébergeur' },
  hebergeur_adresse: { label: 'Adresse de l’hébergeur', type: 'paragraphs', max: 500, section: 'Hébergeur' },
  hebergeur_telephone: { label: 'Téléphone de l’hébergeur', type: 'line', max: 50, section: 'Hébergeur' },
  contact_donnees: {
    label: 'Contact pour les données personnelles',
    type: 'line',
    max: 254,
    section: 'Contacts',
  },
  contact_email: {
    label: 'Adresse qui reçoit les messages du formulaire de contact',
    type: 'email',
    max: 254,
    section: 'Contacts',
  },
  offres_emploi_url: {
    label: 'Site d’offres d’emploi',
    type: 'address',
    max: 2_000,
    section: 'Contacts',
  },
} as const satisfies Record<string, IdentityField>;

export type IdentityName = keyof typeof IDENTITY_FIELDS;

/** What the law has every site say of who publishes and who hosts it (law of 21 June 2004, article 6 III). */
export const LEGAL_NOTICE: readonly IdentityName[] = [
  'organisation_nom',
  'organisation_adresse',
  'organisation_telephone',
  'directeur_publication',
  'hebergeur_nom',
  'hebergeur_adresse',
  'hebergeur_telephone',
];

/** Sizes of company that the law tells apart for the tasks and means of its council, by wire value: their labels. */
export const HEADCOUNTS = {
  '11_a_49': '11 à 49 salariés',
  '50_et_plus': '50 salariés et plus',
} as const;

export type Headcount = keyof typeof HEADCOUNTS;

/** What visitors may learn of stays, by wire value: its label. */
export const STAYS_SHOWN = {
  noms_et_dates: 'Noms et dates',
  numeros: 'Numéros seulement',
} as const;

/** Which families see the street, the hours and the telephone of their stay, by wire value: its label. */
export const PLACES_SHOWN = {
  liens: 'Aux familles qui ouvrent par leur lien',
  tous: 'À toutes les familles du séjour',
  personne: 'À aucune famille',
} as const;

/** Whether every account of the portal needs a second factor, by wire value: its label. */
export const FACTOR_WANTED = {
  au_choix: 'Au choix de chacun',
  obligatoire: 'Obligatoire pour tous',
} as const;

/** The settings beside these fields, by wire name: their labels. */
export const SETTING_LABELS = {
  effectif: 'Taille de l’entreprise',
  comptes_rendus_mot_de_passe: 'Mot de passe des comptes rendus',
  sejours_visiteurs: 'Ce que les visiteurs voient des séjours',
  sejours_lieu: 'Adresse, horaires et téléphone d’un séjour',
  photos_conservation_jours: 'Conservation des photos, en jours',
  message_soir_heure: 'Heure du message du soir',
  portail_inactivite_heures: 'Portail inutilisé, en heures',
  second_facteur: 'Clé d’accès ou connexion en deux étapes',
} as const;

/** What is wrong with a SIREN, blanks aside; undefined for a right one and for none. */
export function sirenTrouble(text: string): string | undefined {
  const number = text.replace(/\s/g, '');
  if (number === '') return undefined;
  if (/^\d{14}$/.test(number) && hasRightKey(number)) {
    const siren = number.slice(0, 9).replace(/\d{3}(?=\d)/g, '$& ');
    return `c’est un SIRET\u202f: le SIREN est fait de ses neuf premiers chiffres, ${siren}.`;
  }
  if (!/^\d{9}$/.test(number)) return 'un SIREN a neuf chiffres (exemple\u202f: 732 829 320).';
  return hasRightKey(number) ? undefined : 'ce SIREN n’existe pas\u202f: vérifiez ses chiffres.';
}

/** What is wrong with a number of the register of associations. */
export function rnaTrouble(text: string): string | undefined {
  const number = text.replace(/\s/g, '');
  if (number === '' || /^W\d{9}$/i.test(number)) return undefined;
  return 'un numéro RNA est fait de la lettre W et de neuf chiffres (exemple\u202f: W381234567).';
}

/** Luhn: every second digit from the right counts twice, and the sum ends in 0. */
function hasRightKey(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
