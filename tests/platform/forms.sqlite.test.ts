import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FormValue, form, picture } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { camera, iphone } from '#tests/support/photos.ts';
import { openSite } from '#tests/support/site.ts';

/* Forms that no browser sends, as bytes on a socket. */

let site: TestSite;
let token: string;
let photo: Buffer;
beforeAll(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
  photo = await camera('right.jpg');
});
afterAll(() => site?.close());

const MB = 1024 * 1024;
const BOUNDARY = 'limite-du-formulaire';

interface Part {
  name?: string;
  value: string | Uint8Array;
  /** Makes it a file. */
  filename?: string;
  type?: string;
  /** Replaces the lines above the value. */
  head?: string;
}

function body(parts: Part[], { end = true } = {}): Buffer {
  const pieces = parts.flatMap(({ name = '', value, filename, type, head }) => {
    const lines =
      head ??
      [
        `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
        ...(type ? [`Content-Type: ${type}`] : []),
      ].join('\r\n');
    return [
      Buffer.from(`--${BOUNDARY}\r\n${lines}\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...pieces, ...(end ? [Buffer.from(`--${BOUNDARY}--\r\n`)] : [])]);
}
const NEWS: Part[] = [
  { name: 'titre', value: 'Un titre' },
  { name: 'description', value: 'Un texte' },
];
const image = (bytes: Uint8Array = photo): Part => ({
  name: 'image',
  value: bytes,
  filename: 'a.jpg',
  type: 'image/jpeg',
});

interface Sent {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
  json: any;
}

async function post(
  bytes: Uint8Array,
  { path = '/actualites', type = `multipart/form-data; boundary=${BOUNDARY}`, as = token } = {},
): Promise<Sent> {
  const response = await fetch(`${site.origin}/api/api${path}`, {
    method: 'POST',
    body: bytes as Uint8Array<ArrayBuffer>,
    headers: { authorization: `Bearer ${as}`, ...(type ? { 'content-type': type } : {}) },
  });
  return { status: response.status, json: await response.json() };
}
const send = (parts: Part[], path?: string) => post(body(parts), path ? { path } : {});

/** A socket with the head of a request on it, and what comes back. */
function begin(
  headers: Record<string, string>,
  { path = '/actualites', as = token }: { path?: string; as?: string } = {},
) {
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
  let received = '';
  const waiting: (() => void)[] = [];
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
  });
  const notify = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  socket.on('error', notify).on('close', notify);
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    notify();
  });
  const lines = {
    host: 'localhost',
    ...(as ? { authorization: `Bearer ${as}` } : {}),
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    ...headers,
  };
  socket.write(
    `POST /api/api${path} HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n')}\r\n\r\n`,
  );
  return {
    socket,
    closed,
    /** Status of the answer; 0 when the connection ends without one. */
    async status(): Promise<number> {
      while (!/^HTTP\/1\.1 \d{3} [^\r]*\r\n/.test(received) && !socket.destroyed)
        await new Promise<void>((wake) => waiting.push(wake));
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
    },
  };
}

/** Resolves when there is room to write again, or nobody left to write to. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

/** What a refused form must leave as it was. */
async function everything() {
  // Smaller sizes still being made would come and go in between.
  await site.jobs.idle();
  const { db } = site.services.database;
  const root = join(site.directory, 'files');
  const files = existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  const rows = await Promise.all(
    (['actualites', 'events', 'documents', 'fichiers'] as const).map(
      async (table) => (await db.selectFrom(table).selectAll().execute()).length,
    ),
  );
  return { files: files.length, rows };
}
const staged = () => readdirSync(site.services.staging.directory);
const stagedOpen = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(site.services.staging.directory);
    } catch {
      return false;
    }
  });
// The narrower sizes of what was kept are made there too, behind the answer.
async function expectNothingStaged() {
  await expect.poll(staged, { interval: 20 }).toEqual([]);
  if (existsSync('/proc/self/fd')) await expect.poll(stagedOpen, { interval: 20 }).toEqual([]);
}
const errorsLogged = () => site.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);

