import { CONSENTS, type Consent } from '#features/stays/shared/terms.ts';
import { folded } from '#platform/shared/fold.ts';

/** The children of the example's stays: first and last names that were drawn together at random. */

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
