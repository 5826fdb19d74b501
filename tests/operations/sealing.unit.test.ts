import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { openSealing } from '#operations/copy/destination.ts';

const directory = mkdtempSync(join(tmpdir(), 'passerelle-sealing-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const KEY = 'une-phrase-que-personne-ne-devine-42';
const sealing = openSealing(KEY, 'sel');
const path = join(directory, 'fichier');
const PIECE = 64 * 1024;
const SEALED = PIECE + 16;

async function seal(bytes: Buffer, name = 'a'): Promise<Buffer> {
  await writeFile(path, sealing.seal([bytes.subarray(0, 1000), bytes.subarray(1000)], name));
  return readFileSync(path);
}
const open = (name = 'a', by = sealing) => buffer(by.open(path, name));

describe('A sealed file', () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 300_000])(
    'of %i bytes opens as it was',
    async (size) => {
      const bytes = randomBytes(size);
      await seal(bytes);
      expect(statSync(path).size).toBe(sealing.sizeOf(size));
      expect((await open()).equals(bytes)).toBe(true);
    },
  );

  test('is never sealed twice alike', async () => {
    const bytes = Buffer.from('le même texte');
    expect((await seal(bytes)).equals(await seal(bytes))).toBe(false);
  });

  test('opens neither under another name nor with another key', async () => {
    await seal(randomBytes(500));
    await expect(open('b')).rejects.toThrow();
    await expect(open('a', openSealing('une-autre-phrase-que-personne-ne-devine', 'sel'))).rejects.toThrow();
  });

  const first = (sealed: Buffer) => sealed.subarray(16, 16 + SEALED);
  const second = (sealed: Buffer) => sealed.subarray(16 + SEALED, 16 + 2 * SEALED);
  const salt = (sealed: Buffer) => sealed.subarray(0, 16);
  test.each<[string, (sealed: Buffer) => Buffer[]]>([
    ['without its end', (sealed) => [salt(sealed), first(sealed), second(sealed)]],
    ['cut within a piece', (sealed) => [sealed.subarray(0, 40_000)]],
    ['cut to its salt', (sealed) => [salt(sealed)]],
    ['empty', () => []],
    [
      'with two pieces in another order',
      (sealed) => [salt(sealed), second(sealed), first(sealed), sealed.subarray(16 + 2 * SEALED)],
    ],
    ['without a piece', (sealed) => [salt(sealed), first(sealed), sealed.subarray(16 + 2 * SEALED)]],
    ['with more behind its end', (sealed) => [sealed, Buffer.alloc(20)]],
  ])('does not open %s', async (_, change) => {
    writeFileSync(path, Buffer.concat(change(await seal(randomBytes(150_000)))));
    await expect(open()).rejects.toThrow();
  });

  test('does not open with any byte changed', async () => {
    const sealed = await seal(randomBytes(50));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      writeFileSync(path, changed);
      await expect(open(), `byte ${at}`).rejects.toThrow();
    }
  });
});