async function expectRefused(sending: () => Promise<Sent>, ...statuses: number[]): Promise<Sent> {
  const before = await everything();
  const answer = await sending();
  expect(statuses, JSON.stringify(answer.json)).toContain(answer.status);
  expect(answer.json.message).toMatch(/^[A-ZÉÀ0-9].*[.!]$/);
  expect(await everything()).toEqual(before);
  await expectNothingStaged();
  return answer;
}

test('a well-formed one is taken, with text before its first boundary and after its last', async () => {
  const whole = Buffer.concat([
    Buffer.from('Un préambule\r\n'),
    body([...NEWS, image()]),
    Buffer.from('Un épilogue'),
  ]);
  expect((await post(whole)).status).toBe(201);
  await expectNothingStaged();
});

describe('what is no form', () => {
  test('without a boundary', async () => {
    await expectRefused(() => post(body(NEWS), { type: 'multipart/form-data' }), 400, 415);
    await expectRefused(() => post(body(NEWS), { type: 'multipart/form-data; boundary=' }), 400, 415);
  });
  test('with another boundary than announced', async () => {
    await expectRefused(
      () => post(body([...NEWS, image()]), { type: 'multipart/form-data; boundary=autre' }),
      400,
    );
  });
  test('without its last boundary', async () => {
    await expectRefused(() => post(body(NEWS, { end: false })), 400);
    await expectRefused(() => post(body([...NEWS, image()], { end: false })), 400);
  });
  test('empty', async () => {
    await expectRefused(() => post(Buffer.alloc(0)), 400, 422);
    await expectRefused(() => post(Buffer.from(`--${BOUNDARY}--\r\n`)), 400, 422);
  });
  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/mixed; boundary=x',
    'image/jpeg',
    'application/xml',
    'multipart',
    'x',
  ])('sent as %s', async (type) => {
    await expectRefused(() => post(Buffer.from('{"titre":"a","description":"b"}'), { type }), 415, 400);
  });
  test('bytes by chance', async () => {
    for (let i = 0; i < 5; i++) await expectRefused(() => post(randomBytes(2_000)), 400);
    for (let i = 0; i < 10; i++) {
      const bytes = body([...NEWS, image()]);
      for (let j = 0; j < 5; j++) bytes[randomInt(300)] = randomInt(256);
      const { status } = await post(bytes);
      expect([201, 400, 413, 415, 422]).toContain(status);
    }
    await expectNothingStaged();
  });
});

