import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { shareOf } from '#tests/support/soak.ts';
import { type BookCell, type BookSheet, book } from '#tests/support/workbooks.ts';

/* One true list, written in the many ways in which lists are: it gives the same children or a question, never others. */

const site: TestSite = await openSite();
let token: string;
beforeAll(async () => {
  token = await site.tokenOf('admin');
  const stays = 'Séjour;Du;Au\nMontagne;12/07/2026;26/07/2026\nÉté à la mer;06/07/2026;20/07/2026\n';
  expect((await send('/uploadSejour', Buffer.from(stays))).status).toBe(200);
});
afterAll(() => site?.close());

function send(path: string, file: Buffer) {
  return site.call(`POST ${path}`, { token, body: form({ file: [file, 'liste'] }) });
}

const COLUMNS = [
  'nom',
  'prenom',
  'email',
  'consentement_image',
  'nom_stage',
  'date_debut',
  'date_fin',
] as const;
type Child = Record<(typeof COLUMNS)[number], string>;

const MONTAGNE = { nom_stage: 'Montagne', date_debut: '2026-07-12', date_fin: '2026-07-26' };
const MER = { nom_stage: 'Été à la mer', date_debut: '2026-07-06', date_fin: '2026-07-20' };
const child = (
  nom: string,
  prenom: string,
  email: string,
  consentement_image: string,
  stay: typeof MER,
): Child => ({
  ...{ nom, prenom, email, consentement_image, ...stay },
});
const CHILDREN = [
  child('Lefèvre', 'Zoë', 'zoe@exemple.fr', 'oui', MONTAGNE),
  child('Bérard', 'Anaïs', 'berard@exemple.fr', 'non', MER),
  child('Le Goff', 'François', 'legoff@exemple.fr', '', MONTAGNE),
  child('Nguyen', 'Théo', 'nguyen@exemple.fr', 'oui', MER),
  child('Benoît', 'Léa', 'benoit@exemple.fr', 'non', MONTAGNE),
];
/** Of a hidden line, and of another sheet. */
const CANCELLED = child('Annulé', 'Jo', 'annule@exemple.fr', 'oui', MER);
const OLDER = child('Ancien', 'Paul', 'ancien@exemple.fr', 'oui', MONTAGNE);

/** Headers: known, known by their words, or to be asked about. */
const titles = fc.record({
  nom: fc.constantFrom('Nom', 'NOM', 'Nom de l’enfant', 'Nom de famille', 'nom_enfant'),
  prenom: fc.constantFrom('Prénom', 'Prénom de l’enfant', 'PrenomEnfant', 'Prénoms'),
  email: fc.constantFrom('E-mail', 'Courriel', 'Mail RL1', 'Adresse électronique du parent', 'Contact'),
  consentement_image: fc.constantFrom('Droit à l’image', 'Autorisation photos', 'Consentement', 'Photos'),
  nom_stage: fc.constantFrom('Séjour', 'Colo demandée', 'Nom du séjour', 'Stage'),
  date_debut: fc.constantFrom('Du', 'Début', 'Date de début', 'Départ'),
  date_fin: fc.constantFrom('Au', 'Fin', 'Date de fin du séjour', 'Retour'),
});
const others = fc.subarray(['Né le', 'Nom du responsable', 'Allergies', 'E-mail', 'Nom', 'Tranche']);

const DAYS: readonly ((iso: string) => string)[] = [
  (iso) => iso.split('-').reverse().join('/'),
  (iso) => iso,
  (iso) => `${Number(iso.slice(8))} juillet 2026`,
  (iso) => `${iso.slice(8)}-juil-26`,
  (iso) => String(Date.parse(iso) / 86_400_000 + 25_569),
  (iso) => new Date(Date.parse(iso) - 7_200_000).toISOString(),
];
const ADDRESSES: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => `mailto:${address}`,
  (address) => `La famille <${address}>`,
  (address) => `\u00a0${address}.`,
];
const CONSENTS: readonly Record<string, string>[] = [
  { oui: 'oui', non: 'non' },
  { oui: 'J’autorise', non: 'Je n’autorise pas' },
  { oui: 'x', non: 'N' },
  { oui: 'VRAI', non: 'refus' },
  { oui: 'oui mais', non: 'voir avec la mère' },
];

const written = fc.record({
  titles,
  others,
  order: fc.shuffledSubarray([...COLUMNS.keys(), 90, 91, 92, 93, 94, 95], { minLength: 13, maxLength: 13 }),
  lines: fc.shuffledSubarray(CHILDREN, { minLength: 1 }),
  day: fc.constantFrom(...DAYS),
  address: fc.constantFrom(...ADDRESSES),
  consent: fc.constantFrom(...CONSENTS),
  above: fc.subarray(['Liste des inscrits, été 2026', 'CSE « Les Étés »']),
});
type Written = typeof written extends fc.Arbitrary<infer W> ? W : never;

