import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '#platform/server/config.ts';
import { StorageUnreachable } from '#platform/server/errors.ts';
import { openMetrics } from '#platform/server/metrics.ts';
import { erasureFileIn } from '#platform/server/storage/erasureFile.ts';
import { openStorage } from '#platform/server/storage/open.ts';
import type { BucketAsked } from '#platform/server/storage/s3.ts';
import { FileMissing, type Storage } from '#platform/server/storage/storage.ts';
import { type BucketServer, startBuckets } from '#tests/support/s3.ts';

const directory = mkdtempSync(join(tmpdir(), 'passerelle-storage-'));
const SECRET_KEY = 'a-key-that-only-tests-use-0123456789';
let buckets: BucketServer;

beforeAll(async () => {
  buckets = await startBuckets();
});
afterAll(async () => {
  await buckets?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const open = (env: Record<string, string>, onAsked?: BucketAsked) =>
  openStorage(readConfig({ DATA_DIR: directory, SECRET_KEY, ...env }), onAsked);

function newFile(bytes: Buffer): string {
  const path = join(directory, randomBytes(8).toString('hex'));
  writeFileSync(path, bytes);
  return path;
}

async function keysOf(storage: Storage, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, keptAt } of storage.list(folder)) {
    expect(Math.abs(Date.now() - keptAt.getTime())).toBeLessThan(60_000);
    keys.push(key);
  }
  return keys.sort();
}

const environments: [string, () => Promise<Record<string, string>>][] = [
  ['a folder', async () => ({})],
  ['a bucket', () => buckets.newBucket('contrat')],
];

describe.each(environments)('files in %s', (_place, environment) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await open(await environment());
  });
  afterAll(() => storage?.close());

  test('are kept, read whole and in part, copied and erased', async () => {
    const bytes = randomBytes(3_000_000);
    const path = newFile(bytes);
    await storage.keep(path, 'photos/ab/abc.webp');
    // Moved, not copied.
    expect(() => readFileSync(path)).toThrow(/ENOENT/);
    expect(await storage.has('photos/ab/abc.webp')).toBe(true);
    expect(await buffer(await storage.read('photos/ab/abc.webp'))).toEqual(bytes);
    const part = await storage.read('photos/ab/abc.webp', { start: 10, end: 1_000_000 });
    expect(await buffer(part)).toEqual(bytes.subarray(10, 1_000_001));
    const pieces: Buffer[] = [];
    // Copied: what is read next may be read over it.
    for await (const piece of await storage.readPieces('photos/ab/abc.webp', { start: 10, end: 1_000_000 }))
      pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces)).toEqual(bytes.subarray(10, 1_000_001));
    const copy = join(directory, 'copie');
    await storage.fetch('photos/ab/abc.webp', copy);
    expect(await readFile(copy)).toEqual(bytes);
    await storage.remove(['photos/ab/abc.webp', 'photos/ab/none.webp']);
    expect(await storage.has('photos/ab/abc.webp')).toBe(false);
  });

  test('that are not there are told apart from what cannot be reached', async () => {
    const none = 'photos/no/none.webp';
    expect(await storage.has(none)).toBe(false);
    await expect(storage.read(none)).rejects.toThrow(FileMissing);
    await expect(storage.readPieces(none)).rejects.toThrow(FileMissing);
    await expect(storage.fetch(none, join(directory, 'rien'))).rejects.toThrow(FileMissing);
    await storage.remove([none]);
  });

  test('are never reached by a key that leads out, nor are the files out there', async () => {
    const outside = newFile(Buffer.from('secret'));
    const name = outside.slice(directory.length + 1);
    await storage.keep(newFile(Buffer.from('x')), 'photos/ab/sens.webp');
    const keys = [
      `photos/../../${name}`,
      `../${name}`,
      `photos/ab/../../../${name}`,
      outside,
      `photos\\..\\..\\${name}`,
      'photos/ab/./sens.webp',
      'photos//ab/sens.webp',
      'photos/ab/sens.webp\0',
      'photos/ab/',
      '',
    ];
    for (const key of keys) {
      expect(await storage.has(key), key).toBe(false);
      await expect(storage.read(key), key).rejects.toThrow(FileMissing);
      await expect(storage.readPieces(key), key).rejects.toThrow(FileMissing);
      await expect(storage.fetch(key, join(directory, 'copie')), key).rejects.toThrow(FileMissing);
      if (storage.link) await expect(storage.link(key, 'image/webp', 60), key).rejects.toThrow(FileMissing);
      const kept = newFile(Buffer.from('y'));
      await expect(storage.keep(kept, key), key).rejects.toThrow('leads out');
      // What condemned it has nothing left to erase, and is not tried for ever.
      await storage.remove([key]);
      expect(readFileSync(outside, 'utf8'), key).toBe('secret');
    }
    await storage.remove([`../${name}`, 'photos/ab/sens.webp']);
    expect(await storage.has('photos/ab/sens.webp')).toBe(false);
  });

  test('are listed by folder, however many there are', async () => {
    expect(await keysOf(storage, 'vide')).toEqual([]);
    const keys = Array.from({ length: 50 }, (_, n) => `recues/${n % 7}/${n}.bin`);
    for (const key of keys) await storage.keep(newFile(Buffer.from(key)), key);
    await storage.keep(newFile(Buffer.from('x')), 'recues-autres/x.bin');
    expect(await keysOf(storage, 'recues')).toEqual(keys.toSorted());
    await storage.remove(keys);
    expect(await keysOf(storage, 'recues')).toEqual([]);
    expect(await keysOf(storage, 'recues-autres')).toEqual(['recues-autres/x.bin']);
  });
});