describe('too much of it', () => {
  test('ten thousand fields', async () => {
    await expectRefused(
      () => send(Array.from({ length: 10_000 }, (_, index) => ({ name: `c${index}`, value: 'x' }))),
      413,
    );
  });
  test('ten thousand times the same field', async () => {
    await expectRefused(
      () => send(Array.from({ length: 10_000 }, () => ({ name: 'titre', value: 'x' }))),
      413,
    );
  });
  test('ten thousand files', async () => {
    await expectRefused(
      () => send(Array.from({ length: 10_000 }, () => ({ name: 'x', value: 'x', filename: 'x' }))),
      413,
    );
  });
  test('fifty-one files', async () => {
    const small = await iphone();
    await expectRefused(
      () =>
        send(
          Array.from({ length: 51 }, () => ({ ...image(small), name: 'images' })),
          '/events',
        ),
      413,
    );
  });
  test('a field name of ten thousand bytes', async () => {
    await expectRefused(() => send([{ name: 'n'.repeat(10_000), value: 'x' }, ...NEWS]), 400, 413);
    const answer = await send([{ name: 'n'.repeat(10_000), value: 'x', filename: 'x' }, ...NEWS]);
    expect([201, 400, 413]).toContain(answer.status);
    await expectNothingStaged();
  });
  test('part headers of a megabyte', async () => {
    const head = `Content-Disposition: form-data; name="titre"\r\nX-Long: ${'x'.repeat(MB)}`;
    const { status } = await send([{ head, value: 'x' }, ...NEWS.slice(1)]);
    expect([201, 400, 413, 422, 431]).toContain(status);
    await expectNothingStaged();
  });
  test('a text of more than 256 KB', async () => {
    const long = { name: 'description', value: 'x'.repeat(256 * 1024 + 1) };
    const answer = await expectRefused(() => send([NEWS[0] as Part, long, image()]), 413);
    expect(Object.keys(answer.json.champs)).toEqual(['description']);
  });
  test('a body announced above 200 MB is refused before it comes', async () => {
    const before = await everything();
    const request = begin({ 'content-length': String(300 * MB) });
    expect(await request.status()).toBe(413);
    request.socket.destroy();
    expect(await everything()).toEqual(before);
    await expectNothingStaged();
  });
  test('a body that grows above 200 MB without having said so', async () => {
    // In a file field of that form its own limit comes first; the rest has to be counted as well.
    for (const name of ['image', 'inconnu']) {
      const request = begin({ 'transfer-encoding': 'chunked' });
      const chunk = (bytes: Buffer) =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
      request.socket.write(
        chunk(
          Buffer.concat([
            body(NEWS, { end: false }),
            body([{ ...image(photo.subarray(0, 100)), name }], { end: false }).subarray(0, -2),
          ]),
        ),
      );
      const megabyte = chunk(Buffer.alloc(MB));
      let answered = false;
      void request.status().then(() => {
        answered = true;
      });
      for (let sent = 0; sent < 260 && !answered && !request.socket.destroyed; sent++) {
        if (!request.socket.write(megabyte)) await drained(request.socket);
        await new Promise(setImmediate);
      }
      if (!answered && !request.socket.destroyed) {
        request.socket.write(chunk(Buffer.from(`\r\n--${BOUNDARY}--\r\n`)));
        request.socket.write('0\r\n\r\n');
      }
      expect([name, await request.status()]).toEqual([name, 413]);
      request.socket.destroy();
      await expectNothingStaged();
    }
  });
});

