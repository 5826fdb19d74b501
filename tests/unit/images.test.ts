import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openImages } from '../../server/images/images.ts';
import { corners, heic } from '../support/photos.ts';

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'passerelle-images-'));
  writeFileSync(join(directory, 'photo.jpg'), await corners(1));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('Pictures made safe', () => {
  test('while other threads start are all read', { timeout: 30_000 }, async () => {
    let count = 0;
    const prepareOne = (images: ReturnType<typeof openImages>) =>
      images.prepare(join(directory, 'photo.jpg'), join(directory, `${++count}.webp`));
    const steady = openImages();
    let isOver = false;
    const working = (async () => {
      while (!isOver) await prepareOne(steady);
    })();
    for (let round = 0; round < 6; round++) {
      const fresh = openImages();
      await Promise.all([prepareOne(fresh), prepareOne(fresh)]);
      await fresh.close();
    }
    isOver = true;
    await working;
    await steady.close();
    expect(count).toBeGreaterThan(12);
  });

  test('are read one at a time where they are HEIC, which takes much memory', {
    timeout: 30_000,
  }, async () => {
    const [large, small] = [join(directory, 'large.heic'), join(directory, 'small.heic')];
    writeFileSync(large, await heic(await corners(1, 'jpeg', [4000, 3000])));
    writeFileSync(small, await heic(await corners(1)));
    const images = openImages();
    const prepareOne = (path: string) => images.prepare(path, `${path}.webp`);
    await prepareOne(small);
    const ended: string[] = [];
    const both = [prepareOne(large).then(() => ended.push('large'))];
    // It has had its turn by then.
    await readFile(large);
    both.push(prepareOne(small).then(() => ended.push('small')));
    await Promise.all(both);
    expect(ended).toEqual(['large', 'small']);
    await images.close();
  });
});
