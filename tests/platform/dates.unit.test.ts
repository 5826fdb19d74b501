import { describe, expect, test } from 'vitest';
import { atHour, frenchDay, longDay, NO_DATE, rangeOf } from '#platform/shared/dates.ts';

/** Every day of two years, of which one has a 29 February. */
const DAYS = Array.from({ length: 731 }, (_, index) => new Date(Date.UTC(2027, 0, 1 + index)));
const firstOf = (text: string) => text.replace(/(?<!\d)1(?= |$)/, '1er');

test('days are written in the French of browsers, but for the first of a month', () => {
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('fr-FR', { ...options, timeZone: 'UTC' });
  const [long, full, short] = [
    written({ dateStyle: 'long' }),
    written({ dateStyle: 'full' }),
    written({ month: 'short' }),
  ];
  for (const date of DAYS) {
    const text = date.toISOString();
    expect(longDay(text)).toBe(firstOf(long.format(date)));
    expect(longDay(text.slice(0, 10))).toBe(longDay(text));
    expect(`${frenchDay(text).weekday} ${longDay(text)}`).toBe(firstOf(full.format(date)));
    expect(frenchDay(text).shortMonth).toBe(short.format(date));
  }
});

test.each([
  ['2026-07-06', '2026-07-20', 'du\u00a06 au\u00a020 juillet 2026'],
  ['2026-07-01', '2026-07-01', 'le\u00a01er juillet 2026'],
  ['2026-07-01', '2026-08-01', 'du\u00a01er juillet au\u00a01er août 2026'],
  ['2026-12-28', '2027-01-03', 'du\u00a028 décembre 2026 au\u00a03 janvier 2027'],
  ['2026-12-28', 'demain', NO_DATE],
])('from %s to %s is « %s »', (first, last, text) => expect(rangeOf(first, last, 'fr-FR')).toBe(text));

test('a range is written as others write it, too', () => {
  expect(rangeOf('2026-07-06', '2026-07-20', 'en-GB')).toMatch(/^6\s–\s20 July 2026$/);
});

describe('hours', () => {
  test.each([
    ['2026-06-20T18:30:00.000Z', 'à\u00a018\u00a0h\u00a030'],
    ['2026-06-20T08:00:00.000Z', 'à\u00a08\u00a0h'],
    ['2026-06-20T00:05:00.000Z', 'à\u00a00\u00a0h\u00a005'],
  ])('%s is « %s »', (wall, text) => expect(atHour(wall)).toBe(text));
});
