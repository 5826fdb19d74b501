import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp, { type Exif } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileRefused, WorkerLost } from '#platform/server/confined/answers.ts';
import { type Images, openImages, type PhotoMade } from '#platform/server/images/images.ts';
import { sniff } from '#platform/shared/sniff.ts';
import { clap, gridOf, heifOf, itemOf, nclx } from '#tests/support/heif.ts';
import {
  animatedWebp,
  CORNERS,
  corners,
  heic,
  type Pixel,
  pngOf,
  quarters,
  xiaomi,
} from '#tests/support/photos.ts';

/* What cameras, phones and accidents make of a photo, in the hands of what makes its sizes. */

let directory: string;
let images: Images;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'passerelle-camera-files-'));
  images = openImages({ directory });
});
afterAll(() => {
  images.close();
  rmSync(directory, { recursive: true, force: true });
});

const kept = () => join(directory, 'kept.jpg');

async function made(bytes: Uint8Array): Promise<PhotoMade> {
  const input = join(directory, 'photo');
  writeFileSync(input, bytes);
  return images.photo(input, {
    sizes: [{ side: 1920, path: join(directory, 'size.webp') }],
    jpeg: { side: 4096, path: kept() },
  });
}

/** What a person reads of a file that can never be taken; fails for one that is tried again. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await made(bytes).then(
    () => new Error('it was taken'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof FileRefused) || error instanceof WorkerLost) throw error;
  return error.reason;
}

/** The colours in the middle of the four quarters of what was made. */
async function coloursOf(bytes: Uint8Array): Promise<Pixel[]> {
  await made(bytes);
  return quarters(await sharp(kept()).toBuffer());
}

function expectNear(found: readonly Pixel[], wanted: readonly (readonly number[])[], most: number): void {
  const far = found.flatMap((pixel, at) =>
    pixel.map((value, channel) => Math.abs(value - (wanted[at]?.[channel] ?? -999))),
  );
  expect(Math.max(...far), JSON.stringify(found)).toBeLessThanOrEqual(most);
}

const DAMAGED = /abîmée ou incomplète/;
const UNKNOWN = /forme d’image.*enregistrez-la en JPEG/;
const SIZE = [256, 192] as const;

async function flat(background: string, [width, height]: readonly [number, number] = SIZE): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describe('a HEIC', () => {
  const BRANDS = ['heic', 'mif1'];
  const tile = async (background: string) => itemOf(await heic(await flat(background)), SIZE);
  const grid = async () =>
    gridOf(await Promise.all(CORNERS.map(([r, g, b]) => tile(`rgb(${r},${g},${b})`))), 2, SIZE);

  test('of several tiles is one picture', async () => {
    expectNear(await coloursOf(heifOf({ brands: BRANDS, items: await grid() })), CORNERS, 12);
  });

  test('that lacks its last bytes is refused, wherever it was cut', async () => {
    const whole = heifOf({ brands: BRANDS, items: await grid() });
    const last = (await grid()).at(-1)?.data.length ?? 0;
    for (const less of [1, 20, last, last + 1, 2 * last, whole.length - 600])
      expect(await refusal(whole.subarray(0, whole.length - less)), `${less} bytes`).toMatch(DAMAGED);
  });

  test('of which a tile has not come, or not all of it, is refused', async () => {
    const items = await grid();
    const tile = items[3] as (typeof items)[number];
    for (const data of [Buffer.alloc(tile.data.length), tile.data.subarray(0, tile.data.length / 2)])
      expect(await refusal(heifOf({ brands: BRANDS, items: items.with(3, { ...tile, data }) }))).toMatch(
        DAMAGED,
      );
  });

  test('that says it has more pictures than it holds is refused', async () => {
    const items = [await tile('#0000ff')];
    expect(await refusal(heifOf({ brands: BRANDS, items, declared: 300 }))).toMatch(DAMAGED);
  });

  test('of more pictures than its decoder takes is refused at once, with a way out', async () => {
    const one = await tile('#0000ff');
    const items = Array.from({ length: 1_100 }, () => ({ ...one, properties: [] }));
    items[0] = one as never;
    expect(await refusal(heifOf({ brands: BRANDS, items }))).toMatch(/trop grande.*enregistrez-la en JPEG/);
  });

  test('is its primary picture, wherever that stands', async () => {
    const items = [await tile('#1e28dc'), await tile('#dc1e1e')];
    for (const [primary, colour] of [
      [0, [30, 40, 220]],
      [1, [220, 30, 30]],
    ] as const)
      expectNear(
        await coloursOf(heifOf({ brands: BRANDS, items, primary })),
        [colour, colour, colour, colour],
        12,
      );
  });

  test('says when it was taken, whatever stands before its EXIF', async () => {
    const exif = await exifOf({ IFD2: { DateTimeOriginal: '2026:07:12 10:11:12' } });
    const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
    for (const before of [exif, app1, exif.subarray(6)]) {
      const data = Buffer.concat([Buffer.alloc(4), before]);
      const items = [
        await tile('#808080'),
        { type: 'Exif', data, refers: { type: 'cdsc' as const, to: [0] } },
      ];
      expect((await made(heifOf({ brands: BRANDS, items }))).taken).toBe('2026-07-12T10:11:12.000Z');
    }
  });

  test('by whatever brand a camera calls it, is one; a moving one is told what it is', async () => {
    const items = [await tile('#808080')];
    for (const brands of [
      ['heix', 'mif1'],
      ['MiHB', 'mif1', 'heic'],
      ['mif1', 'heic'],
    ]) {
      const file = heifOf({ brands, items });
      expect(sniff(file)).toBe('heif');
      await made(file);
    }
    for (const brand of ['hevc', 'msf1'])
      expect(await refusal(heifOf({ brands: [brand, 'mif1', 'heic'], items }))).toMatch(
        /animées.*image fixe/,
      );
  });

  test('in a form that nothing here reads is refused with a way out', async () => {
    const one = await tile('#808080');
    // Cut down by a property so far that its decoder thinks that the picture is too large for what is shown of it.
    const shown = { ...one, properties: [...(one.properties ?? []), clap(100, 90)] };
    for (const item of [{ ...one, type: 'unci' }, shown])
      expect(await refusal(heifOf({ brands: BRANDS, items: [item] }))).toMatch(UNKNOWN);
  });
});

