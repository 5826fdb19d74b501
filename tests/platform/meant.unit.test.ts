import { describe, expect, test } from 'vitest';
import { likeness, meantWords, rank } from '#platform/shared/meant.ts';

describe('the words that people mean', () => {
  test('small words are set apart, but for a query that has no others', () => {
    expect(meantWords('Comment ajouter une collègue ?')).toEqual({
      words: ['ajouter', 'collegue'],
      small: ['comment', 'une'],
    });
    expect(meantWords('le parent n’a pas reçu').words).toEqual(['parent', 'recu']);
    expect(meantWords('à la une')).toEqual({ words: ['a', 'la', 'une'], small: [] });
    expect(meantWords(' ’ ')).toEqual({ words: [], small: [] });
  });

  test('a number is one with its sign or without', () => {
    for (const typed of ['séjour n° 6', 'séjour n°6', 'sejour nº 6', 'SÉJOUR N6', 'séjour 6'])
      expect(meantWords(typed).words, typed).toEqual(['sejour', '6']);
    expect(meantWords('un séjour').words).toEqual(['sejour']);
  });

  test.each([
    ['enfants', 'enfant'],
    ['modifie', 'modifier'],
    ['publications', 'publier'],
    ['directrices', 'directeur'],
    ['nouvelle', 'nouveau'],
    ['envoyer', 'envoi'],
    ['fermeture', 'fermer'],
    ['locaux', 'local'],
  ])('« %s » and « %s » are forms of one word', (one, other) => {
    expect(likeness(one, other)).toBe(0.9);
    expect(likeness(other, one)).toBe(0.9);
  });

  test.each([
    ['photo', 'partir'],
    ['parent', 'partenaire'],
    ['note', 'notre'],
    ['code', 'copie'],
    ['sejour', 'retour'],
    ['pv', 'pdf'],
  ])('« %s » and « %s » are not', (one, other) => {
    expect(likeness(one, other)).toBe(0);
    expect(likeness(other, one)).toBe(0);
  });

  test('one slip of the fingers in a longer word is forgiven', () => {
    for (const typed of ['organigrame', 'organigrammme', 'organigarmme', 'orgonigramme'])
      expect(likeness(typed, 'organigramme'), typed).toBeGreaterThanOrEqual(0.5);
    expect(likeness('orgonigrame', 'organigramme')).toBe(0);
  });
});

describe('what they find', () => {
  const PLACES = [
    { label: 'Familles', words: 'enfant parent supprimer droit à l’image' },
    { label: 'Photos d’un séjour', words: 'supprimer retirer droit à l’image' },
    { label: 'Journal', words: 'qui a supprimé' },
    { label: 'Mon compte', words: 'mot de passe' },
    { label: 'Mots de passe', words: 'séjour' },
  ];
  const found = (query: string) => rank(query, PLACES).ranked.map(({ one }) => one.label);

  test('what has every word comes first, then what has some of them', () => {
    expect(found('supprimer un enfant')).toEqual(['Familles', 'Photos d’un séjour', 'Journal']);
    expect(found('enfant retiré')).toHaveLength(2);
    expect(rank('supprimer un enfant', PLACES).ranked.map(({ hasAll }) => hasAll)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a name counts more than other words, and small words settle what is alike', () => {
    expect(found('séjour')).toEqual(['Photos d’un séjour', 'Mots de passe']);
    expect(found('mot de passe')[0]).toBe('Mots de passe');
    expect(found('le droit')).toEqual(['Familles', 'Photos d’un séjour']);
  });

  test('words of nothing find nothing, and are told', () => {
    expect(rank('supprimer Léa Dupont', PLACES).others).toEqual(['lea', 'dupont']);
    expect(found('zzz')).toEqual([]);
    expect(found('')).toEqual([]);
    expect(found('constructor')).toEqual([]);
  });
});
