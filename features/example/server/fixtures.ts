import type { Decision } from '#features/photos/shared/states.ts';
import {
  type Category,
  CONSENTS,
  type Consent,
  type EvaluationQuestion,
  type ReviewSection,
} from '#features/stays/shared/terms.ts';
import { folded } from '#platform/shared/fold.ts';
import contents from '../fixtures/contents.json' with { type: 'json' };
import peopleFile from '../fixtures/people.json' with { type: 'json' };
import photosFile from '../fixtures/photos.json' with { type: 'json' };
import settings from '../fixtures/settings.json' with { type: 'json' };
import staysFile from '../fixtures/stays.json' with { type: 'json' };

/*
 * What the example site says, as JSON in `fixtures/`. All of it is invented: people, partners, figures, places; telephone
 * numbers are of those given to nobody, e-mail addresses of a domain that receives no mail, and photographs of nature stand
 * for portraits.
 *
 * Dates are in days from now, so that the example always looks freshly kept. `cle` names an item and stays as it is when its
 * texts change. A picture is the name of a photograph (`.jpg`, in `pictures/`) or of a drawing (`.webp`, in `drawings/`), or
 * null where the placeholder is to be seen. The texts hold narrow no-break spaces (U+202F) where French wants them.
 */

/**
 * `weekday`: the day of the week that it waits for after `inDays`, 0 to 6 from Sunday, as a week-end does not begin on a
 * Tuesday. `ends`: the time of its end, `nights` later; the same day when unsaid.
 */
export type ExampleEvent = (typeof contents.events)[number];

export interface ExamplePerson {
  cle: string;
  /** The `cle` of the person above. */
  manager?: string;
  prenom: string;
  nom: string;
  poste: string;
  role: 'Responsable' | 'Employé';
  email: string;
  telephone: string;
  /** Fields that visitors do not see. */
  hides?: readonly ('email' | 'telephone')[];
  /** `left`: percents of what a square leaves out of the photo that lie to its left. */
  photo?: { picture: string; alt: string; left: number };
}

export interface ExampleStay {
  cle: string;
  nom_stage: string;
  /** Days from now to the first day, negative for one in the past, and from the first day to the last. */
  inDays: number;
  nights: number;
  adresse: string;
  horaires: string;
  telephone_urgence: string;
  consignes: string;
  children: number;
  review?: readonly { code: ReviewSection; note: number | null; commentaire: string }[];
  evaluations?: readonly {
    notes: Partial<Record<EvaluationQuestion, number>>;
    recommande: boolean | null;
    texte: string;
  }[];
}

export interface ExampleDirector {
  cle: string;
  prenom: string;
  nom: string;
  mail: string;
  telephone: string;
  /** The `cle` of each stay, and what is directed there. */
  stays: readonly { stay: string; cat: Category }[];
}

export type ExampleBooklet = (typeof staysFile.booklets)[number];

interface ExamplePhoto {
  /** The name of its file in `pictures/`, without its ending. */
  cle: string;
  /** Days from now to the one it was taken on, and the hour. */
  inDays: number;
  time: string;
  legende: string;
  decision: Decision;
  /** The message of a family that asks for its removal afterwards, which hides it. */
  removal?: string;
}

/**
 * Of the organisation, but for the address that receives the messages of the contact form: they would leave for a domain
 * that takes none. The numbers of both registers are all zeros, which are given to nobody.
 */
export { settings };
export const { news, featured, benefits, partners, minutes, events } = contents;
/** Each after the person above. */
export const people = peopleFile as readonly ExamplePerson[];
export const stays = staysFile.stays as readonly ExampleStay[];
export const directors = staysFile.directors as readonly ExampleDirector[];
export const { booklets } = staysFile;
/** The `cle` of the stay that has photos: the one under way. */
export const PHOTOGRAPHED = photosFile.stay;
export const photos = photosFile.photos as readonly ExamplePhoto[];
/** What the directors wrote of days of that stay. */
export const { words } = photosFile;

/* The children of the example's stays: first and last names that were drawn together at random. */

interface ExampleChild {
  prenom: string;
  nom: string;
  email: string;
  email_2: string;
  consentement_image: Consent;
}

const FIRST_NAMES =
  'Abel Alma Anouk Ariane Basile Capucine Célestin Chloé Cosme Diane Elio Éloïse Esteban Fatou Félix Flora ' +
  'Gabin Hana Hector Ilyès Inaya Iris Jade Joachim Kenza Lazare Léonie Lila Loïs Maëlle Malo Manon Marius ' +
  'Mila Milo Naïm Nina Noé Octave Ombeline Oscar Paloma Rafaël Romane Rosalie Sacha Salomé Samuel Soline ' +
  'Tess Théodore Tilio Ulysse Valentine Yanis Zélie Zoé';
const LAST_NAMES =
  'Abadie|Arnoux|Bâcle|Belhomme|Benkirane|Bourdelas|Cantrelle|Chabanel|Courtecuisse|Da Silva|Delvigne|Diarra|' +
  'Duchêne|Escoffier|Fauvel|Gauvain|Haddad|Hérisson|Iribarne|Jolivet|Kervella|Lagrange|Lemoine-Sarr|Malherbe|' +
  'Marchetti|Mbaye|Nivelle|Noblecourt|Olivry|Peyrolles|Pham|Quélen|Rambaud|Rosenthal|Sauvageot|Tavernier|' +
  'Trémoulet|Vauquelin|Vial|Ybarra|Zanetti';

const firstNames = FIRST_NAMES.split(' ');
const lastNames = LAST_NAMES.split('|');
const consents = Object.keys(CONSENTS) as Consent[];

/** That many children, always the same ones; `place` is that of their stay, so that no two stays share any. */
export function childrenOf(place: number, count: number): ExampleChild[] {
  return Array.from({ length: count }, (_, index) => {
    // The lists come round at their own pace: the same two names meet again after two thousand children only.
    const at = place * 100 + index;
    const prenom = firstNames[(at * 13) % firstNames.length] ?? '';
    const nom = lastNames[(at * 7) % lastNames.length] ?? '';
    const parent = folded(nom).replaceAll(' ', '-');
    return {
      prenom,
      nom,
      email: `famille.${parent}@example.org`,
      email_2: at % 4 === 0 ? `${folded(prenom)[0]}.${parent}@example.org` : '',
      // Most say yes; the others are what staff and directors have to look after.
      consentement_image: consents[at % 7 < 5 ? 0 : (at % 7) - 4] ?? 'inconnu',
    };
  });
}
