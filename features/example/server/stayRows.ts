import { randomBytes } from 'node:crypto';
import { childKey, findStay } from '#features/stays/server/staysStore.ts';
import { type Category, CONSENTS, type Consent } from '#features/stays/shared/terms.ts';
import type { Access } from '#platform/server/db/open.ts';
import { folded } from '#platform/shared/fold.ts';
import type { ExampleStay } from './fixtures.ts';

/** What the stays and directors of the example bring with them, as plain rows: no form of staff holds so much. */

export async function insertChildren(
  transaction: Access,
  stageId: number,
  children: readonly ExampleChild[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const rows = children.map((child) => ({
    ...child,
    stage_id: stageId,
    cle: childKey(child),
    created_at: at,
    modifie_le: at,
  }));
  await transaction.insertInto('stagiaires').values(rows).execute();
}

/** The directors' review and the families' answers, where there are some; `jour` is the day of the latter. */
export async function insertReview(
  transaction: Access,
  stageId: number,
  { review = [], evaluations = [] }: ExampleStay,
  jour: string,
  now: Date,
): Promise<void> {
  const sections = review.map((section) => ({
    ...section,
    stage_id: stageId,
    modifie_le: now.toISOString(),
  }));
  if (sections.length > 0) await transaction.insertInto('bilans').values(sections).execute();
  const answers = evaluations.map(({ notes, recommande, texte }) => ({
    cle: randomBytes(16).toString('hex'),
    stage_id: stageId,
    notes: JSON.stringify(notes),
    recommande: recommande === null ? null : Number(recommande),
    texte,
    jour,
  }));
  if (answers.length > 0) await transaction.insertInto('evaluations').values(answers).execute();
}

/** Without the stays that are there no more. */
export async function assignStays(
  transaction: Access,
  formateur_id: number,
  assignments: readonly { stageId: number | undefined; cat: Category }[],
): Promise<void> {
  for (const { stageId = 0, cat } of assignments) {
    if (!(await findStay(transaction, stageId))) continue;
    await transaction.insertInto('affectations').values({ formateur_id, stage_id: stageId, cat }).execute();
  }
}

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
