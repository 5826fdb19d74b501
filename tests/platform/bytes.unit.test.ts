import { expect, it } from 'vitest';
import { atMost, MB, weightOf } from '#platform/shared/bytes.ts';

it('weights are said in the units of the limits, as finely as they are read', () => {
  const weights = [0, 1, 640 * 1024, 1.25 * MB, 340.4 * MB, 1.2 * 1024 * MB, 25 * 1024 * MB];
  expect(weights.map(weightOf).map((text) => text.replace('\u00a0', ' '))).toEqual([
    ...['0 Ko', '1 Ko', '640 Ko', '1,3 Mo', '340 Mo', '1,2 Go', '25 Go'],
  ]);
  expect(atMost(30 * MB)).toBe('30\u00a0Mo au plus');
});
