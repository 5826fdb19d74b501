import { expect, test } from 'vitest';
import { shortNames } from '#features/gallery/shared/shortNames.ts';

test('names lose the words that all of them begin or end with, and never all of their words', () => {
  const cases: [string[], string[]][] = [
    [[], []],
    [['Été à Oléron'], ['Été à Oléron']],
    [
      ['Été à Oléron', 'Neige en Vercors'],
      ['Été à Oléron', 'Neige en Vercors'],
    ],
    [
      ['Séjour été 2026 – lac', 'Séjour été 2026 – mer'],
      ['lac', 'mer'],
    ],
    [
      ['Les petits à la mer', 'Les grands à la mer'],
      ['petits', 'grands'],
    ],
    [
      ['Oléron', 'Oléron en août'],
      ['Oléron', 'Oléron en août'],
    ],
    [
      ['Oléron — du 6 au 20 juillet 2026', 'Oléron — du 3 au 17 août 2026'],
      ['6 au 20 juillet', '3 au 17 août'],
    ],
    [
      ['Lac', 'Lac'],
      ['Lac', 'Lac'],
    ],
    [
      ['Été lac bleu', 'Été mer bleue', 'Été lac vert'],
      ['lac bleu', 'mer bleue', 'lac vert'],
    ],
  ];
  for (const [names, short] of cases) expect(shortNames(names)).toEqual(short);
});
