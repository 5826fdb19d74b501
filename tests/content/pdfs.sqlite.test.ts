import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import { booklet, minutesPdf, page, pages, pdf, SCRIPT, stream } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { camera } from '#tests/support/photos.ts';
import { openSite } from '#tests/support/site.ts';
import { isWhole } from '#tests/support/soak.ts';

/* Which PDFs are taken and which are refused, through the form of minutes; that of booklets asks the same. */

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
});
afterAll(() => site?.close());

const MB = 1024 * 1024;
const MINUTES = minutesPdf('Compte rendu de la réunion du 12 juin', [
  ...Array.from({ length: 20 }, (_, index) => `${index + 1}. Rien de particulier n’est à signaler.`),
  'La séance est levée.',
]);

const add = (...files: Uint8Array[]) => {
  const url = files.map((bytes): [Uint8Array, string, string] => [bytes, 'cr.pdf', 'application/pdf']);
  const body = form({ nom: 'Réunion', date_ajout: '2026-06-12', url });
  return site.call('POST /documents', { token, body });
};

/** Sends a PDF, and expects it to be kept as it is. */
async function expectTaken(bytes: Uint8Array): Promise<void> {
  const answer = await add(bytes);
  expect(answer.status, answer.text).toBe(201);
  const headers = { authorization: `Bearer ${token}` };
  const kept = await fetch(`${site.origin}/api/doc_stage_formateur/${answer.json.url}`, { headers });
  expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
}

test('a PDF without a title or tags is taken, and what to do for who hears it is said', async () => {
  const advice = async (bytes: Uint8Array) => (await add(bytes)).json.conseil;
  expect(await advice(MINUTES)).toMatch(/balises\u202f: qui l’écoute.*Word.*LibreOffice/);
  const printed = await site.services.pdfs.write({
    title: 'Réunion',
    about: 'Le CSE',
    blocks: [{ tag: 'H1', text: 'Réunion' }],
  });
  expect(await advice(printed)).toBeUndefined();
  // What another program makes of it has lost both.
  expect(await advice(through('pdftocairo', printed))).toMatch(/^Ce PDF n’a pas de (titre ni de )?balises/);
});

/** Runs a program on a PDF, and returns the PDF that it makes of it. */
function through(program: 'qpdf' | 'pdftocairo', bytes: Uint8Array, ...options: string[]): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'pdf-'));
  const [from, to] = ['in.pdf', 'out.pdf'].map((name) => join(directory, name)) as [string, string];
  try {
    writeFileSync(from, bytes);
    // qpdf takes files first, pages of them after.
    const args = program === 'qpdf' ? [from, ...options, to] : ['-pdf', ...options, from, to];
    execFileSync(program, args, { stdio: 'pipe' });
    return readFileSync(to);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Prints into a PDF, as viewers do by the same library. */
const printed = (bytes: Uint8Array, ...options: string[]) => through('pdftocairo', bytes, ...options);

/** The PDF, saying that its table is elsewhere. */
function withTableAt(place: number, bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/startxref\n\d+/, `startxref\n${place}`), 'latin1');
}

const CATALOG = '/OpenAction 5 0 R';
const LINK = linkTo('https://exemple.fr');
function linkTo(address: string): string {
  return `<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /A << /S /URI /URI (${address}) >> >>`;
}
/** A page with an annotation, or a field, as object 5. */
function annotated(annotation: string, catalog = '', more: Record<number, string | Buffer> = {}): Buffer {
  const { 3: sheet, ...rest } = page(catalog);
  const annots = String(sheet).replace('/Contents', '/Annots [5 0 R] /Contents');
  return pdf({ plain: { ...rest, 3: annots, 5: annotation, ...more } });
}
const FIELD = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (nom) /Rect [9 9 99 29]';
const FORM = '/AcroForm << /Fields [5 0 R] >>';

