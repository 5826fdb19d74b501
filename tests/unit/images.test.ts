import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openImages } from '../../server/images/images.ts';
import { corners } from '../support/photos.ts';

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
});
