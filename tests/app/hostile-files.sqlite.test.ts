import { readdirSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import { minutesPdf, pdf } from '#tests/support/pdfs.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { corners, heic } from '#tests/support/photos.ts';
import { create, fingerprint, send as sendPhoto } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';
import { shareOf } from '#tests/support/soak.ts';
import { workbook, workbookOf, zip } from '#tests/support/workbooks.ts';

/*
 * What the tests of each kind of file do not ask of the others: every kind cut in many places, under names that no
 * disk and no screen should take, and larger inside than outside.
 */

const CUTS = shareOf(40);

let site: TestSite;
let token: string;
let stageId: number;
beforeAll(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
  const stay = { nom_stage: 'Mer', date_debut: '2026-06-10', date_fin: '2026-06-20' };
  stageId = (await site.call('POST /stages', { token, body: stay })).json.id;
});
afterAll(() => site?.close());

const file = (bytes: Uint8Array, name: string): [Uint8Array, string] => [bytes, name];
/** Sends a file of each kind to where it belongs. */
const KINDS: Record<string, (bytes: Uint8Array, name: string) => Promise<Answer>> = {
  picture: (bytes, name) =>
    site.call('POST /actualites', {
      token,
      body: form({ titre: 'T', description: 'D', image: file(bytes, name) }),
    }),
  minutes: (bytes, name) =>
    site.call('POST /documents', {
      token,
      body: form({ nom: 'Juin', date_ajout: '2026-06-02', url: file(bytes, name) }),
    }),
  booklet: (bytes, name) =>
    site.call('POST /livrets-upload', { token, body: form({ livret: file(bytes, name) }) }),
  table: (bytes, name) =>
    site.call('POST /uploadSejour/apercu', { token, body: form({ file: file(bytes, name) }) }),
};

const ROWS = [
  ['nom_stage', 'date_debut', 'date_fin'],
  ['Neige', '01/02/2027', '08/02/2027'],
] as const;
const raster = { create: { width: 90, height: 60, channels: 3, background: '#c33' } } as const;
const GOOD: [string, keyof typeof KINDS, () => Promise<Uint8Array> | Uint8Array][] = [
  ['a PNG', 'picture', () => sharp(raster).png().toBuffer()],
  ['a JPEG', 'picture', () => sharp(raster).jpeg().toBuffer()],
  ['a WebP', 'picture', () => sharp(raster).webp().toBuffer()],
  ['an AVIF', 'picture', () => sharp(raster).avif().toBuffer()],
  ['a HEIC', 'picture', async () => heic(await corners(1))],
  ['minutes', 'minutes', () => minutesPdf('Juin', ['Un', 'Deux'])],
  ['a booklet', 'booklet', () => minutesPdf('Livret', ['Un'])],
  ['a workbook', 'table', () => workbook(ROWS)],
  ['a CSV file', 'table', () => Buffer.from(ROWS.map((row) => `"${row.join('";"')}"`).join('\r\n'))],
];

function expectRead(answer: Answer, what: string): void {
  expect([200, 201, 413, 415, 422], `${what}: ${answer.text}`).toContain(answer.status);
  if (answer.status >= 400) expect(answer.json.message, what).toMatch(/^\p{Lu}.*\.$/su);
}

async function expectNothingStaged(): Promise<void> {
  await site.jobs.idle();
  await expect.poll(() => readdirSync(site.services.staging.directory)).toEqual([]);
}

describe('Cut in many places, each is taken or refused, and nothing of it is left', () => {
  test.each(GOOD)('%s', async (what, kind, make) => {
    const bytes = await make();
    const whole = await KINDS[kind]?.(bytes, 'fichier.pdf');
    expect(whole?.status, whole?.text).toBeLessThan(300);
    for (let part = 0; part < CUTS; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / CUTS));
      const answer = await KINDS[kind]?.(cut, 'fichier.pdf');
      if (answer) expectRead(answer, `${what}, ${cut.length} bytes`);
    }
    await expectNothingStaged();
  });
});

