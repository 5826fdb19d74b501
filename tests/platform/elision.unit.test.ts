import { expect, test } from 'vitest';
import { ofName } from '#platform/shared/elision.ts';

test('« de » loses its vowel before a vowel or a mute h, and nowhere else', () => {
  const elided = ['Awa', 'élodie', 'Éric', 'E\u0301ric', 'Inès', 'Octave', 'Ugo', 'ÖZGÜR', 'Œdipe', 'Hélène'];
  for (const name of [...elided, 'Hugo', 'Yves', 'Yvonne', 'ALICE', 'Anne-Marie d’Arc'])
    expect(ofName(name)).toBe(`d’${name}`);
  for (const name of ['Bilal', 'Çelik', 'Hamza', 'Hans', 'Yanis', 'Yohan', 'Łukasz', '李', '3e équipe', ''])
    expect(ofName(name)).toBe(`de ${name}`);
});