describe('Taken is', () => {
  const others: [string, () => Uint8Array][] = [
    ['a plain one', () => MINUTES],
    [
      'one with compressed objects',
      () => {
        const { 1: first = '', 2: second, 3: third, 4: fourth = '' } = page();
        return pdf({ plain: { 1: first, 4: fourth }, packed: { 2: String(second), 3: String(third) } });
      },
    ],
    ['one whose text speaks of scripts', () => pdf({ plain: page('', '/JavaScript /Launch /Encrypt') })],
    [
      'one with an outline',
      () => {
        const plain = page('/Outlines 5 0 R /PageMode /UseOutlines');
        return pdf({ plain: { ...plain, 5: '<< /Type /Outlines /Count 0 >>' } });
      },
    ],
    ['one that opens on a page', () => pdf({ plain: page('/OpenAction [3 0 R /XYZ null null 1]') })],
    [
      'one that opens on a page by a jump',
      () => pdf({ plain: page('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>') }),
    ],
    [
      'one that opens on a page by a jump elsewhere in the file, with links',
      () => pdf({ plain: { ...page(CATALOG), 5: '<< /Type /Action /S /GoTo /D <FEFF0031> >>', 6: LINK } }),
    ],
    [
      'the same in compressed objects',
      () => pdf({ plain: page(CATALOG), packed: { 6: LINK, 5: '<< /S /GoTo /D [3 0 R /Fit] >>', 7: LINK } }),
    ],
    ['one that asks to be printed', () => pdf({ plain: page('/OpenAction << /S /Named /N /Print >>') })],
    ['one that hides a field as it opens', () => pdf({ plain: page('/OpenAction << /S /Hide /T (x) >>') })],
    [
      'one with resources named like triggers',
      () => pdf({ plain: page('/Extra << /AAB 5 0 R /F /AA /AA 4 0 R >>') }),
    ],
    ['one with a form that is filled in', () => annotated(`${FIELD} >>`, FORM)],
    ['one with a form that is emptied', () => annotated(`${FIELD} /A << /S /ResetForm >> >>`, FORM)],
    [
      'one with a file that nothing leads to',
      () => pdf({ plain: { ...page(), 5: stream('/Type /EmbeddedFile ', Buffer.from('MZ')) } }),
    ],
    ['one of 500 pages', () => pages(500, false)],
    ['one of 500 pages in compressed objects', () => pages(500, true)],
    ['one that lacks its last line', () => MINUTES.subarray(0, MINUTES.length - 10)],
    ['one whose table is elsewhere', () => withTableAt(99, MINUTES)],
    [
      'one whose table is off by a few bytes',
      () => Buffer.from(MINUTES.toString('latin1').replace('1 0 obj', '   1 0 obj'), 'latin1'),
    ],
    [
      'one of 20 MB',
      () => {
        const small = pdf({ plain: page() });
        return pdf({ plain: { ...page(), 9: stream('', Buffer.alloc(20 * MB - small.length - 200, 0x20)) } });
      },
    ],
    ...['\r\n  \n', '\0'.repeat(5_000), 'PK\u0003\u0004'.padEnd(3_000, 'z')].map(
      (after): [string, () => Uint8Array] => [
        `one with ${JSON.stringify(after.slice(0, 4))} after its end`,
        () => Buffer.concat([MINUTES, Buffer.from(after)]),
      ],
    ),
    ...['http://exemple.fr', 'mailto:a@exemple.fr', 'tel:+33102030405', 'www.exemple.fr', '#suite', ''].map(
      (address): [string, () => Uint8Array] => [
        `one with a link to « ${address} »`,
        () => annotated(linkTo(address)),
      ],
    ),
    ...['', '/ASCIIHexDecode', '[/ASCIIHexDecode /FlateDecode]', '[/FlateDecode /FlateDecode]'].map(
      (filter): [string, () => Uint8Array] => [
        `one with objects compressed by « ${filter} »`,
        () =>
          pdf({
            plain: page(CATALOG),
            packed: { 5: '[3 0 R /Fit]' },
            filter,
            encode: FILTERS[filter] as Encode,
          }),
      ],
    ),
  ];
  test.each(others)('%s', (_what, make) => expectTaken(make()));

  test('what a common tool writes', async () => {
    for (const options of [
      ['--object-streams=generate', '--linearize'],
      ['--object-streams=disable'],
      // It opens without a password: it is printing that asks for one.
      ['--encrypt', '', 'proprietaire', '256', '--print=none', '--'],
    ])
      await expectTaken(through('qpdf', MINUTES, ...options));
  });

  /** Files of 18 MB: all of them hold half a gigabyte of pictures. */
  const BOOKLETS = isWhole ? 28 : 2;
  test(`a booklet of photographs, whatever their bytes are: ${BOOKLETS} of them`, async () => {
    for (let seed = 0; seed < BOOKLETS; seed++) {
      const answer = await add(booklet(seed, 6));
      expect(answer.status, `seed ${seed}: ${answer.text}`).toBe(201);
    }
  });
});