describe('A name of a file is a label and no more', () => {
  const names = [
    ...['../../../../etc/passwd', '..\\..\\x', '/etc/passwd', 'C:\\x', '.htaccess', '.', '..', ''],
    ...['CON', 'nul.pdf', 'COM1.jpg', 'AUX.csv', 'a:b', 'a|b', 'x.pdf\0.exe', 'a\r\nX-Injecte: oui', 'a\tb'],
    ...['\u202efdp.exe', '\u2066x\u2069', '\ufeffx', 'x'.repeat(4_000), 'é'.repeat(300), '%2e%2e%2f', '$(x)'],
    ...[
      'a";filename="b.pdf',
      "a'; drop table fichiers; --",
      '<svg onload=alert(1)>.pdf',
      '{{x}}',
      '~',
      '-rf',
    ],
  ];

  test.each(GOOD)('that of %s', async (what, kind, make) => {
    const bytes = await make();
    for (const name of names) {
      const answer = await KINDS[kind]?.(bytes, name);
      if (answer) expectRead(answer, `${what}, ${JSON.stringify(name.slice(0, 40))}`);
      expect(answer?.headers.get('x-injecte') ?? null).toBeNull();
    }
    await expectNothingStaged();
  });

  test('that of a photo on its way', async () => {
    const sender = { origin: site.origin, token, stageId };
    const bytes = await sharp(raster).jpeg().toBuffer();
    for (const filename of names) {
      const { status, headers } = await create(sender, bytes, { filename });
      expect([201, 400, 422], JSON.stringify(filename.slice(0, 40))).toContain(status);
      expect(headers.get('location') ?? '/api/', filename).toMatch(/^\/api\/(api\/photos\/envoi\/[\w-]+)?$/);
    }
  });
});

describe('Larger inside than outside', () => {
  /** A WebP that says of itself that it is as large as one can be. */
  async function hugeWebp(): Promise<Buffer> {
    const webp = await sharp(raster).webp({ lossless: true }).toBuffer();
    const at = webp.indexOf('VP8L') + 9;
    webp.writeUInt32LE((webp.readUInt32LE(at) & 0xf0000000) | 0x0fffffff, at);
    return webp;
  }
  /** A HEIC, or an AVIF, all of whose pictures say that they are 30,000 points wide and high. */
  function huge(bytes: Buffer): Buffer {
    const found = Buffer.from(bytes);
    for (let at = found.indexOf('ispe'); at >= 0; at = found.indexOf('ispe', at + 1)) {
      found.writeUInt32BE(30_000, at + 8);
      found.writeUInt32BE(30_000, at + 12);
    }
    return found;
  }
  const pictures: [string, () => Promise<Buffer>][] = [
    ['a WebP', hugeWebp],
    ['an AVIF', async () => huge(await sharp(raster).avif().toBuffer())],
    ['a HEIC', async () => huge(await heic(await corners(1)))],
  ];

  test.each(pictures)('%s is refused as a picture', async (_what, make) => {
    const answer = await KINDS.picture?.(await make(), 'a.jpg');
    expect(answer?.status, answer?.text).toBe(422);
    await expectNothingStaged();
  });

  test('as photos they are refused with a reason, and the site goes on', async () => {
    const sender = { origin: site.origin, token, stageId };
    for (const [what, make] of pictures) {
      const bytes = await make();
      expect((await sendPhoto(sender, bytes)).status, what).toBe(204);
      await site.jobs.idle();
      const { json } = await site.call('POST /photos/connues', {
        token,
        body: { stageId, empreintes: [fingerprint(bytes)] },
      });
      expect(json.connues, what).toMatchObject([
        { statut: 'illisible', refus: expect.stringMatching(/^\p{Lu}.*\.$/u) },
      ]);
    }
  });

  const laughs = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  );
  const row = (text: string) => `<row><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  test.each([
    [
      'whose words stand for ten times ten others',
      () => workbookOf(`<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}]>${sheet(row('&l9;'))}`),
    ],
    [
      'whose words stand in a file of the machine',
      () => workbookOf(`<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${sheet(row('&f;'))}`),
    ],
    ['of elements inside each other', () => workbookOf(`<worksheet>${'<a>'.repeat(200_000)}`)],
    [
      'of ten thousand files',
      () => zip(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`xl/${n}.xml`, 'x']))),
    ],
    ['that climbs out of its archive', () => zip({ '../../../../tmp/x.xml': 'x', '/etc/x': 'x' })],
  ] as const)('a workbook %s is refused', async (_what, make) => {
    const answer = await KINDS.table?.(make(), 'a.xlsx');
    expect(answer?.status, answer?.text).toBe(422);
    expect(answer?.text).not.toMatch(/root:|hahaha/);
    await expectNothingStaged();
  });

  test('a PDF whose pages hold themselves is refused', async () => {
    const bytes = pdf({
      plain: {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Count 99999999 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>',
      },
    });
    expect((await KINDS.minutes?.(bytes, 'a.pdf'))?.status).toBe(422);
  });
});

test('nothing of all this was an error of the server', () => {
  const found = site.logLines
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level >= 50 || msg === 'unforeseen error');
  expect(found).toEqual([]);
});