/** The rows of a list: what stands above, its headers, its lines. */
function rowsOf(
  { titles: named, others: more, order, day, address, consent, above }: Written,
  lines: readonly Child[],
) {
  const cellOf = (one: Child, column: keyof Child) => {
    if (column === 'email') return address(one.email);
    if (column === 'consentement_image') return consent[one.consentement_image] ?? '';
    return column.startsWith('date_') ? day(one[column]) : one[column];
  };
  const row = (own: (column: keyof Child) => string, other: (title: string) => string) =>
    order.flatMap((place) => {
      const column = COLUMNS[place];
      if (column) return [own(column)];
      const title = more[place - 90];
      return title === undefined ? [] : [other(title)];
    });
  return [
    ...above.map((title) => [title]),
    row(
      (column) => named[column],
      (title) => title,
    ),
    ...lines.map((one) =>
      row(
        (column) => cellOf(one, column),
        (title) => (title === 'Né le' ? '03/05/2015' : 'autre'),
      ),
    ),
  ];
}

const texts = fc
  .record({
    written,
    encoding: fc.constantFrom('utf8', 'win1252', 'cp850', 'macroman', 'utf-16le', 'utf-16be'),
    separator: fc.constantFrom(';', ',', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    isQuoted: fc.boolean(),
    isNamed: fc.boolean(),
  })
  .map(({ written: one, encoding, separator, end, isQuoted, isNamed }) => {
    const needs = new RegExp(`[${separator}"\\n]`);
    const cell = (text: string) => (isQuoted || needs.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = rowsOf(one, one.lines).map((row) => row.map(cell).join(separator));
    const text = [...(isNamed ? [`sep=${separator}`] : []), ...lines, ''].join(end);
    // Neither has that apostrophe.
    const plain = encoding === 'cp850' ? text.replaceAll('’', "'") : text;
    return { file: iconv.encode(plain, encoding), lines: one.lines, about: { encoding, text } };
  });

const books = fc
  .record({
    written,
    isHiding: fc.boolean(),
    sheets: fc.shuffledSubarray(['liste', 'anciens', 'notice'] as const, { minLength: 1 }),
    date1904: fc.boolean(),
    areDays: fc.boolean(),
  })
  .map(({ written: one, isHiding, sheets, date1904, areDays }) => {
    const real = areDays || date1904 ? { ...one, day: (iso: string) => `jour ${iso}` } : one;
    const cells = (rows: string[][]): BookCell[][] =>
      rows.map((row) => row.map((text) => (text.startsWith('jour ') ? { day: text.slice(5) } : text)));
    const rows = rowsOf(real, isHiding ? [...one.lines, CANCELLED] : one.lines);
    const liste: BookSheet = { name: 'Liste', rows: cells(rows), hidden: isHiding ? [rows.length] : [] };
    const anciens: BookSheet = { name: 'Anciens', state: 'hidden', rows: cells(rowsOf(real, [OLDER])) };
    const notice: BookSheet = { name: 'Lisez-moi', rows: [['Une ligne par enfant'], ['Merci', '']] };
    const named = { liste, anciens, notice };
    const all = [...new Set([...sheets, 'liste' as const])].map((name) => named[name]);
    return { file: book(all, { date1904 }), lines: one.lines, about: { all, date1904 } };
  });

test('A list gives the same children or a question, never others, however it is written', async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(texts, books), async ({ file, lines }) => {
      const { status, json } = await send('/upload/apercu', file);
      if (status === 422) {
        // A question: about headers, with what was read.
        expect(json.lu).toBeDefined();
        expect(json.titres.length).toBeGreaterThan(0);
        return;
      }
      expect(status).toBe(200);
      const { colonnes, extrait, fautes } = json;
      const keyOf = (one: Partial<Child>) => COLUMNS.map((column) => one[column] ?? '').join('|');
      // The name of a stay is enough: a column of its days may stay unread, as that of consents.
      const isRead = (column: string) => colonnes.includes(column);
      const truth = new Set(
        lines.map((one) =>
          keyOf(Object.fromEntries(Object.entries(one).filter(([column]) => isRead(column)))),
        ),
      );
      for (const { cellules } of extrait as { cellules: string[] }[]) {
        const one = Object.fromEntries(COLUMNS.map((column) => [column, cellules[colonnes.indexOf(column)]]));
        expect([...truth]).toContain(keyOf(one));
      }
      expect(extrait.length + fautes.length).toBe(lines.length);
      read += extrait.length;
    }),
    { numRuns: shareOf(450) },
  );
  expect(read).toBeGreaterThan(0);
}, 120_000);
