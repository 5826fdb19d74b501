import { describe, expect, test } from 'vitest';
import {
  isRounded,
  meaningIn,
  plainText,
  readAddresses,
  readConsent,
  readDay,
  readTelephone,
  strangeDays,
  whyUnreadable,
} from '#features/imports/server/cells.ts';

const each = (values: Record<string, unknown>, read: (text: string) => unknown) => {
  for (const [text, value] of Object.entries(values)) expect(read(text), text).toEqual(value);
};

describe('A cell', () => {
  test('says a day in figures, in words, as a spreadsheet counts or as a program writes', () => {
    const day = '2027-07-12';
    for (const text of [
      ...[
        '12/07/2027',
        '12/7/27',
        '12.07.2027',
        '12-07-2027',
        '12 07 2027',
        ' 12 / 07 / 2027 ',
        '2027/07/12',
      ],
      ...[
        '20270712',
        '12 juillet 2027',
        '12-juil-27',
        '12-juil.-27',
        'lundi 12 juillet 2027',
        'Lun. 12 JUIL. 2027',
      ],
      ...['le 12 juillet 2027', '12-Jul-27', '12 July 2027', '46580', '46580,5', '46580.75'],
      ...[
        '12/07/2027 00:00',
        '12/07/2027 14:30:00',
        '12/07/2027 à 14h30',
        '12/07/2027 14h',
        '2027-07-12T00:00:00',
      ],
      ...[
        '2027-07-12 00:00:00',
        '2027-07-11T22:00:00.000Z',
        '2027-07-12T00:00:00Z',
        '2027-07-12T00:00:00+02:00',
      ],
    ])
      expect(readDay(text, 'Europe/Paris'), text).toBe(day);
    each(
      { '1er août 2026': '2026-08-01', '1er aout 2026': '2026-08-01', '13 févr. 2027': '2027-02-13' },
      (text) => readDay(text, 'Europe/Paris'),
    );
    // Days that a workbook counts from 1904, and a site west of Greenwich, where midnight in UTC is that day.
    expect(readDay('45118', 'Europe/Paris', { is1904: true })).toBe(day);
    expect(readDay('2027-07-12T00:00:00.000Z', 'America/Martinique')).toBe(day);
  });

  test('says no day where one would have to guess', () => {
    for (const text of [
      '',
      'été',
      '12 juillet',
      '12 jui 2027',
      '31/02/2027',
      '12/25/2027',
      '123',
      '99999',
      '12/07',
    ])
      expect(readDay(text, 'Europe/Paris'), text).toBeUndefined();
  });

  test('says a French telephone number, its 0 lost or not; others stay as they are', () => {
    for (const text of [
      ...[
        '612345678',
        '33612345678',
        '+33 6 12 34 56 78',
        '0033612345678',
        '06.12.34.56.78',
        '06-12-34-56-78',
      ],
      ...['0612345678', '+33 (0)6 12 34 56 78', '612345678.0', '06\u00a012\u00a034\u00a056\u00a078'],
    ])
      expect(readTelephone(text), text).toBe('06 12 34 56 78');
    for (const text of [
      '+32 471 23 45 67',
      '0041 79 123 45 67',
      '06 12 34 56',
      '06 12 34 56 78 (mère)',
      '15',
      '3.36E+21',
    ])
      expect(readTelephone(text), text).toBeUndefined();
    expect(['3.3612345678e+21', '6,12E+08', '33612345678', '06 12'].map(isRounded)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  test('says addresses, however they are dressed', () => {
    each(
      {
        'a@b.fr': ['a@b.fr'],
        'Jean Dupont <jean@b.fr>': ['jean@b.fr'],
        'mailto:a@b.fr': ['a@b.fr'],
        'a@b.fr.': ['a@b.fr'],
        '\u200ba@b.fr\ufeff': ['a@b.fr'],
        'a@école.fr': ['a@xn--cole-9oa.fr'],
        'a@b.fr ; c@d.fr': ['a@b.fr', 'c@d.fr'],
        'a@b.fr et c@d.fr': ['a@b.fr', 'c@d.fr'],
        'a@b.fr/c@d.fr': ['a@b.fr', 'c@d.fr'],
        'a@b.fr, A@b.fr': ['A@b.fr'],
        'a@b.fr (mère)': ['a@b.fr'],
        // A second address that lacks its @ is not lost without a word.
        'a@b.fr ; papa.exemple.fr': ['a@b.fr ; papa.exemple.fr'],
        'a@@b.fr': ['a@@b.fr'],
        rien: ['rien'],
        '': [],
      },
      readAddresses,
    );
  });

  test('says yes, no, or nothing that one may be sure of', () => {
    const words = {
      oui: [
        'oui',
        'O',
        'x',
        '✓',
        '✔️',
        'J’autorise',
        "J'accepte",
        'Oui, j’accepte',
        'd’accord',
        'Autorisé',
        'VRAI',
        'OK',
      ],
      non: [
        'non',
        'Je n’autorise pas',
        'refuse',
        'Refus',
        'pas d’accord',
        'Non autorisé',
        'je refuse',
        '✗',
        'Interdit',
      ],
      inconnu: ['?', 'inconnu', 'à demander', 'non renseigné'],
    };
    for (const [consent, texts] of Object.entries(words))
      for (const text of texts) expect(readConsent(text), text).toBe(consent);
    for (const text of [
      ...[
        'Oui mais pas sur internet',
        'Autorisation à demander',
        'oui sauf réseaux sociaux',
        'je ne m’oppose pas',
      ],
      ...['', 'sans opinion', 'voir avec la mère', 'Oui, je refuse', 'pas de problème', 'accord partiel'],
    ])
      expect(readConsent(text), text).toBeUndefined();
  });

  test('is read as its author saw it', () => {
    each(
      {
        'LefÃ¨vre': 'Lefèvre',
        'Dâ€™Abord': 'D’Abord',
        'ÃƒÂ©lodie': 'élodie',
        'L&#039;Hermitte': "L'Hermitte",
        'Fran&ccedil;ois &amp; fils': 'François & fils',
        'Zoe\u0308': 'Zoë',
        'Lé\u200ba': 'Léa',
        'Château ÉLÉONORE': 'Château ÉLÉONORE',
        'A&B': 'A&B',
      },
      plainText,
    );
    const reading = { timeZone: 'Europe/Paris', is1904: false };
    // The export of this site puts an apostrophe before what would be a formula; a password is read sign for sign.
    expect(meaningIn('telephone', reading)("'+33612345678")).toBe('06 12 34 56 78');
    expect(meaningIn('nom', reading)("'- Martin")).toBe('- Martin');
    expect(meaningIn('nom', reading)("'t Hoen")).toBe("'t Hoen");
    expect(meaningIn('mdp_formateur', reading)(' a&amp;b ')).toBe('a&amp;b');
    expect(meaningIn('stageId', reading)('12.0')).toBe('12');
  });

  test('cannot be read where its formula or its accents are lost', () => {
    for (const text of [
      '#N/A',
      '#REF!',
      '#NOM?',
      '#VALEUR!',
      '#DIV/0!',
      'Err:502',
      'Nguy\ufffdn',
      '#SANS RÉSULTAT',
    ])
      expect(whyUnreadable(text), text).toMatch(/retapez|tapez la valeur/);
    for (const text of ['', 'Zoë', '#1', 'n/a', 'Martin & fils', 'LefÃ¨vre'])
      expect(whyUnreadable(text), text).toBeUndefined();
  });

  test('tells what is strange in the days of a stay', () => {
    const said = (date_debut: string, date_fin: string) =>
      strangeDays({ date_debut, date_fin }, '2026-05-01');
    expect(said('2026-07-12', '2026-07-26')).toBeUndefined();
    expect(said('2024-07-12', '2024-07-26')).toBeUndefined();
    expect(said('2026-07-12', '2027-07-26')).toContain('380 jours');
    expect(said('2062-07-12', '2062-07-26')).toContain('2062');
    expect(said('1926-07-12', '1926-07-26')).toContain('1926');
  });
});
