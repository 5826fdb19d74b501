import { describe, expect, test } from 'vitest';
import { news } from '#features/content/shared/kinds.ts';
import { readDay } from '#features/imports/server/cells.ts';
import {
  categoryOf,
  entriesOf,
  fileNames,
  hasMarkup,
  instantOf,
  numberOf,
  pathOf,
  shapedFor,
  textOf,
} from '#features/takeover/server/shapes.ts';

describe('What the original site says', () => {
  test('is a list, one entry, or neither', () => {
    expect(entriesOf([{ id: 1 }, null, 'x', [{ id: 2 }]])).toEqual([{ id: 1 }]);
    expect(entriesOf({ id: 1 })).toEqual([{ id: 1 }]);
    for (const other of [undefined, null, 'x', 3, []]) expect(entriesOf(other)).toEqual([]);
  });

  test('is a text where there is something to read', () => {
    expect([textOf('a'), textOf(5), textOf('a\u0000b')]).toEqual(['a', '5', 'ab']);
    for (const other of ['', ' \n', null, undefined, {}, true]) expect(textOf(other)).toBeUndefined();
  });

  test('has ids of digits only', () => {
    expect([numberOf(7), numberOf(' 7 ')]).toEqual(['7', '7']);
    for (const other of [0, -1, 1.5, '1e3', '01', '1; drop', {}, '9'.repeat(16)])
      expect(numberOf(other), String(other)).toBeUndefined();
  });

  test('names a day as people, databases and programs write it', () => {
    const days = {
      ...{ '2026-07-06': '2026-07-06', '06/07/2026': '2026-07-06', '2026-07-06 00:00:00': '2026-07-06' },
      // Midnight in Paris, in summer and in winter, as a program writes it; midnight in UTC.
      ...{ '2026-07-05T22:00:00.000Z': '2026-07-06', '2026-01-05T23:00:00.000Z': '2026-01-06' },
      '2026-07-06T00:00:00.000Z': '2026-07-06',
    };
    for (const [text, day] of Object.entries(days)) expect(readDay(text, 'Europe/Paris'), text).toBe(day);
    for (const text of ['', 'bientôt', '2026-02-30', '31/02/2026'])
      expect(readDay(text, 'Europe/Paris'), text).toBeUndefined();
  });

  test('names an instant with or without a time zone', () => {
    const read = (text: unknown) => instantOf(text, 'Europe/Paris');
    expect(read('2025-03-04T09:30:00.000Z')).toBe('2025-03-04T09:30:00.000Z');
    expect(read('2025-03-04 09:30:00')).toBe('2025-03-04T08:30:00.000Z');
    expect(read('2025-07-01')).toBe('2025-06-30T22:00:00.000Z');
    for (const other of ['hier', null, {}, '2025-13-01']) expect(read(other)).toBeUndefined();
  });

  test('names files one by one, joined, or in a list', () => {
    expect(fileNames('a.jpg; b.jpg;;')).toEqual(['a.jpg', 'b.jpg']);
    expect(fileNames(['a.jpg', 'b.jpg;c.jpg'])).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    for (const none of [null, undefined, '', 'null', {}]) expect(fileNames(none)).toEqual([]);
  });

  test('names a file with its folder, its host, or neither', () => {
    const names = {
      'a.jpg': '/api/images/a.jpg',
      '/api/images_stages/a.jpg': '/api/images_stages/a.jpg',
      'http://localhost:5000/api/images/a%20b.jpg?v=1': '/api/images/a%20b.jpg',
      'uploads\\été.jpg': '/api/images/%C3%A9t%C3%A9.jpg',
      'https://elsewhere.example/a.jpg': '/api/images/a.jpg',
      '100%.jpg': '/api/images/100%25.jpg',
    };
    for (const [name, path] of Object.entries(names)) expect(pathOf(name, 'images'), name).toBe(path);
  });

  test('leads nowhere else by the name of a file', () => {
    for (const name of ['../../etc/passwd', '/api/images/../../x', '/api/images/%2e%2e/x', '']) {
      const path = pathOf(name, 'images');
      expect(path === undefined || /^\/api\/images\/[^/]+$/.test(path), `${name} → ${path}`).toBe(true);
      expect(path ?? '').not.toContain('..');
    }
  });

  test('is put into the form of its field', () => {
    const field = { label: '', required: true, max: 200, inList: true };
    const shaped = (type: 'line' | 'address' | 'moment' | 'choice', text: string) =>
      shapedFor({ ...field, type, options: ['Employé', 'Responsable'] }, text, 'Europe/Paris');
    expect(shaped('line', ' Un\r\ntitre ')).toBe('Un titre');
    expect(shaped('address', 'www.exemple.fr')).toBe('https://www.exemple.fr');
    // Refused by the form, not repaired into a link.
    expect(shaped('address', 'javascript:alert(1)')).toBe('javascript:alert(1)');
    expect(shaped('moment', '2026-07-04 18:30:00')).toBe('2026-07-04T18:30:00.000Z');
    expect(shaped('choice', 'responsable')).toBe('Responsable');
    expect(shapedFor(news.fields.description, 'a\nb', 'Europe/Paris')).toBe('a\nb');
  });

  test('names the type of a director', () => {
    expect(['Séjour', 'sejour', 'directeur de centre', '', null].map(categoryOf)).toEqual([
      ...['sejour', 'sejour', 'centre'],
      ...[undefined, undefined],
    ]);
  });

  test('is told to have markup when it has', () => {
    for (const text of ['<p>a</p>', 'a<br>b', '<a href="x">y</a>']) expect(hasMarkup(text), text).toBe(true);
    for (const text of ['1 < 2 et 3 > 2', 'a <3 b', '<jean@exemple.fr>'])
      expect(hasMarkup(text), text).toBe(false);
  });
});
