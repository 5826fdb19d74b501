import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clockChangesBetween,
  instantAt,
  isDay,
  knowClockChanges,
  readInstant,
  readMoment,
  wallClock,
} from '#platform/shared/time.ts';

const PARIS = 'Europe/Paris';
const ZONES = [
  PARIS,
  'UTC',
  'America/Martinique',
  'Indian/Reunion',
  'Pacific/Noumea',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
];
const MINUTE = 60_000;

/** Any whole second from 1990 to 2050. */
const second = fc
  .integer({ min: Date.UTC(1990, 0, 1) / 1_000, max: Date.UTC(2050, 0, 1) / 1_000 })
  .map((seconds) => new Date(seconds * 1_000));

describe('A day', () => {
  test('is one that exists', () => {
    for (const text of ['2026-06-20', '2024-02-29', '2000-02-29', '1900-01-01', '2999-12-31', '2026-12-31']) {
      expect(isDay(text), text).toBe(true);
    }
  });

  test('is nothing else', () => {
    for (const text of [
      '2026-02-29',
      '2100-02-29',
      '1900-02-29',
      '2026-02-30',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-01-32',
      '1899-12-31',
      '3000-01-01',
      '0026-06-20',
      '26-06-20',
      '2026-6-20',
      '20-06-2026',
      '2026/06/20',
      '2026-06-20T00:00',
      ' 2026-06-20',
      '2026-06-20\n',
      '',
      'x',
      '２０２６-06-20',
      '+2026-06-20',
      '-2026-06-20',
      '20260620',
    ]) {
      expect(isDay(text), text).toBe(false);
    }
  });

  test('is every day of the calendar, as the calendar of the machine has it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          const last = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
          expect(isDay(text)).toBe(day >= 1 && day <= last);
        },
      ),
    );
  });
});

describe('A moment', () => {
  test('is read in the ways that forms and people write it', () => {
    const read: Record<string, string> = {
      '2026-06-20T18:30': '2026-06-20T18:30:00.000Z',
      '2026-06-20 18:30': '2026-06-20T18:30:00.000Z',
      '2026-06-20T18:30:15': '2026-06-20T18:30:15.000Z',
      '2026-06-20T18:30:15.123': '2026-06-20T18:30:15.000Z',
      '2026-06-20T18:30:00.000Z': '2026-06-20T18:30:00.000Z',
      '2026-06-20T18:30Z': '2026-06-20T18:30:00.000Z',
      '2026-06-20T00:00': '2026-06-20T00:00:00.000Z',
      '2026-06-20T23:59:59': '2026-06-20T23:59:59.000Z',
      // An hour that the clocks of Paris skip: as a wall-clock time it may be written.
      '2026-03-29T02:30': '2026-03-29T02:30:00.000Z',
    };
    for (const [text, moment] of Object.entries(read)) expect(readMoment(text), text).toBe(moment);
  });

  test('is nothing else', () => {
    for (const text of [
      '',
      '2026-06-20',
      '18:30',
      '2026-06-20T24:00',
      '2026-06-20T18:60',
      '2026-06-20T18:30:60',
      '2026-02-29T18:30',
      '2026-06-20T18:30+02:00',
      '2026-06-20T18:30-00:00',
      '2026-06-20T18:30ZZ',
      '2026-06-20T18:30z',
      '2026-06-20t18:30',
      '2026-06-20T8:30',
      '2026-06-20T18h30',
      '2026-06-20T18:30:15,5',
      '2026-06-20T18:30:15.1234',
      '2026-06-20T18:30 ',
      ' 2026-06-20T18:30',
      '2026-06-20T18:30\n',
      '2026-06-20  18:30',
      '0000-06-20T18:30',
      'now',
      'null',
    ]) {
      expect(readMoment(text), JSON.stringify(text)).toBeUndefined();
    }
  });

  test('read twice is itself', () => {
    fc.assert(
      fc.property(second, (date) => {
        expect(readMoment(date.toISOString())).toBe(date.toISOString());
      }),
    );
  });

  test('any text is read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-T: .Z+é\n') }), (text) => {
        const moment = readMoment(text);
        if (moment !== undefined) expect(readMoment(moment)).toBe(moment);
        readInstant(text, PARIS);
      }),
    );
  });
});