describe('an AVIF', () => {
  const still = async (background: string) => {
    const jpeg = await flat(background);
    return itemOf(
      await sharp(jpeg).avif({ quality: 90, effort: 0, chromaSubsampling: '4:4:4' }).toBuffer(),
      SIZE,
    );
  };

  test('of several stills is its primary one', async () => {
    const items = [await still('#1e28dc'), await still('#dc1e1e')];
    const file = heifOf({ brands: ['avif', 'mif1'], items, primary: 1 });
    expectNear(await coloursOf(file), Array(4).fill([220, 30, 30]), 12);
  });

  test('that moves is told what it is', async () => {
    expect(await refusal(heifOf({ brands: ['avis', 'avif'], items: [await still('#808080')] }))).toMatch(
      /animées/,
    );
  });

  test('that was cut is refused', async () => {
    const whole = heifOf({ brands: ['avif', 'mif1'], items: [await still('#dc1e1e')] });
    for (const less of [1, 20])
      expect(await refusal(whole.subarray(0, whole.length - less))).toMatch(DAMAGED);
    const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'];
    const tiled = heifOf({ brands: ['avif'], items: gridOf(await Promise.all(colours.map(still)), 2, SIZE) });
    for (const less of [1, 100])
      expect(await refusal(tiled.subarray(0, tiled.length - less))).toMatch(DAMAGED);
  });

  test('has the colours that it says by numbers: of a wide screen, and brighter than one', async () => {
    const one = await still('#808080');
    const withCoding = (...numbers: Parameters<typeof nclx>) =>
      heifOf({
        brands: ['avif'],
        items: [{ ...one, properties: [...(one.properties ?? []), nclx(...numbers)] }],
      });
    const grey = async (file: Buffer) => (await coloursOf(file))[0]?.[0] ?? 0;
    expect(Math.abs((await grey(withCoding(1, 13, 6, true))) - 128)).toBeLessThanOrEqual(3);
    expect(Math.abs((await grey(withCoding(12, 13, 6, true))) - 128)).toBeLessThanOrEqual(3);
    // Linear light: half of it is bright to the eye.
    expect(Math.abs((await grey(withCoding(1, 8, 6, true))) - 188)).toBeLessThanOrEqual(3);
    // 94 candelas: what Chromium makes of them on an ordinary screen.
    expect(Math.abs((await grey(withCoding(9, 16, 6, true))) - 133)).toBeLessThanOrEqual(3);
    const red = await still('#c80000');
    const wide = heifOf({
      brands: ['avif'],
      items: [{ ...red, properties: [...(red.properties ?? []), nclx(12, 13, 6, true)] }],
    });
    expect((await coloursOf(wide))[0]?.[0]).toBeGreaterThan(210);
  });

  test('in grey from 16 to 235 is black and white', async () => {
    for (const [value, shown] of [
      [16, 0],
      [126, 128],
      [235, 255],
    ] as const) {
      const jpeg = await sharp(await flat(`rgb(${value},${value},${value})`))
        .toColourspace('b-w')
        .avif({ effort: 0 })
        .toBuffer();
      const one = itemOf(jpeg, SIZE);
      const file = heifOf({
        brands: ['avif'],
        items: [{ ...one, properties: [...(one.properties ?? []), nclx(1, 13, 6, false)] }],
      });
      expect(Math.abs(((await coloursOf(file))[0]?.[0] ?? -99) - shown)).toBeLessThanOrEqual(3);
    }
  });
});

