import type { Director } from '#features/stays/directors-calls.ts';
import { STAYS, stayLabel } from '#features/stays/web/stays.ts';
import { askedWords, wordsOf } from '#platform/shared/fold.ts';
import { useAskAgain } from '#platform/web/questions.ts';

/** What the panels of directors have in common. */

export const DIRECTORS = { key: 'GET /formateurs' } as const;
/** Logged when they cannot be loaded. */
export const DIRECTORS_FAILED = 'Erreur lors de la récupération des directeurs:';
export const INCOMPLETE = 'Veuillez remplir tous les champs avant de soumettre.';

export type DirectedStay = Director['sejours'][number];

/** Asks again for whatever tells of directors. */
export const useDirectorsAgain = () =>
  useAskAgain(DIRECTORS, STAYS, { key: 'GET /stages-suivi' }, { key: 'GET /tableau-de-bord' });

export function nameOf({ nom, prenom }: Pick<Director, 'nom' | 'prenom'>): string {
  return `${nom} ${prenom}`;
}

/** Those in whose names, address or stays all words of `typed` are found. */
export function matchingDirectors(
  directors: readonly Director[],
  typed: string,
  locale: string,
): readonly Director[] {
  const asked = askedWords(typed);
  return directors.filter((director) => {
    const stays = director.sejours.map((stay) => stayLabel(stay, locale));
    const words = wordsOf([nameOf(director), director.mail, ...stays].join(' ')).join(' ');
    return asked.every((word) => words.includes(word));
  });
}
