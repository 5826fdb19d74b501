import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { ATTESTATION, PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { startSite } from '#tests/browser/site.ts';
import {
  addStay,
  ask,
  DESKTOP,
  LONG,
  lookAtAll,
  type OpenStay,
  type OpenVisit,
  PHONE,
  test,
} from '#tests/browser/visit.ts';
import {
  album,
  differs,
  filesUnder,
  looks,
  readAll,
  type Shot,
  tracesIn,
  tracesOf,
} from '#tests/support/album.ts';

/** An evening at a camp, whole: from a director's phone on a bad network to what families see of it. */

interface Listed {
  id: number;
  statut: string;
  version: string;
  fichiers: Record<'w320' | 'w480' | 'w960' | 'w1920' | 'jpeg', string>;
}

const COUNT = 40;
const empreinte = ({ bytes }: Shot) => createHash('sha256').update(bytes).digest('hex');

let site: Awaited<ReturnType<typeof startSite>>;
let shots: Shot[];

test.beforeAll(async () => {
  site = await startSite('sqlite');
  shots = await album(COUNT);
});
test.afterAll(() => site?.stop());

/** What stands on the page of a stay, once somebody has signed in to it. */
async function enter(visit: OpenVisit, options: object, stay: OpenStay, password: string) {
  const visited = await visit(site, options);
  await visited.page.goto(`/connexion?stageId=${stay.id}`);
  await visited.page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await visited.page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(visited.page.getByRole('heading', { level: 1, name: stay.nom_stage })).toBeVisible();
  return visited;
}

/** Which photos have arrived, by the fingerprint of what was sent. */
async function arrived(stay: OpenStay): Promise<Map<string, number>> {
  const body = { stageId: stay.id, empreintes: shots.map(empreinte) };
  const answer = await ask(site, await site.signIn(), 'POST /photos/connues', body);
  const { connues } = (await answer.json()) as { connues: { empreinte: string; id: number }[] };
  return new Map(connues.map((one) => [one.empreinte, one.id]));
}

async function listed(stay: OpenStay): Promise<Listed[]> {
  const answer = await ask(site, await site.signIn(), `GET /stages/${stay.id}/photos`);
  return ((await answer.json()) as { photos: Listed[] }).photos;
}

const tile = (page: Page, id: number) => page.locator(`[data-photo="${id}"]`);
const lightbox = (page: Page) => page.getByRole('dialog', { name: 'Photos en grand' });
/** What a page is answered for an address, by its own sign-in and with all that it keeps. */
const statusIn = (page: Page, address: string) =>
  page.evaluate(async (path) => (await fetch(path)).status, address);

test('photos of an evening arrive once, upright and silent, and families see those that were checked', async ({
  visit,
}) => {
  const admin = await site.signIn();
  const stay = await addStay(site, admin, 'Cabanes et rivières');
  const other = await addStay(site, admin, 'Neige en Vercors');
  const director = await enter(visit, PHONE, stay, stay.director);
  const tray = director.page.getByRole('region', { name: 'Envoyer des photos' });
  const said = (text: RegExp) => tray.getByRole('status').getByText(text);
  const network = director.page.context();
  const reach = (count: number) =>
    expect.poll(async () => (await arrived(stay)).size).toBeGreaterThanOrEqual(count);

  await tray
    .getByLabel('Photos à envoyer')
    .setInputFiles(shots.map(({ name, bytes }) => ({ name, mimeType: 'image/jpeg', buffer: bytes })));
  for (const count of [1, 12]) {
    await reach(count);
    await network.setOffline(true);
    await expect(said(/^Pas de réseau/)).toBeAttached();
    await network.setOffline(false);
  }
  await reach(20);
  await site.crash();
  await expect(said(/^40\s*photos reçues, rien ne manque$/)).toBeAttached(LONG);
  // A light version goes ahead; names of files change once more when the full one is prepared.
  const arePrepared = async () => (await listed(stay)).every(({ fichiers }) => fichiers?.jpeg);
  await expect.poll(arePrepared).toBe(true);
  const photos = await listed(stay);
  expect(photos.map(({ statut, version }) => `${statut} ${version}`)).toEqual(
    Array(COUNT).fill('a_verifier complete'),
  );
  expect((await arrived(stay)).size).toBe(COUNT);
  director.troubles.splice(0);

  const family = await enter(visit, PHONE, stay, stay.family);
  const another = await enter(visit, DESKTOP, stay, stay.family);
  await expect(family.page.locator('[data-photo]')).toHaveCount(0);
  await director.page.getByRole('button', { name: 'Vérifier 40 photos' }).click();
  await lookAtAll(director.page);
  await director.page.getByRole('button', { name: /^Publier les 40\sphotos du/ }).click();
  await director.page.getByRole('checkbox', { name: ATTESTATION }).check();
  await director.page.getByRole('checkbox', { name: 'Je publie sans liste d’enfants' }).check();
  await director.page.getByRole('button', { name: 'Confirmer et publier' }).click();
  await expect(director.page.getByText('40 photos publiées.', { exact: true })).toBeVisible();
  director.troubles.splice(0);

  // They appear by themselves; one is opened by a finger, one by the keyboard.
  const [first, second] = photos as [Listed, Listed];
  await tile(family.page, first.id).tap();
  const open = async (page: Page, { fichiers }: Listed) => {
    const nom = fichiers.w320.slice(0, fichiers.w320.indexOf('_'));
    // Its thumbnail stands behind it until then.
    await expect(lightbox(page).locator(`img[src*="${nom}"]:not([alt=""])`)).toBeVisible();
  };
  await open(family.page, first);
  await tile(another.page, first.id).focus();
  await another.page.keyboard.press('ArrowRight');
  await expect(tile(another.page, second.id)).toBeFocused();
  await another.page.keyboard.press('Enter');
  await open(another.page, second);
  await another.page.keyboard.press('Escape');
  await expect(lightbox(another.page)).toHaveCount(0);

  // Upright, and silent about where they were taken: every size, the archive, the disk.
  const ids = await arrived(stay);
  const addresses = ({ fichiers }: Listed) => Object.values(fichiers).map((name) => `${PHOTO_FOLDER}${name}`);
  for (const shot of shots) {
    const photo = photos.find(({ id }) => id === ids.get(empreinte(shot)));
    for (const address of addresses(photo as Listed)) {
      const answer = await family.page.request.get(address);
      expect(answer.status(), `${shot.name} ${address}`).toBe(200);
      const bytes = await answer.body();
      expect(await tracesOf(bytes), shot.name).toEqual([]);
      expect(differs(await looks(bytes), shot.look), shot.name).toBeLessThan(12);
    }
  }
  const archive = `/api/api/stages/${stay.id}/photos.zip`;
  const zip = await family.page.request.get(archive);
  expect(zip.status()).toBe(200);
  expect(await tracesIn(await zip.body())).toEqual([]);
  const files = await filesUnder(join(site.directory, 'files'));
  // A kill may leave sizes of a photo that was made again; nobody is served them, and the sweep puts them aside.
  expect(files.length).toBeGreaterThanOrEqual(5 * COUNT);
  expect((await Promise.all((await readAll(files)).map(tracesIn))).flat()).toEqual([]);

  // Taken down by one family, it is gone for the other one at once, which had it open before.
  await lightbox(family.page).getByRole('button', { name: 'Demander le retrait' }).click();
  const dialog = family.page.getByRole('dialog', { name: 'Demander le retrait de cette photo' });
  await dialog.getByRole('button', { name: 'Demander le retrait' }).click();
  await expect(family.page.getByText('La photo n’est plus visible.')).toBeVisible();
  for (const address of addresses(first)) expect(await statusIn(another.page, address)).toBe(404);
  await expect(tile(another.page, first.id)).toHaveCount(0);
  await expect(tile(another.page, second.id)).toBeVisible();

  // Nobody else opens any of it: another stay's family, who has signed out, who never signed in.
  const list = `/api/api/stages/${stay.id}/photos`;
  const neighbour = await enter(visit, PHONE, other, other.family);
  const stranger = await visit(site, PHONE);
  await stranger.page.goto('/');
  await another.page.getByRole('button', { name: 'Se déconnecter' }).last().click();
  await expect(another.page).toHaveURL('/deconnexion');
  for (const address of [...addresses(second), archive, list]) {
    expect(await statusIn(neighbour.page, address), address).toBe(address === list ? 401 : 404);
    expect(await statusIn(stranger.page, address), address).toBe(401);
    expect(await statusIn(another.page, address), address).toBe(401);
  }
  for (const { troubles } of [family, another, neighbour, stranger]) troubles.splice(0);
});