test('an address of the bucket opens one file, for a time, and nothing else', async () => {
  const storage = await open(await buckets.newBucket('adresses'));
  await storage.keep(newFile(Buffer.from('photo')), 'photos/ab/abc.webp');
  const address = new URL((await storage.link?.('photos/ab/abc.webp', 'image/webp', 60)) ?? '');
  const answer = await fetch(address);
  expect([answer.status, await answer.text()]).toEqual([200, 'photo']);
  expect(answer.headers.get('content-type')).toBe('image/webp');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(address.searchParams.get('X-Amz-Expires')).toBe('60');
  const other = new URL(address);
  other.pathname = other.pathname.replace('abc', 'abd');
  expect((await fetch(other)).status).toBe(403);
  expect((await fetch(new URL(address.pathname, address))).ok).toBe(false);
  storage.close();
});

describe('a bucket that cannot be used is told at the start, by the variable to put right:', () => {
  const refusal = async (env: Record<string, string>) => {
    const error = await open(env).then(
      (storage) => storage.close(),
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).not.toMatch(/\n|testing/);
    return error.message;
  };

  test('its server', async () => {
    const env = buckets.environment('premier');
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as { port: number };
    await new Promise((resolve) => nobody.close(resolve));
    expect(await refusal({ ...env, S3_ENDPOINT: `http://127.0.0.1:${port}` })).toMatch(
      /^S3_ENDPOINT\u202f: ce serveur/,
    );
    const page = createServer((_request, response) => response.end('<h1>Bonjour</h1>'));
    await new Promise<void>((resolve) => page.listen(port, '127.0.0.1', resolve));
    expect(await refusal({ ...env, S3_ENDPOINT: `http://127.0.0.1:${port}` })).toMatch(
      /^S3_ENDPOINT\u202f: /,
    );
    page.closeAllConnections();
    await new Promise((resolve) => page.close(resolve));
  });

  test('its name', async () => {
    expect(await refusal(buckets.environment('inconnu'))).toMatch(/^S3_BUCKET\u202f: /);
  });

  test('its account and its secret', async () => {
    const env = buckets.environment('premier');
    expect(await refusal({ ...env, S3_SECRET_ACCESS_KEY: 'faux' })).toMatch(/^S3_SECRET_ACCESS_KEY\u202f: /);
    expect(await refusal({ ...env, S3_ACCESS_KEY_ID: 'test:autre' })).toMatch(/^S3_\w+\u202f: .*compte/);
  });

  test('its region', async () => {
    const env = buckets.environment('premier');
    expect(await refusal({ ...env, S3_REGION: 'eu-west-3' })).toMatch(/^S3_REGION\u202f: /);
  });
});

test('a bucket that goes away is no missing file, and the metrics tell the two apart', async () => {
  const passing = await startBuckets();
  const { registry, bucketAsked } = await openMetrics(true);
  const storage = await open(await passing.newBucket('passage'), bucketAsked);
  await storage.keep(newFile(Buffer.from('kept')), 'photos/ab/kept.webp');
  expect(await storage.has('photos/ab/abc.webp')).toBe(false);
  await passing.stop();
  await expect(storage.read('photos/ab/abc.webp')).rejects.toThrow(StorageUnreachable);
  await expect(storage.has('photos/ab/abc.webp')).rejects.toThrow(StorageUnreachable);
  await expect(storage.remove(['photos/ab/abc.webp'])).rejects.toThrow(StorageUnreachable);
  const path = newFile(Buffer.from('x'));
  await expect(storage.keep(path, 'photos/ab/abc.webp')).rejects.toThrow(StorageUnreachable);
  expect(readFileSync(path, 'utf8')).toBe('x');
  storage.close();
  const metrics = (await registry?.metrics()) ?? '';
  const counted = (operation: string, outcome: string) =>
    Number(
      new RegExp(
        `^passerelle_bucket_requests_total\\{operation="${operation}",outcome="${outcome}"\\} (.+)$`,
        'm',
      ).exec(metrics)?.[1],
    );
  expect([counted('put', 'answered'), counted('head', 'missing'), counted('get', 'failed')]).toEqual([
    1, 1, 1,
  ]);
  expect([counted('head', 'failed'), counted('delete', 'failed'), counted('put', 'failed')]).toEqual([
    1, 1, 1,
  ]);
  expect(metrics).toMatch(/^passerelle_bucket_request_duration_seconds_count\{operation="put"\} 2$/m);
});

test('a file of erasures that was lost is not made anew, and one that there never was is made', async () => {
  const folder = mkdtempSync(join(directory, 'erasures-'));
  const erasures = erasureFileIn(folder);
  erasures.isWhole = false;
  await erasures.ensure();
  expect(existsSync(join(folder, 'effacements.jsonl'))).toBe(false);
  erasures.isWhole = true;
  await erasures.ensure();
  expect(readFileSync(join(folder, 'effacements.jsonl'), 'utf8')).toBe('');
});
