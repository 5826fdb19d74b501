import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { startSite } from '#tests/browser/site.ts';
import { addStay, arrive, ask, DESKTOP, LONG, PHONE, refused, test } from '#tests/browser/visit.ts';
import { startNginx } from '#tests/support/nginx.ts';
import { xiaomi } from '#tests/support/photos.ts';
import { freePort } from '#tests/support/ports.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { startBuckets } from '#tests/support/s3.ts';

/** Two processes behind nginx that are one site, on PostgreSQL and a bucket, as people see it. */

const PHOTOS = 10;
/** Under way in a process that is killed: they count as such for five minutes. */
const HELD = 4;

/** What was started, the last first. */
const ends: (() => unknown)[] = [];
test.afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const tray = (page: Page) => page.getByRole('region', { name: 'Envoyer des photos' });
const tiles = (page: Page) => page.locator('[data-photo]');

async function signIn(page: Page, stageId: number, password: string): Promise<void> {
  await arrive(page, `/connexion?stageId=${stageId}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

test('photos leave a phone and are seen by a family, though a process is killed on the way', async ({
  visit,
}) => {
  const buckets = await startBuckets();
  ends.push(buckets.stop);
  const postgres = await startPostgres();
  ends.push(postgres.stop);
  const port = await freePort();
  const env = {
    PUBLIC_URL: `https://127.0.0.1:${port}`,
    ...(await buckets.newBucket('camp')),
    ...{ DATABASE_URL: postgres.url, SECRET_KEY: 'a-key-that-only-tests-use-0123456789', TRUST_PROXY: '1' },
  };
  const [first, second] = [await startSite('sqlite', env), await startSite('sqlite', env)];
  ends.push(first.stop, second.stop);
  const nginx = await startNginx([first.url, second.url], { port });
  ends.push(nginx.stop);
  const site = { ...first, url: nginx.origin, fetch: nginx.fetch };
  const admin = await site.signIn();
  const stay = await addStay(site, admin, 'Deux machines');

  const director = await visit(site, { ...PHONE, ignoreHTTPSErrors: true });
  await signIn(director.page, stay.id, stay.director);
  const base = await xiaomi();
  const files = Array.from({ length: PHOTOS }, (_, index) => ({
    name: `IMG_${index}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([base, randomBytes(16)]),
  }));
  await expect(tray(director.page).getByRole('button', { name: 'Choisir des photos' })).toBeEnabled();
  await tray(director.page).getByLabel('Photos à envoyer').setInputFiles(files);
  const found = async () => {
    const list = await ask(site, admin, `GET /stages/${stay.id}/photos`);
    return (await list.json()) as { photos: { id: number; statut: string }[] };
  };
  await expect.poll(async () => (await found()).photos.length, { intervals: [100] }).toBeGreaterThan(1);
  await second.crash();
  await expect(
    tray(director.page)
      .getByRole('status')
      .getByText(new RegExp(`^${PHOTOS}\\s*photos reçues, rien ne manque$`)),
  ).toBeAttached(LONG);
  const ready = async () => (await found()).photos.filter(({ statut }) => statut === 'a_verifier');
  await expect.poll(async () => (await ready()).length).toBeGreaterThanOrEqual(PHOTOS - HELD);
  expect((await found()).photos).toHaveLength(PHOTOS);

  const family = await visit(site, { ...DESKTOP, ignoreHTTPSErrors: true });
  await ask(site, admin, `POST /stages/${stay.id}/attestation`);
  await signIn(family.page, stay.id, stay.family);
  await expect(family.page.getByRole('heading', { name: 'Les photos arriveront ici' })).toBeVisible();
  const gone: string[] = [];
  family.page.on('response', (response) => {
    if (response.status() === 404) gone.push(new URL(response.url()).pathname);
  });
  // Told by one process of what the other has published.
  const ids = (await ready()).map(({ id }) => id);
  const published = await ask(second, admin, 'PATCH /photos', {
    ids,
    statut: 'publiee',
  });
  expect(published.status).toBe(200);
  await expect(tiles(family.page)).toHaveCount(ids.length);
  for (const picture of await tiles(family.page).locator('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }

  // A photo that was published as its light version has other files once its full one is prepared: the page may have asked
  // for the former ones meanwhile, and has drawn the new ones.
  expect(gone.filter((path) => !path.startsWith('/api/photos/'))).toEqual([]);
  expect(family.troubles.splice(0)).toEqual(gone.map(() => refused(404)));
  // What was asked of the process that was killed is no trouble: the phone has tried again.
  director.troubles.splice(0);
});
