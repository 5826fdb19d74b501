import { type ImportKind, STAY_PASSWORD_MIN } from '#features/stays/shared/terms.ts';
import { panelAddress } from '#platform/web/panelAddress.ts';

/** What importing stays and importing families differ in. */
export interface ImportTexts {
  genre: ImportKind;
  preview: 'POST /uploadSejour/apercu' | 'POST /upload/apercu';
  send: 'POST /uploadSejour' | 'POST /upload';
  /** One line of the file. */
  noun: string;
  columns: readonly { name: string; isRequired: boolean; help: string }[];
  /** What one would do once it is imported. */
  next: readonly { to: string; label: string }[];
}

const DATES = 'Par exemple 06/07/2026 ou 2026-07-06.';
const PASSWORDS = `${STAY_PASSWORD_MIN} lettres et chiffres mêlés au moins, et un autre pour chaque colonne et chaque séjour. Sans lui, le site en crée un, ou garde celui qu’il a.`;

export const STAY_IMPORT: ImportTexts = {
  genre: 'sejours',
  preview: 'POST /uploadSejour/apercu',
  send: 'POST /uploadSejour',
  noun: 'séjour',
  columns: [
    {
      name: 'nom_stage',
      isRequired: true,
      help: 'Avec ses deux dates, il dit de quel séjour il s’agit\u202f: un séjour connu n’est pas créé deux fois.',
    },
    { name: 'date_debut', isRequired: true, help: DATES },
    { name: 'date_fin', isRequired: true, help: DATES },
    { name: 'mdp_formateur', isRequired: false, help: PASSWORDS },
    { name: 'mdp_stagiaire', isRequired: false, help: PASSWORDS },
  ],
  next: [
    { to: panelAddress('familles-importer'), label: 'Importer des familles' },
    { to: panelAddress('directeurs'), label: 'Nommer les directeurs' },
    { to: panelAddress('mots-de-passe'), label: 'Voir les mots de passe' },
  ],
};

const STAY_OF_CHILD =
  'Comme dans la liste des séjours. Avec ses deux dates, il dit de quel séjour il s’agit.';

export const FAMILY_IMPORT: ImportTexts = {
  genre: 'familles',
  preview: 'POST /upload/apercu',
  send: 'POST /upload',
  noun: 'enfant',
  columns: [
    { name: 'nom', isRequired: true, help: 'Celui de l’enfant.' },
    { name: 'prenom', isRequired: true, help: 'Celui de l’enfant.' },
    { name: 'email', isRequired: true, help: 'Celui d’un responsable légal.' },
    { name: 'email_2', isRequired: false, help: 'Celui d’un autre responsable légal.' },
    { name: 'consentement_image', isRequired: false, help: 'Oui ou non\u202f; sans réponse, inconnu.' },
    { name: 'nom_stage', isRequired: true, help: STAY_OF_CHILD },
    { name: 'date_debut', isRequired: true, help: DATES },
    { name: 'date_fin', isRequired: true, help: DATES },
    { name: 'stageId', isRequired: false, help: 'Peut tenir lieu du nom et des dates du séjour.' },
  ],
  next: [{ to: panelAddress('familles'), label: 'Voir les familles' }],
};