type Encode = (bytes: Buffer) => Buffer;
const hex: Encode = (bytes) => Buffer.from(`${bytes.toString('hex')}>`);
const FILTERS: Record<string, Encode> = {
  '': (bytes) => bytes,
  '/ASCIIHexDecode': hex,
  '[/FlateDecode /ASCIIHexDecode]': (bytes) => deflateSync(hex(bytes)),
  '[/ASCIIHexDecode /FlateDecode]': (bytes) => hex(deflateSync(bytes)),
  '[/FlateDecode /FlateDecode]': (bytes) => deflateSync(deflateSync(bytes)),
};

describe('Refused is', () => {
  const PRINT = 'imprimez-le en PDF, puis envoyez cette copie.';
  const BROKEN = `ce PDF est abîmé ou incomplet\u202f: demandez-le de nouveau ou, s’il s’ouvre, ${PRINT}`;
  const LOCKED = `ce PDF ne s’ouvre qu’avec un mot de passe\u202f: ouvrez-le, ${PRINT}`;
  const UNREAD = `ce PDF est fait d’une façon que le site ne sait pas vérifier\u202f: ${PRINT}`;
  const TOO_MUCH = `ce PDF demande trop de mémoire ou de calcul\u202f: ${PRINT}`;
  const holding = (what: string) => `ce PDF contient ${what}\u202f: ${PRINT}`;
  const ACTS = holding('un script');
  const OPENS = holding('une adresse qui s’ouvre d’elle-même');
  const MEDIA = holding('un son, une vidéo ou une vue en 3D');
  const FILE = holding('un lien vers un autre fichier');
  const ASTRAY = holding('un lien qui ne mène pas au web');

  async function snapshot() {
    const { db } = site.services.database;
    const rows = await Promise.all([
      db.selectFrom('documents').select('id').execute(),
      db.selectFrom('fichiers').select('nom').execute(),
    ]);
    const files = readdirSync(join(site.directory, 'files'), { recursive: true, withFileTypes: true });
    return [...rows.map((list) => list.length), files.filter((entry) => entry.isFile()).length];
  }
  async function expectRefused(status: number, bytes: Uint8Array, ...reasons: string[]) {
    const before = await snapshot();
    const answer = await add(bytes);
    expect(answer.status, answer.text).toBe(status);
    expect(Object.keys(answer.json.champs)).toEqual(['url']);
    expect(reasons).toContain(answer.json.champs.url);
    expect(answer.json.message).toBe(`Fichier PDF\u202f: ${answer.json.champs.url}`);
    expect(await snapshot()).toEqual(before);
    await expect.poll(() => readdirSync(site.services.staging.directory)).toEqual([]);
  }
  /** A PDF that is refused, and whose printed copy is taken. */
  async function expectPrinted(bytes: Uint8Array, ...reasons: string[]) {
    await expectRefused(422, bytes, ...reasons);
    await expectTaken(printed(bytes));
  }

  test('a picture under the name of a PDF', async () => {
    await expectRefused(415, await camera('right.jpg'), 'un fichier PDF est attendu.');
  });
  test('a text, a page, or nothing much under the name of a PDF', async () => {
    for (const text of ['Bonjour', '<html>%PDF-1.4', ' %PDF-1.4', '%PD'])
      await expectRefused(415, Buffer.from(text.padEnd(64)), 'un fichier PDF est attendu.');
  });
  test('an empty file', async () => {
    await expectRefused(422, Buffer.alloc(0), 'ce fichier est vide.');
  });
  test('a file of more than 20 MB', async () => {
    const bytes = pdf({ plain: { ...page(), 9: stream('', Buffer.alloc(20 * MB, 0x20)) } });
    await expectRefused(413, bytes, 'ce fichier est trop lourd (20\u00a0Mo au plus).');
  });

  test('one that was cut, unless all of it is sent', async () => {
    await expectRefused(422, MINUTES.subarray(0, MINUTES.length >> 1), BROKEN);
    await expectTaken(MINUTES);
    const whole = booklet(1, 2, [300, 300]);
    await expectRefused(422, whole.subarray(0, 400_000), BROKEN);
    await expectTaken(whole);
  });
  test('one that lacks a part and has a damaged table', async () => {
    await expectPrinted(withTableAt(99, pdf({ plain: page('/Outlines 77 0 R') })), BROKEN);
  });
  test('one without anything to show', async () => {
    await expectRefused(422, Buffer.from('%PDF-1.7\n'), BROKEN);
    const none = { 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Count 0 /Kids [] >>' };
    await expectRefused(422, pdf({ plain: none }), BROKEN);
  });

  test('one that opens by a password only, unless it is opened and printed', async () => {
    const locked = through('qpdf', MINUTES, '--encrypt', 'lecture', 'proprietaire', '256', '--');
    await expectRefused(422, locked, LOCKED);
    await expectTaken(printed(locked, '-upw', 'lecture'));
    const encrypt = '/Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (x) /P -4 >>';
    for (const trailer of [encrypt, encrypt.replace('/Encrypt', '/#45ncrypt')])
      await expectRefused(422, pdf({ plain: page(), trailer }), LOCKED, BROKEN);
  });

  test('one of more than 500 pages, unless it is sent in two', async () => {
    const reason = (count: number) =>
      `ce PDF a ${count} pages (500 au plus)\u202f: envoyez-le en plusieurs fichiers.`;
    const long = pages(501, false);
    await expectRefused(422, long, reason(501));
    await expectRefused(422, pages(501, true), reason(501));
    for (const part of ['1-300', '301-z'])
      await expectTaken(through('qpdf', long, '--pages', '.', part, '--'));
    // A hundred thousand times the same page.
    const { 2: _, ...rest } = page();
    const kids = '3 0 R '.repeat(100_000);
    const tree = `<< /Type /Pages /Count 100000 /Kids [${kids}] >>`;
    await expectRefused(422, pdf({ plain: { ...rest, 2: tree } }), reason(100_000));
  });

  const acting: [string, string, string, string][] = [
    ['a script', CATALOG, SCRIPT, ACTS],
    ['a script, its name escaped', CATALOG, '<< /S /J#61vaScript /J#53 (app.alert\\(1\\)) >>', ACTS],
    ['a script, its name wholly escaped', CATALOG, '<< /S /#4A#61#76#61#53#63#72#69#70#74 /JS (x) >>', ACTS],
    [
      'a script among the names of the document',
      '/Names << /JavaScript 5 0 R >>',
      `<< /Names [(a) ${SCRIPT}] >>`,
      ACTS,
    ],
    ['a script behind a jump', CATALOG, `<< /S /GoTo /D [3 0 R /Fit] /Next ${SCRIPT} >>`, ACTS],
    [
      'a program to launch',
      CATALOG,
      '<< /S /Launch /F (cmd.exe) >>',
      holding('un lien qui lance un programme'),
    ],
    [
      'an attached file',
      '/Names << /EmbeddedFiles 5 0 R >>',
      '<< /Names [(a.exe) << /Type /Filespec /EF << /F 6 0 R >> >>] >>',
      holding('un fichier joint'),
    ],
    ['a jump into an attached file', CATALOG, '<< /S /GoToE /T << /R /C >> >>', FILE],
    [
      'a form that sends',
      CATALOG,
      '<< /S /SubmitForm /F (https://exemple.fr) >>',
      holding('un formulaire qui s’envoie'),
    ],
    [
      'a form that imports',
      CATALOG,
      '<< /S /ImportData /F (x.fdf) >>',
      holding('un formulaire qui lit un fichier'),
    ],
    ['an XFA form', '/AcroForm 5 0 R', '<< /XFA 6 0 R >>', holding('un formulaire XFA')],
    ['rich media', '/Extra 5 0 R', '<< /Type /Annot /Subtype /RichMedia >>', MEDIA],
    ['a sound when it opens', CATALOG, '<< /S /Sound /Sound 6 0 R >>', MEDIA],
    ['an address to open', CATALOG, '<< /S /URI /URI (https://exemple.fr) >>', OPENS],
    [
      'an address to open, its name escaped',
      '/Open#41ction 5 0 R',
      '<< /S /U#52I /UR#49 (https://exemple.fr) >>',
      OPENS,
    ],
    [
      'an address behind a jump',
      CATALOG,
      '<< /S /GoTo /D [3 0 R /Fit] /Next [<< /S /GoTo /D [3 0 R /Fit] /Next << /S /URI /URI (https://exemple.fr) >> >>] >>',
      OPENS,
    ],
    [
      'an address among the words of a jump',
      CATALOG,
      '<< /D (/S /GoTo) /S /URI /URI (https://exemple.fr) >>',
      OPENS,
    ],
    [
      'a jump into another file',
      '/Extra 5 0 R',
      '<< /Subtype /Link /A << /S /GoToR /F (x.pdf) /D [0 /Fit] >> >>',
      FILE,
    ],
    [
      'an address when it is printed',
      '/AA << /WP 5 0 R >>',
      '<< /S /URI /URI (https://exemple.fr) >>',
      OPENS,
    ],
    [
      'an address when a page is shown',
      '/Extra 5 0 R',
      '<< /AA<< /O << /S /URI /URI (https://exemple.fr) >> >> >>',
      OPENS,
    ],
    ['what its addresses begin with', '/URI 5 0 R', '<< /Base (file:///) >>', ASTRAY],
  ];
  test.each(acting)('one with %s, plain or in compressed objects', async (_what, catalog, object, reason) => {
    await expectPrinted(pdf({ plain: { ...page(catalog), 5: object } }), reason);
    await expectRefused(422, pdf({ plain: page(catalog), packed: { 5: object } }), reason);
    // The catalog itself compressed, and its name of a type escaped.
    const { 1: first, ...rest } = page(catalog);
    await expectRefused(422, pdf({ plain: rest, packed: { 1: String(first), 5: object } }), reason);
    const type = '/Type /Obj#53tm ';
    await expectRefused(422, pdf({ plain: page(catalog), packed: { 5: object }, type }), reason, BROKEN);
  });

  const clicked: [string, () => Uint8Array, string][] = [
    ...[
      'javascript:alert(1)',
      'java\\tscript:alert(1)',
      'JAVASCRIPT:x',
      'file:///etc/passwd',
      'C:/x.exe',
      'data:text/html,x',
    ].map((address): [string, () => Uint8Array, string] => [
      `a link to ${address}`,
      () => annotated(linkTo(address)),
      ASTRAY,
    ]),
    [
      'a link with a script',
      () => annotated(`<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /A ${SCRIPT} >>`),
      ACTS,
    ],
    [
      'a field that writes its date by a script',
      () =>
        annotated(
          `${FIELD} /AA << /F << /S /JavaScript /JS (AFDate_FormatEx\\("dd/mm/yyyy"\\)) >> >> >>`,
          FORM,
        ),
      ACTS,
    ],
    [
      'a file attached to a page',
      () =>
        annotated(
          '<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 99 99] /FS << /Type /Filespec /F (a) /EF << /F 6 0 R >> >> >>',
          '',
          { 6: stream('/Type /EmbeddedFile ', Buffer.from('MZ')) },
        ),
      holding('un fichier joint'),
    ],
    [
      'an entry of its outline with a script',
      () => {
        const outline = '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>';
        return pdf({
          plain: { ...page('/Outlines 5 0 R'), 5: outline, 6: `<< /Title (x) /Parent 5 0 R /A ${SCRIPT} >>` },
        });
      },
      ACTS,
    ],
    [
      'a script, its table elsewhere',
      () => withTableAt(99, pdf({ plain: { ...page(CATALOG), 5: SCRIPT } })),
      ACTS,
    ],
    [
      'a script where its table shows nothing, and viewers that mend it do',
      () =>
        pdf({
          plain: { ...page(CATALOG), 6: '[3 0 R /Fit]', 7: `null\nendobj\n5 0 obj\n${SCRIPT}` },
          inside: { 5: '6 0 obj' },
        }),
      BROKEN,
    ],
    [
      'an address whose number stands behind a comment, beside an innocent one',
      () => {
        const address = '5 % 7 8\n0 obj\n<< /S /URI /URI (https://exemple.fr) >>\nendobj';
        const plain = { ...page(CATALOG), 5: '[3 0 R /Fit]', 8: `null\nendobj\n${address}` };
        return pdf({ plain, inside: { 5: '5 % 7 8' } });
      },
      OPENS,
    ],
    [
      'a script behind a title that holds the word « stream »',
      () =>
        pdf({
          plain: {
            ...page('/OpenAction 6 0 R'),
            5: '<< /Title (Le mot stream) >>',
            6: SCRIPT,
            7: stream('', Buffer.from('x')),
          },
          trailer: '/Info 5 0 R',
        }),
      ACTS,
    ],
    [
      'a script behind a remark that holds the word « stream »',
      () =>
        pdf({
          plain: {
            ...page('/OpenAction 6 0 R'),
            5: '<< /A 1 >> % stream\n',
            6: SCRIPT,
            7: stream('', Buffer.from('x')),
          },
        }),
      ACTS,
    ],
    [
      'a script in the data of a stream, where the table finds it',
      () =>
        pdf({
          plain: { ...page('/OpenAction 9 0 R'), 5: stream('', Buffer.from(`9 0 obj\n${SCRIPT}\nendobj\n`)) },
          inside: { 9: '9 0 obj' },
        }),
      ACTS,
    ],
    ...Object.entries(FILTERS).map(([filter, encode]): [string, () => Uint8Array, string] => [
      `a script in objects compressed by « ${filter} »`,
      () => pdf({ plain: page(CATALOG), packed: { 5: SCRIPT }, filter, encode }),
      ACTS,
    ]),
  ];
  test.each(clicked)('one with %s', (_what, make, reason) => expectPrinted(make(), reason));

  test('one with a script in compressed objects that do not say their type, or are damaged', async () => {
    const packed = { 5: SCRIPT };
    await expectPrinted(pdf({ plain: page(CATALOG), packed, type: '' }), ACTS);
    const encode: Encode = (bytes) => deflateSync(bytes).subarray(0, 12);
    await expectPrinted(pdf({ plain: page(CATALOG), packed, encode }), ACTS, BROKEN, UNREAD);
  });

  test('one whose objects unfold into a gigabyte, for the memory that this takes', async () => {
    const blanks = deflateRawSync(Buffer.alloc(64 * MB, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
    const encode: Encode = () =>
      deflateSync(Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(16).fill(blanks)]));
    const filter = '[/FlateDecode /FlateDecode]';
    await expectRefused(
      422,
      pdf({ plain: page(CATALOG), packed: { 5: '[3 0 R /Fit]' }, filter, encode }),
      TOO_MUCH,
    );
    await expectTaken(MINUTES);
  });

  test('two files where one is expected', async () => {
    const before = await snapshot();
    const answer = await add(MINUTES, MINUTES);
    expect([answer.status, answer.json.champs]).toEqual([422, { url: 'un seul fichier.' }]);
    expect(await snapshot()).toEqual(before);
  });

  test('and none of it was an error of the server', async () => {
    expect(site.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([]);
    await expectTaken(MINUTES);
  });
});
