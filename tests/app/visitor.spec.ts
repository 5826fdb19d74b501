import { expect } from '@playwright/test';
import exifReader from 'exif-reader';
import sharp from 'sharp';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { PHONE, publish, refused, test } from '#tests/browser/visit.ts';
import { phonePortrait } from '#tests/support/photos.ts';

const SHARP_PHONE = { ...PHONE, deviceScaleFactor: 3 };

for (const engine of ['sqlite', 'postgres'] as const) {
  test.describe(`on ${engine}`, () => {
    let site: RunningSite;
    test.beforeAll(async () => {
      site = await startSite(engine);
    });
    test.afterAll(() => site?.stop());

    test('a photograph published over the API stands upright on a visitor’s phone, without its position', async ({
      visit,
    }) => {
      const photo = await redToppedPortrait();
      const { width, height, orientation, exif } = await sharp(photo).metadata();
      expect([width, height, orientation]).toEqual([4000, 3000, 6]);
      expect(exifReader(exif as Buffer).GPSInfo).toMatchObject({ GPSLatitudeRef: 'N' });
      await publish(site, await site.signIn(), '/actualites', {
        titre: 'Premiers pas au refuge',
        description: 'Un **grand** jour.',
        texte_alternatif: 'Un refuge sous la neige',
        image: [new Uint8Array(photo), 'IMG_2026.jpg', 'image/jpeg'],
      });

      const { page } = await visit(site, SHARP_PHONE);
      const pictures: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/api/images')) pictures.push(response.body());
      });
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'Premiers pas au refuge' })).toBeVisible();
      const image = page.getByRole('img', { name: 'Un refuge sous la neige' });
      await image.scrollIntoViewIfNeeded();
      await expect
        .poll(() => image.evaluate((one: HTMLImageElement) => one.naturalHeight))
        .toBeGreaterThan(0);
      expect(await image.evaluate(whatIsSeen)).toEqual({ isPortrait: true, top: 'red', bottom: 'other' });

      const bodies = await Promise.all(pictures);
      expect(bodies.length).toBeGreaterThan(0);
      const item = (await (await fetch(`${site.url}/api/api/actualites`)).json()) as { image_url: string }[];
      for (const width of ['', '-320', '-720', '-1080']) {
        const name = item[0]?.image_url.replace('.webp', `${width}.webp`);
        bodies.push(Buffer.from(await (await fetch(`${site.url}/api/images_stages/${name}`)).arrayBuffer()));
      }
      for (const body of bodies) {
        expect(body.subarray(8, 12).toString()).toBe('WEBP');
        for (const trace of ['Exif', 'EXIF', 'GPS', 'xmp', '8BIM']) expect(body.includes(trace)).toBe(false);
      }
    });

    test('the home page is readable before any script has run, and an unknown address is a real 404', async ({
      visit,
    }) => {
      const { page, troubles } = await visit(site, { ...PHONE, javaScriptEnabled: false });
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'L’Actualité' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Premiers pas au refuge' })).toBeVisible();
      const missing = await page.goto('/pas-de-page-ici');
      expect(missing?.status()).toBe(404);
      expect(troubles.splice(0)).toEqual([refused(404)]);
      await expect(page.getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
      await page.getByRole('link', { name: 'Retour Accueil' }).click();
      await expect(page.getByRole('heading', { name: 'À la Une' })).toBeVisible();
    });
  });
}

/** Of 12 megapixels, stored lying: the top of what a person sees is the left of what is stored. */
async function redToppedPortrait(): Promise<Buffer> {
  const band = { create: { width: 600, height: 3000, channels: 3 as const, background: '#e00000' } };
  return sharp(await phonePortrait())
    .composite([{ input: band, top: 0, left: 0 }])
    .keepMetadata()
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** What a person would see in the picture: its shape, and the colours near its top and its bottom. */
function whatIsSeen(image: HTMLImageElement) {
  const canvas = document.createElement('canvas');
  canvas.width = 30;
  canvas.height = 40;
  const drawing = canvas.getContext('2d');
  drawing?.drawImage(image, 0, 0, 30, 40);
  const colourAt = (y: number) => {
    const [r = 0, g = 0, b = 0] = drawing?.getImageData(15, y, 1, 1).data ?? [];
    return r > 180 && g < 60 && b < 60 ? 'red' : 'other';
  };
  return { isPortrait: image.naturalHeight > image.naturalWidth, top: colourAt(2), bottom: colourAt(37) };
}