describe('fields that are not what they should be', () => {
  test('a file in a field that the form does not have is ignored', async () => {
    const answer = await send([
      ...NEWS,
      { name: 'inconnu', value: randomBytes(100_000), filename: 'x.exe' },
      image(),
    ]);
    expect(answer.status).toBe(201);
    expect(answer.json.image_url).toMatch(/\.webp$/);
    await expectNothingStaged();
  });
  test('a text in a field that the form does not have is ignored', async () => {
    const answer = await send([...NEWS, { name: 'inconnu', value: 'x' }, { name: '', value: 'y' }]);
    expect(answer.status).toBe(201);
    expect(answer.json).not.toHaveProperty('inconnu');
  });
  test('a file where a text is expected does not count as one', async () => {
    const answer = await expectRefused(
      () =>
        send([
          { name: 'titre', value: 'Un titre', filename: 'titre.txt', type: 'text/plain' },
          ...NEWS.slice(1),
        ]),
      422,
    );
    expect(answer.json.champs).toEqual({ titre: 'ce champ est obligatoire.' });
  });
  test('a text where a file is expected does not count as one', async () => {
    const news = await expectRefused(() => send([...NEWS, { name: 'image', value: 'bonjour' }]), 422);
    expect(Object.keys(news.json.champs)).toHaveLength(1);
    const minutes = await expectRefused(
      () =>
        send(
          [
            { name: 'nom', value: 'a' },
            { name: 'date_ajout', value: '2026-01-01' },
            { name: 'url', value: '%PDF-1.4 bonjour' },
          ],
          '/documents',
        ),
      422,
    );
    expect(minutes.json.champs).toEqual({ url: 'ce fichier est obligatoire.' });
  });
  test('a field sent twice is refused by name', async () => {
    const answer = await expectRefused(() => send([...NEWS, { name: 'titre', value: 'Un autre' }]), 422);
    expect(Object.keys(answer.json.champs)).toEqual(['titre']);
  });
  test('a part declared as JSON is no object', async () => {
    for (const value of ['{"a":1}', '["a"]', '1', 'null', '{', '{"__proto__":{"polluted":1}}', '']) {
      await expectRefused(
        () => send([{ name: 'titre', value, type: 'application/json' }, ...NEWS.slice(1)]),
        400,
        422,
      );
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
  test('a name that objects inherit is no field, be it of a text or of a file', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'valueOf']) {
      for (const filename of [undefined, 'x.jpg']) {
        const { status } = await send([...NEWS, { name, value: photo, ...(filename ? { filename } : {}) }]);
        expect([name, [201, 400].includes(status)]).toEqual([name, true]);
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    await expectNothingStaged();
  });
  test('brackets in a name make no object', async () => {
    for (const name of ['titre[]', 'titre[a]', 'titre.a', 'titre[__proto__][x]']) {
      const answer = await expectRefused(() => send([{ name, value: 'x' }, ...NEWS.slice(1)]), 422);
      expect(answer.json.champs).toEqual({ titre: 'ce champ est obligatoire.' });
    }
  });
  test('a part without a name, without a head or with a head of nonsense', async () => {
    for (const head of [
      'Content-Disposition: form-data',
      'X: y',
      '',
      'Content-Disposition: attachment; name="titre"',
      'Content-Disposition: form-data; name=',
      ': : :',
      'Content-Disposition: form-data; name="titre"; name="description"',
    ]) {
      const { status } = await send([{ head, value: 'x' }, ...NEWS]);
      expect([head, [201, 400, 422].includes(status)]).toEqual([head, true]);
    }
    await expectNothingStaged();
  });
  test('a form within a form is bytes like others', async () => {
    const inner = body([{ name: 'titre', value: 'dedans' }])
      .toString('latin1')
      .replaceAll(BOUNDARY, 'autre');
    const answer = await send([
      NEWS[0] as Part,
      { name: 'description', value: inner, type: 'multipart/mixed; boundary=autre' },
    ]);
    expect([answer.status, answer.json.titre]).toEqual([201, 'Un titre']);
  });
  test('a text says by itself how it is written: names of encodings change nothing', async () => {
    const answer = await send([
      { name: 'titre', value: 'Été', type: 'text/plain; charset=utf-16' },
      ...NEWS.slice(1),
    ]);
    expect([201, 400, 422]).toContain(answer.status);
    const plain = await send([
      { name: 'titre', value: 'Été 🎄', type: 'text/plain; charset=utf-8' },
      ...NEWS.slice(1),
    ]);
    expect(plain.json.titre).toBe('Été 🎄');
  });
});

describe('a form that stops on its way', () => {
  const parts = async (): Promise<Part[]> => [
    ...['title', 'location', 'summary', 'article'].map((name) => ({ name, value: 'x' })),
    { name: 'date', value: '2026-09-20T18:30' },
    { name: 'image_url', value: (await picture())[0], filename: 'a.jpg', type: 'image/jpeg' },
    ...[photo, photo, photo].map((value) => ({
      name: 'images',
      value,
      filename: 'b.jpg',
      type: 'image/jpeg',
    })),
  ];

  test.each(['content-length', 'chunked'])(
    'cut at twenty places, its size told by %s: nothing is left, and the next one passes',
    async (how) => {
      const bytes = body(await parts());
      const before = await everything();
      for (let i = 0; i < 20; i++) {
        const at = i === 0 ? 0 : i === 1 ? bytes.length - 1 : randomInt(bytes.length);
        const head: Record<string, string> =
          how === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) };
        const request = begin(head, { path: '/events' });
        const cut = bytes.subarray(0, at);
        const written =
          how === 'chunked' && at > 0
            ? Buffer.concat([Buffer.from(`${cut.length.toString(16)}\r\n`), cut, Buffer.from('\r\n')])
            : cut;
        await new Promise<void>((resolve) => {
          request.socket.write(written, () => resolve());
        });
        if (i % 3 === 0) await pause(5);
        if (i % 2 === 0) request.socket.destroy();
        else request.socket.resetAndDestroy();
        await request.closed;
      }
      await expectNothingStaged();
      expect(await everything()).toEqual(before);
      expect(errorsLogged()).toEqual([]);
      expect((await post(bytes, { path: '/events' })).status).toBe(201);
      await expectNothingStaged();
    },
  );

  test('half closed by its sender: refused as incomplete', async () => {
    const bytes = body(await parts());
    const request = begin({ 'content-length': String(bytes.length) }, { path: '/events' });
    request.socket.end(bytes.subarray(0, bytes.length >> 1));
    expect([0, 400]).toContain(await request.status());
    await request.closed;
    await expectNothingStaged();
  });

  test('by somebody who does not wait for the answer: what was kept is whole', async () => {
    const bytes = body(await parts());
    for (let i = 0; i < 8; i++) {
      const request = begin({ 'content-length': String(bytes.length) }, { path: '/events' });
      await new Promise<void>((resolve) => {
        request.socket.write(bytes, () => resolve());
      });
      await pause(i * 10);
      request.socket.destroy();
      await request.closed;
    }
    await expectNothingStaged();
    await expect
      .poll(async () => {
        await site.jobs.idle();
        const rows = await site.services.database.db.selectFrom('fichiers').select('largeurs').execute();
        const held = rows.reduce(
          (sum, { largeurs }) => sum + 1 + (largeurs === '' ? 0 : largeurs.split(';').length),
          0,
        );
        return (await everything()).files - held;
      })
      .toBe(0);
    expect(errorsLogged()).toEqual([]);
  });
});

