/*
 * The fields that describe the organisation on pages and to search engines, as data: the settings check them and the
 * portal draws its form from them. Free of zod, so that browsers need not load it.
 */

export interface IdentityField {
  label: string;
  /** `line` one line · `paragraphs` several lines · `email` an e-mail address · `address` an http(s) link. */
  type: 'line' | 'paragraphs' | 'email' | 'address';
  /** Maximum length in characters. */
  max: number;
  /** Section of the form. */
  section: 'Identité' | 'Hébergeur' | 'Contacts' | 'Offres d’emploi';
}

/** Identity fields by wire name. Blank is allowed: the page then leaves the line out. */
export const IDENTITY_FIELDS = {
  organisation_nom: { label: 'Nom de l’organisation', type: 'line', max: 200, section: 'Identité' },
  organisation_adresse: { label: 'Adresse postale', type: 'paragraphs', max: 500, section: 'Identité' },
  organisation_telephone: { label: 'Téléphone', type: 'line', max: 50, section: 'Identité' },
  organisation_email: { label: 'E-mail', type: 'email', max: 254, section: 'Identité' },
  organisation_siren: { label: 'SIREN', type: 'line', max: 50, section: 'Identité' },
  organisation_rna: { label: 'RNA', type: 'line', max: 50, section: 'Identité' },
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
    section: 'Offres d’emploi',
  },
} as const satisfies Record<string, IdentityField>;

export type IdentityName = keyof typeof IDENTITY_FIELDS;
