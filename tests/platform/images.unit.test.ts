import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkerLost } from '#platform/server/confined/answers.ts';
import { openImages } from '#platform/server/images/images.ts';
import { corners, heic } from '#tests/support/photos.ts';

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'passerelle-images-'));
  writeFileSync(join(directory, 'photo.jpg'), await corners(1));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The processes that pictures are read by; one that ended is there until that is noticed. */
function processes(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const pids = children.split(' ').filter(Boolean).map(Number);
  return pids.filter((pid) => /^$|images.worker\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')));
}
const signal = (name: NodeJS.Signals) => processes().forEach((pid) => void process.kill(pid, name));

describe('Pictures made safe', () => {
  test('are read below everything else, by a process that knows no secret', async () => {
    process.env.SECRET_KEY = 'not for decoders';
    const images = openImages({ directory });
    await images.prepare(join(directory, 'photo.jpg'), join(directory, 'photo.webp'));
    delete process.env.SECRET_KEY;
    const [pid = 0] = processes();
    expect(getPriority(pid)).toBeGreaterThan(getPriority());
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('not for decoders');
    images.close();
    await expect.poll(processes).toEqual([]);
  });

  test('are all read but the one whose process broke down, which may be read another time', async () => {
    const [large, small] = [join(directory, 'large.jpg'), join(directory, 'photo.jpg')];
    writeFileSync(large, await corners(1, 'jpeg', [6000, 5000]));
    const images = openImages({ directory });
    const prepareOne = (path: string) => images.prepare(path, `${path}.webp`);
    // Killed while it rests.
    await prepareOne(small);
    signal('SIGKILL');
    await expect.poll(processes).toEqual([]);
    await prepareOne(small);
    // Killed with a picture in hand, which it is kept from ending.
    signal('SIGSTOP');
    const lost = prepareOne(small).catch((error: unknown) => error);
    // Until it has been given the picture: nothing tells when.
    await pause(1_000);
    signal('SIGKILL');
    expect(await lost).toBeInstanceOf(WorkerLost);
    expect(await prepareOne(large)).toMatchObject({ width: 1920 });
    images.close();
  });

  test('are read one at a time where they are HEIC, which takes much memory', async () => {
    const names = ['one', 'two'];
    for (const name of names) {
      writeFileSync(join(directory, `${name}.heic`), await heic(await corners(1)));
      writeFileSync(join(directory, `${name}.jpg`), await corners(1));
    }
    /** How many processes two pictures took that were asked for at once; each rests after its picture. */
    async function processesOfBoth(ending: string): Promise<number> {
      const images = openImages({ directory });
      const paths = names.map((name) => join(directory, `${name}.${ending}`));
      await Promise.all(paths.map((path) => images.prepare(path, `${path}.webp`)));
      const count = processes().length;
      images.close();
      await expect.poll(processes).toEqual([]);
      return count;
    }
    await expect.poll(processes).toEqual([]);
    expect(await processesOfBoth('heic')).toBe(1);
    expect(await processesOfBoth('jpg')).toBe(Math.min(2, availableParallelism()));
  });
});

test('A blurred zone is the same for two patterns of the same averages, and nothing beside it changes', async () => {
  const [width, height] = [1200, 800];
  const zone = { left: 0.25, top: 0.25, width: 0.5, height: 0.4 };
  const images = openImages({ directory });
  const blurred = async (light: number): Promise<Buffer> => {
    const data = Buffer.alloc(width * height * 3, 128);
    for (let y = 200; y < 520; y++)
      for (let x = 300; x < 900; x++)
        data.fill(
          ((x >> 3) + (y >> 3)) % 2 === light ? 255 : 0,
          (y * width + x) * 3,
          (y * width + x) * 3 + 3,
        );
    const [input, size, kept] = ['in.png', 'out.webp', 'out.jpg'].map((name) => join(directory, name));
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(input as string);
    await images.photo(input as string, {
      sizes: [{ side: 320, path: size as string }],
      jpeg: { side: 4096, path: kept as string },
      retouch: { zones: [zone], turns: 0, isKept: false },
    });
    return sharp(kept).raw().toBuffer();
  };
  const [one, other] = [await blurred(0), await blurred(1)];
  images.close();
  const most = one.reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? 0))), 0);
  expect(most).toBeLessThan(6);
  expect(one.reduce((most, value) => Math.max(most, Math.abs(value - 128)), 0)).toBeLessThan(8);
});