describe('a slow sender', () => {
  test('keeps nobody else waiting', async () => {
    const bytes = body([...NEWS, image()]);
    const slow = Array.from({ length: 30 }, () => begin({ 'content-length': String(bytes.length) }));
    let at = 0;
    const dripping = setInterval(() => {
      for (const { socket } of slow) if (!socket.destroyed) socket.write(bytes.subarray(at, at + 1));
      at++;
    }, 10);
    try {
      await pause(50);
      for (let i = 0; i < 10; i++) {
        expect((await site.call('GET /actualites')).status).toBe(200);
        expect((await site.call('GET /corbeille', { token })).status).toBe(200);
      }
      const file: FormValue = [photo, 'a.jpg', 'image/jpeg'];
      const answer = await site.call('POST /actualites', {
        token,
        body: form({ titre: 'a', description: 'b', image: file }),
      });
      expect(answer.status).toBe(201);
    } finally {
      clearInterval(dripping);
      for (const { socket } of slow) socket.destroy();
    }
    await expectNothingStaged();
  });

  test('is waited for: a form in a hundred small pieces is taken', async () => {
    const bytes = body([...NEWS, image()]);
    const request = begin({ 'content-length': String(bytes.length) });
    const size = Math.ceil(bytes.length / 100);
    for (let at = 0; at < bytes.length; at += size) {
      request.socket.write(bytes.subarray(at, at + size));
      await pause(1);
    }
    expect(await request.status()).toBe(201);
    request.socket.destroy();
  });
});

describe('whoever may not send it', () => {
  test.each([
    ['without a token', undefined, 401],
    ['with a made-up token', 'x'.repeat(43), 401],
    ['with a reader’s token', 'reader', 403],
    ['with a family’s token', 'family', 403],
  ] as const)('%s is told so before the body is read', async (_who, who, status) => {
    const as = who === 'reader' || who === 'family' ? await site.tokenOf(who) : (who ?? '');
    const before = await everything();
    for (const path of ['/actualites', '/events', '/documents']) {
      const request = begin({ 'content-length': String(150 * MB) }, { path, as });
      request.socket.write(body([...NEWS, image()], { end: false }));
      expect(await request.status()).toBe(status);
      request.socket.destroy();
    }
    expect(await everything()).toEqual(before);
    expect(staged()).toEqual([]);
  });

  test('a whole large body without a token is a plain 401 to its sender', async () => {
    const bytes = body([
      { ...image(randomBytes(14 * MB)), name: 'url' },
      { name: 'x', value: minutesPdf('a', ['b']) },
    ]);
    for (let i = 0; i < 3; i++) expect((await post(bytes, { as: 'x' })).status).toBe(401);
    expect(staged()).toEqual([]);
  });
});

test('nothing of all this was an error of the server', async () => {
  expect(errorsLogged()).toEqual([]);
  expect((await send([...NEWS, image()])).status).toBe(201);
});
