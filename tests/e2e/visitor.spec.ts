import { expect, test } from '@playwright/test';
import exifReader from 'exif-reader';
import sharp from 'sharp';
import { phonePortrait } from '../support/photos.ts';
import { type RunningSite, startSite } from './site.ts';

const PHONE = { viewport: { width: 360, height: 780 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

for (const engine of ['sqlite', 'postgres'] as const) {
  test.describe(`on ${engine}`, () => {
    let site: RunningSite;
    test.beforeAll(async () => {
      site = await startSite(engine);
    });
    test.afterAll(() => site.stop());

    test('a photograph published over the API stands upright on a visitor’s phone, without its position', async ({
      browser,
    }) => {
      const photo = await redToppedPortrait();
      const { width, height, orientation, exif } = await sharp(photo).metadata();
      expect([width, height, orientation]).toEqual([4000, 3000, 6]);
      expect(exifReader(exif as Buffer).GPSInfo).toMatchObject({ GPSLatitudeRef: 'N' });
      const form = new FormData();
      form.append('titre', 'Premiers pas au refuge');
      form.append('description', 'Un **grand** jour.');
      form.append('texte_alternatif', 'Un refuge sous la neige');
      form.append('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'IMG_2026.jpg');
      const created = await fetch(`${site.url}/api/api/actualites`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await site.signIn()}` },
        body: form,
      });
      expect(created.status).toBe(201);

      const context = await browser.newContext(PHONE);
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('console', (line) => line.type() === 'error' && troubles.push(line.text()));
      page.on('pageerror', (error) => troubles.push(error.message));
      const pictures: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/api/images')) pictures.push(response.body());
      });
      await page.goto(site.url);
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
      expect(troubles).toEqual([]);
      await context.close();
    });

    test('the home page is readable before any script has run, and an unknown address is a real 404', async ({
      browser,
    }) => {
      const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(site.url);
      await expect(page.getByRole('heading', { name: 'L’Actualité' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Premiers pas au refuge' })).toBeVisible();
      const missing = await page.goto(`${site.url}/pas-de-page-ici`);
      expect(missing?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
      await page.getByRole('link', { name: 'Retour Accueil' }).click();
      await expect(page.getByRole('heading', { name: 'À la Une' })).toBeVisible();
      await context.close();
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
