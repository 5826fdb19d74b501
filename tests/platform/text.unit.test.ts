import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { line, paragraphs, password, required, webAddress } from '#platform/shared/text.ts';

const passes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const said = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

const UNREADABLE = ['ce texte contient des caractères illisibles.'];
const CONTROLS = [...Array(32).keys(), 127].map((code) => String.fromCharCode(code));
const LONE = ['\ud800', '\udfff', 'a\ud83d', '\ude00b', '\ude00\ud83d'];

/** Text of any character, whole ones only. */
const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed());

describe('A line', () => {
  test('is kept as typed, but for the blanks around', () => {
    for (const value of [
      'Été',
      'a  b',
      '<b>&amp;"\'',
      "'; drop table x;--",
      '😀👨‍👩‍👧',
      'e\u0301',
      '\u202eenvers',
      'a\u00a0b',
      '{{x}}',
      '__proto__',
    ]) {
      expect(line(200).parse(value)).toBe(value);
      expect(line(200).parse(` \t${value}\r\n `)).toBe(value);
    }
    expect(line(10).parse('')).toBe('');
    expect(line(10).parse('   ')).toBe('');
  });

  test('holds no control character, line break or half of a character', () => {
    for (const character of [...CONTROLS, '\u2028', '\u2029']) {
      expect(said(line(20), `a${character}b`), JSON.stringify(character)).toEqual(UNREADABLE);
    }
    for (const value of LONE) expect(said(line(20), value), JSON.stringify(value)).toEqual(UNREADABLE);
  });

  test('is as long as a person counts', () => {
    expect(passes(line(5), 'abcde')).toBe(true);
    expect(said(line(5), 'abcdef')).toEqual(['5 caractères au plus (6 reçus).']);
    expect(passes(line(5), '😀'.repeat(5))).toBe(true);
    expect(said(line(5), '😀'.repeat(6))).toEqual(['5 caractères au plus (6 reçus).']);
    expect(passes(line(5), `${' '.repeat(50)}abcde${' '.repeat(50)}`)).toBe(true);
  });

  test('is a text, and one only', () => {
    expect(said(line(5), undefined)).toEqual(['ce champ est obligatoire.']);
    for (const value of [null, 1, true, ['a'], [], {}, new String('a')]) {
      expect(said(line(5), value), String(value)).toEqual(['un seul texte est attendu ici.']);
    }
  });

  test('any text comes back as it was, or is refused', () => {
    fc.assert(
      fc.property(text, (value) => {
        const read = line(10_000).safeParse(value);
        if (read.success) expect(read.data).toBe(value.trim());
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
        else expect(value.trim()).toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('Paragraphs', () => {
  test('keep their line breaks, each written in one way', () => {
    expect(paragraphs(50).parse('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
    expect(paragraphs(50).parse('a\r\n\r\nb')).toBe('a\n\nb');
    expect(paragraphs(50).parse('  a\t\n ')).toBe('  a\t\n ');
    expect(paragraphs(50).parse('a\u2028b')).toBe('a\u2028b');
  });

  test('a line break counts once, however it was sent', () => {
    expect(passes(paragraphs(5), 'ab\r\ncd')).toBe(true);
    expect(said(paragraphs(5), 'ab\r\ncde')).toEqual(['5 caractères au plus (6 reçus).']);
  });

  test('hold no control character or half of a character', () => {
    for (const character of CONTROLS.filter((one) => !'\t\n\r'.includes(one))) {
      expect(said(paragraphs(20), `a${character}b`), JSON.stringify(character)).toEqual(UNREADABLE);
    }
    for (const value of LONE) expect(passes(paragraphs(20), value)).toBe(false);
  });

  test('read twice are themselves', () => {
    fc.assert(
      fc.property(text, (value) => {
        const read = paragraphs(10_000).safeParse(value);
        if (read.success) expect(paragraphs(10_000).parse(read.data)).toBe(read.data);
      }),
    );
  });
});

describe('A password', () => {
  test('is kept as typed, blanks included', () => {
    for (const value of [' a ', '  ', '', '\u00a0', 'é'.normalize('NFD'), '😀'])
      expect(password(50).parse(value)).toBe(value);
  });

  test('holds no control character or line break', () => {
    for (const character of [...CONTROLS, '\u2028'])
      expect(passes(password(20), `a${character}b`)).toBe(false);
    expect(passes(password(20), '\n')).toBe(false);
    for (const value of LONE) expect(passes(password(20), value)).toBe(false);
  });
});

describe('What is required', () => {
  test('is not blank', () => {
    for (const value of ['', ' ', '\t\n', '\u00a0', '\u2003', '\ufeff']) {
      expect(said(required(line(20)), value), JSON.stringify(value)).toEqual(['ce champ est obligatoire.']);
      expect(passes(required(paragraphs(20)), value), JSON.stringify(value)).toBe(false);
    }
    expect(said(required(line(20)), undefined)).toEqual(['ce champ est obligatoire.']);
    expect(said(required(line(20)), null)).toEqual(['un seul texte est attendu ici.']);
    expect(required(line(20)).parse(' a ')).toBe('a');
  });

  test('says one reason', () => {
    for (const value of ['', 'a'.repeat(21), 'a\u0000', '\ud800'])
      expect(said(required(line(20)), value)).toHaveLength(1);
  });
});

describe('A web address', () => {
  test('is an absolute one over http or https, or blank', () => {
    for (const value of [
      '',
      '   ',
      'https://exemple.fr',
      'http://exemple.fr/',
      'HTTPS://EXEMPLE.FR/A',
      'https://exemple.fr:8443/a?b=c&d=%20#e',
      'https://comité.fr/été',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://exemple.fr/(a)',
      ' https://exemple.fr ',
    ]) {
      expect(passes(webAddress(200), value), value).toBe(true);
    }
    expect(webAddress(200).parse(' https://exemple.fr ')).toBe('https://exemple.fr');
    expect(webAddress(200).parse('www.exemple.fr')).toBe('https://www.exemple.fr');
  });

  test('runs nothing, leads nowhere else and holds no blank', () => {
    const refused = [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'javascript://exemple.fr/%0aalert(1)',
      'data:text/html,x',
      'vbscript:x',
      'blob:https://exemple.fr/x',
      'file:///etc/passwd',
      'ftp://exemple.fr',
      'mailto:a@exemple.fr',
      'tel:1',
      '//exemple.fr',
      '/chemin',
      'chemin',
      'exemple.fr',
      'www. exemple.fr',
      '?x',
      '#x',
      'https:',
      'https:/',
      'https://',
      'https:///',
      'https:exemple.fr',
      'https:/exemple.fr',
      'https:\\\\exemple.fr',
      'https://\\exemple.fr',
      'https:///exemple.fr',
      'https://?x',
      'https://#x',
      'https://:80',
      'https://[',
      'https://exemple.fr:99999',
      'https://exem ple.fr',
      'https:// exemple.fr',
      'https://exemple.fr/a b',
      'https://exemple.fr https://autre.fr',
      'https://exemple.fr\u00a0x',
      'https://exemple.fr/\r\nSet-Cookie: a=b',
      'https://exemple.fr/\nx',
      'https://exemple.fr/\tx',
      'https://exemple.fr/\u0000',
      'https://exemple.fr/\u2028x',
      'https://exemple.fr/\ud800',
    ];
    expect(refused.filter((value) => passes(webAddress(200), value))).toEqual([]);
  });

  test('says one reason', () => {
    for (const value of ['javascript:x', 'https://exemple.fr/\u0000', 'x'.repeat(201)]) {
      expect(said(webAddress(200), value)?.length, value).toBeGreaterThanOrEqual(1);
    }
    expect(said(webAddress(50), 'exemple')).toEqual([
      'cette adresse doit commencer par https:// ou http://.',
    ]);
  });

  test('whatever passes is one to a browser', () => {
    const head = fc.constantFrom(
      'https://',
      'http://',
      'HTTP://',
      'https:/',
      'javascript:',
      'https://a',
      '//',
      '\thttps://',
    );
    fc.assert(
      fc.property(
        head,
        fc.string({ unit: fc.constantFrom(...'ab./:@?#%[]\\ \t\n<>"\'é😀') }),
        (start, rest) => {
          const read = webAddress(500).safeParse(start + rest);
          if (!read.success || read.data === '') return;
          expect(['http:', 'https:']).toContain(new URL(read.data, 'https://site.test/page').protocol);
          expect(new URL(read.data, 'https://site.test/page').href).toBe(new URL(read.data).href);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