describe('The clocks of a place', () => {
  test('show what the people there read', () => {
    const shown: [string, string, string][] = [
      ['2026-01-15T12:00:00Z', PARIS, '2026-01-15T13:00:00.000Z'],
      ['2026-06-20T12:00:00Z', PARIS, '2026-06-20T14:00:00.000Z'],
      ['2026-03-29T00:59:59Z', PARIS, '2026-03-29T01:59:59.000Z'],
      ['2026-03-29T01:00:00Z', PARIS, '2026-03-29T03:00:00.000Z'],
      ['2026-10-25T00:30:00Z', PARIS, '2026-10-25T02:30:00.000Z'],
      ['2026-10-25T01:30:00Z', PARIS, '2026-10-25T02:30:00.000Z'],
      ['2026-12-31T23:00:00Z', PARIS, '2027-01-01T00:00:00.000Z'],
      ['2026-06-20T22:00:00Z', PARIS, '2026-06-21T00:00:00.000Z'],
      ['2026-06-20T12:00:00Z', 'America/Martinique', '2026-06-20T08:00:00.000Z'],
      ['2026-06-20T22:00:00Z', 'Pacific/Noumea', '2026-06-21T09:00:00.000Z'],
      ['2026-06-20T12:00:00Z', 'Asia/Kathmandu', '2026-06-20T17:45:00.000Z'],
    ];
    for (const [instant, zone, wall] of shown)
      expect(wallClock(new Date(instant), zone), `${instant} ${zone}`).toBe(wall);
  });

  test('point at one instant, but in the hour that comes twice', () => {
    fc.assert(
      fc.property(second, fc.constantFrom(...ZONES), (instant, zone) => {
        const wall = wallClock(instant, zone);
        const back = instantAt(wall, zone);
        // Always an instant at which the clocks show that, and never a later one than the one meant.
        expect(wallClock(back, zone)).toBe(wall);
        expect(back.getTime()).toBeLessThanOrEqual(instant.getTime());
        expect(instant.getTime() - back.getTime()).toBeLessThanOrEqual(60 * MINUTE);
      }),
      { numRuns: 1_000 },
    );
  });

  test('of a zone without summer time, or far from its changes, point at one only', () => {
    fc.assert(
      fc.property(second, fc.constantFrom('UTC', 'Indian/Reunion', 'Asia/Kathmandu'), (instant, zone) => {
        expect(instantAt(wallClock(instant, zone), zone).getTime()).toBe(instant.getTime());
      }),
    );
  });

  test('every minute of the days on which Paris changes its clocks comes back', () => {
    for (const day of ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31', '1996-10-27', '2024-02-29']) {
      const start = Date.parse(`${day}T00:00:00Z`) - 120 * MINUTE;
      for (let minute = 0; minute < 28 * 60; minute++) {
        const instant = new Date(start + minute * MINUTE);
        const wall = wallClock(instant, PARIS);
        const back = instantAt(wall, PARIS);
        expect(wallClock(back, PARIS), wall).toBe(wall);
        const isSecond = instant.getTime() - back.getTime();
        expect([0, 60 * MINUTE], wall).toContain(isSecond);
      }
    }
  });

  test('in the hour that spring skips mean an hour later; in the one autumn repeats, the first', () => {
    const at = (wall: string) => instantAt(`${wall}:00.000Z`, PARIS).toISOString();
    expect(at('2026-03-29T01:59')).toBe('2026-03-29T00:59:00.000Z');
    expect(at('2026-03-29T02:00')).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
    expect(at('2026-03-29T03:00')).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-10-25T01:59')).toBe('2026-10-24T23:59:00.000Z');
    expect(at('2026-10-25T02:00')).toBe('2026-10-25T00:00:00.000Z');
    expect(at('2026-10-25T02:59')).toBe('2026-10-25T00:59:00.000Z');
    expect(at('2026-10-25T03:00')).toBe('2026-10-25T02:00:00.000Z');
  });
});

describe('An instant', () => {
  test('without an offset is the place’s time, with one it stands by itself', () => {
    const read = (text: string) => readInstant(text, PARIS)?.toISOString();
    expect(read('2026-06-20T18:30')).toBe('2026-06-20T16:30:00.000Z');
    expect(read('2026-01-20T18:30')).toBe('2026-01-20T17:30:00.000Z');
    expect(read('2026-06-20T18:30Z')).toBe('2026-06-20T18:30:00.000Z');
    expect(read('2026-06-20T18:30:00.000Z')).toBe('2026-06-20T18:30:00.000Z');
    expect(read('2026-06-20T18:30+02:00')).toBe('2026-06-20T16:30:00.000Z');
    expect(read('2026-06-20T18:30:15-05:30')).toBe('2026-06-21T00:00:15.000Z');
    expect(readInstant('2026-06-20T18:30', 'Pacific/Noumea')?.toISOString()).toBe('2026-06-20T07:30:00.000Z');
  });

  test('is nothing else', () => {
    for (const text of [
      '',
      'demain',
      '2026-06-20',
      '2026-02-30T10:00',
      '2026-06-20T18:30+2',
      '2026-06-20T18:30+0200',
      '2026-06-20T18:30+25:00',
      '2026-06-20T18:30+02:60',
      '2026-06-20T18:30ZZ',
      '2026-06-20T18:30Z+02:00',
    ]) {
      expect(readInstant(text, PARIS), text).toBeUndefined();
    }
  });

  test('written as the site writes it is read as itself', () => {
    fc.assert(
      fc.property(second, (date) => {
        expect(readInstant(date.toISOString(), PARIS)?.getTime()).toBe(date.getTime());
      }),
    );
  });
});

describe('Known clock changes', () => {
  const [start, end] = [new Date(Date.UTC(2022, 0)), new Date(Date.UTC(2029, 0))];

  test('are those of the zone, in few entries', () => {
    const paris = clockChangesBetween(PARIS, start, end);
    expect(paris).toHaveLength(2 + 2 * 7);
    expect(paris[1]).toEqual([Date.UTC(2022, 2, 27, 1) / MINUTE, 120]);
    expect(clockChangesBetween('Asia/Kathmandu', start, end).map(([, ahead]) => ahead)).toEqual([345, 345]);
  });

  test('give the same wall clock as `Intl`, within the time that they cover and outside it', () => {
    const seconds = fc.sample(second, 300);
    for (const zone of ZONES) {
      const changes = clockChangesBetween(zone, start, end);
      const edges = changes.flatMap(([minute]) =>
        [-1, 0, 1].map((by) => new Date(minute * MINUTE + by * 1_000)),
      );
      const instants = [...seconds, ...edges];
      const asked = instants.map((instant) => wallClock(instant, zone));
      knowClockChanges(zone, changes);
      expect(
        instants.map((instant) => wallClock(instant, zone)),
        zone,
      ).toEqual(asked);
    }
  });
});