describe('a JPEG', () => {
  const END = Buffer.from([0xff, 0xd9]);
  const photograph = async (progressive = false) =>
    sharp(await xiaomi())
      .resize(900)
      .jpeg({ progressive })
      .toBuffer();

  test('that lacks only the marker of its end is taken', async () => {
    const whole = await photograph();
    expect(whole.subarray(-2)).toEqual(END);
    await made(whole.subarray(0, -2));
    await made(whole.subarray(0, -1));
  });

  test('of which any row is missing is refused, marker or not', async () => {
    const whole = await photograph();
    for (const less of [3, 4, 6, 12, 100, 5_000]) {
      const cut = whole.subarray(0, whole.length - less);
      expect(await refusal(cut), `${less} bytes`).toMatch(DAMAGED);
      expect(await refusal(Buffer.concat([cut, END])), `${less} bytes, and the marker`).toMatch(DAMAGED);
    }
    const passes = await photograph(true);
    for (const less of [2, 3, 500, passes.length >> 1])
      expect(await refusal(passes.subarray(0, passes.length - less)), `${less} bytes`).toMatch(DAMAGED);
  });

  test('of a form that nothing here reads is told so: 12 bits, or a height that comes last', async () => {
    const whole = await flat('#808080');
    const frame = whole.indexOf('\xff\xc0', 0, 'latin1');
    const changed = (at: number, ...bytes: number[]) => {
      const other = Buffer.from(whole);
      other.set(bytes, frame + at);
      return other;
    };
    const deep = changed(1, 0xc1);
    deep[frame + 4] = 12;
    for (const file of [deep, changed(5, 0, 0)]) expect(await refusal(file)).toMatch(UNKNOWN);
  });

  test('that a camera ended with more than its picture is taken', async () => {
    const whole = await photograph();
    for (const more of [Buffer.alloc(1_000), Buffer.from('SEFT'), await photograph()])
      await made(Buffer.concat([whole, more]));
  });

  test.each([
    ['of a phone of 50 MP', [8192, 6144]],
    ['of a phone of 108 MP', [12_000, 9_000]],
    ['of a phone of 200 MP', [16_320, 12_240]],
    ['a panorama', [16_000, 3_700]],
  ] as const)('%s is taken', async (_what, size) => {
    const { jpeg } = await made(await flat('#3060a0', size));
    expect(Math.max(jpeg?.width ?? 0, jpeg?.height ?? 0)).toBe(4096);
  });
});

test('a date is found wherever it stands: behind the points of a PNG, or behind an EXIF that says none', async () => {
  const exif = (await exifOf({ IFD2: { DateTimeOriginal: '2026:07:12 10:11:12' } })).subarray(6);
  const png = await sharp(await flat('#808080'))
    .png()
    .toBuffer();
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('eXIf'), exif, Buffer.alloc(4)]);
  chunk.writeUInt32BE(exif.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  const app1 = (tiff: Buffer) =>
    Buffer.concat([Buffer.from([0xff, 0xe1, 0, tiff.length + 8]), Buffer.from('Exif\0\0'), tiff]);
  const none = Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1');
  const jpeg = await flat('#808080');
  for (const file of [
    Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]),
    Buffer.concat([jpeg.subarray(0, 2), app1(none), app1(exif), jpeg.subarray(2)]),
  ])
    expect((await made(file)).taken).toBe('2026-07-12T10:11:12.000Z');
});

test('a PNG looks as its gamma says, and as usual without one', async () => {
  const png = await sharp(await flat('#808080'))
    .png()
    .toBuffer();
  const withGamma = (gamma: number) => {
    const body = Buffer.concat([Buffer.from('gAMA'), Buffer.alloc(4)]);
    body.writeUInt32BE(gamma, 4);
    const ends = [Buffer.from([0, 0, 0, 4]), Buffer.alloc(4)] as const;
    ends[1].writeUInt32BE(crc32(body));
    return Buffer.concat([png.subarray(0, 33), ends[0], body, ends[1], png.subarray(33)]);
  };
  const grey = async (file: Buffer) => (await coloursOf(file))[0]?.[0] ?? 0;
  for (const usual of [png, withGamma(45_455)])
    expect(Math.abs((await grey(usual)) - 128)).toBeLessThanOrEqual(2);
  expect(Math.abs((await grey(withGamma(100_000))) - 188)).toBeLessThanOrEqual(2);
  expect(Math.abs((await grey(withGamma(55_556))) - 147)).toBeLessThanOrEqual(3);
});

test('what is refused says a way out, and that way helps', async () => {
  const huge = pngOf(20_000, 20_000);
  expect(await refusal(huge)).toMatch(/trop grande.*en JPEG, réduite à 8\s000\spoints de côté/);
  const small = await flat('#808080', [8_000, 8_000]);
  await made(small);
  await made(await sharp(small).jpeg({ progressive: true }).toBuffer());
  const moving = await animatedWebp();
  expect(await refusal(moving)).toMatch(/image fixe, en JPEG ou en PNG/);
  await made(await sharp(moving).png().toBuffer());
  const printed = await sharp(await corners(1))
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
  expect(await refusal(printed)).toMatch(/RVB/);
  await made(await sharp(printed).toColourspace('srgb').jpeg().toBuffer());
});

function exifOf(exif: Exif): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
    .withExif(exif)
    .jpeg()
    .toBuffer()
    .then(async (jpeg) => (await sharp(jpeg).metadata()).exif as Buffer);
}
