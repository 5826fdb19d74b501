import { createHash } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import { LIGHT_WORTH } from '#features/sending/shared/sending.ts';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  DESKTOP,
  LONG,
  lookAtAll,
  type OpenStay,
  type OpenVisit,
  PHONE,
  refused,
  test,
} from '#tests/browser/visit.ts';
import { camera, heic, iphone, phonePortrait, xiaomi } from '#tests/support/photos.ts';

/** Photos on their way from a director's phone. */

interface Sent {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

let site: RunningSite;
let admin: string;
/** By real cameras and phones, some larger than what is sent as it is. */
let photos: Sent[];

test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
  const lying = await xiaomi();
  photos = [
    jpeg('IMG_0001.jpg', lying),
    jpeg('IMG_0002.jpg', await iphone()),
    jpeg('IMG_0003.jpg', await phonePortrait()),
    jpeg('IMG_0004.jpg', await camera('sony-alpha-6000.jpg')),
    jpeg('IMG_0005.jpg', await camera('right.jpg')),
    {
      name: 'IMG_0006.HEIC',
      mimeType: 'image/heic',
      buffer: await heic(await phonePortrait([1600, 1200])),
    },
  ];
});
test.afterAll(() => site?.stop());

const jpeg = (name: string, buffer: Buffer): Sent => ({ name, mimeType: 'image/jpeg', buffer });
const NOT_A_PHOTO = jpeg('vacances.jpg', Buffer.from('Ceci n’est pas une photo.'));

const tray = (page: Page) => page.getByRole('region', { name: 'Envoyer des photos' });
const choose = (page: Page, files: readonly Sent[]) =>
  tray(page)
    .getByLabel('Photos à envoyer')
    .setInputFiles([...files]);
const says = (page: Page, text: string | RegExp) => expect(tray(page).getByRole('status').getByText(text));
const group = (page: Page, name: string) => tray(page).locator('details').filter({ hasText: name });

/** The files that can never be taken. */
const refusals = (page: Page) => tray(page).getByRole('region', { name: /pris$/ });
/** Drawn by a browser, and large enough for a light version to go ahead. */
const drawable = () =>
  photos.filter(({ mimeType, buffer }) => mimeType === 'image/jpeg' && buffer.length > LIGHT_WORTH);

/** The page of the directors of a new stay. */
async function enter(visit: OpenVisit, options: object, name: string) {
  const stay = await addStay(site, admin, name);
  const { page, troubles } = await visit(site, options);
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await signIn(page, stay.director);
  return { stay, page, troubles };
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(tray(page).getByRole('button', { name: 'Choisir des photos' })).toBeEnabled();
}

interface Found {
  id: number;
  empreinte: string;
  version: string;
}

/** What the site has of them, in the order of `files`. */
async function found(stay: OpenStay, files: readonly Sent[]): Promise<(Found | undefined)[]> {
  const empreintes = files.map(({ buffer }) => createHash('sha256').update(buffer).digest('hex'));
  const answer = await ask(site, admin, 'POST /photos/connues', { stageId: stay.id, empreintes });
  const { connues } = (await answer.json()) as { connues: Found[] };
  return empreintes.map((one) => connues.find(({ empreinte }) => empreinte === one));
}

/** The version that the site has of each. */
async function known(stay: OpenStay, files: readonly Sent[]): Promise<(string | undefined)[]> {
  return (await found(stay, files)).map((one) => one?.version);
}

const answerTo = (page: Page, method: string, version: string) =>
  page.waitForResponse((response) => {
    const { version: said } = metadataOf(response.request().headers()['upload-metadata'] ?? '');
    return response.request().method() === method && (version === '' || said === version);
  });

function metadataOf(header: string): Record<string, string> {
  const pairs = header.split(',').map((pair) => pair.split(' '));
  return Object.fromEntries(
    pairs.map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString()]),
  );
}

test('photos chosen on a phone all arrive once, though the network goes and the page is loaded again', async ({
  visit,
}) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Réseau du camp');
  page.on('dialog', (dialog) => dialog.accept());

  const first = answerTo(page, 'PATCH', '');
  await choose(page, [...photos, NOT_A_PHOTO]);
  await first;
  await page.context().setOffline(true);
  await says(page, /^Pas de réseau/).toBeAttached();
  await page.context().setOffline(false);

  await answerTo(page, 'POST', 'complete');
  await page.reload();
  await says(page, /^6\s*photos reçues, rien ne manque\s; 1\s*fichier ne peut pas être pris$/).toBeAttached(
    LONG,
  );

  // The bad one is told beside its name, and goes once somebody has read it.
  const bad = refusals(page).getByRole('listitem').filter({ hasText: NOT_A_PHOTO.name });
  await expect(bad).toContainText('n’est pas une photo');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await refusals(page).getByRole('button', { name: 'Ne plus afficher' }).click();
  await says(page, /^6\s*photos reçues, rien ne manque$/).toBeAttached();

  expect(await known(stay, photos)).toEqual(photos.map(() => 'complete'));
  const list = await ask(site, admin, `GET /stages/${stay.id}/photos`);
  expect(await list.json()).toMatchObject({ total: photos.length });

  // The same photos again: not a byte of them travels.
  const again: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && again.push(request.url()));
  await choose(page, photos);
  await expect(group(page, 'Déjà là')).toContainText('Déjà là (6)');
  await says(page, /^6\s*photos reçues, rien ne manque$/).toBeAttached();
  expect(again).toEqual([]);

  // One that the site no longer has is neither missing nor waited for, and can be sent anew.
  const [erased] = await found(stay, photos);
  expect((await ask(site, admin, `DELETE /photos/${erased?.id}`)).status).toBe(200);
  await page.reload();
  await says(page, /^5\s*photos reçues, rien ne manque$/).toBeAttached();
  await expect(group(page, 'Supprimées du site depuis')).toContainText('(1)');
  await choose(page, photos.slice(0, 1));
  await says(page, /^1\s*photo reçue, rien ne manque$/).toBeAttached(LONG);
  troubles.splice(0);
});

test('what can be checked is said and offered before all has arrived, and a bar follows the director', async ({
  visit,
}) => {
  const { page, troubles } = await enter(visit, PHONE, 'Soirée au camp');
  const count = drawable().length;
  expect(count).toBeGreaterThan(1);
  let letThrough = () => {};
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/photos/envoi', async (route) => {
    const { version } = metadataOf(route.request().headers()['upload-metadata'] ?? '');
    if (version === 'complete') await open;
    await route.fallback().catch(() => {});
  });
  await choose(page, drawable());
  await says(page, /^Photos arrivées, pleine qualité\s: 0\s%$/).toBeAttached(LONG);
  await expect(tray(page).getByText(new RegExp(`^${count}\\sphotos arrivées$`))).toBeVisible();
  await expect(tray(page).getByText(new RegExp(`^Pleine qualité\\s: 0\\ssur\\s${count}`))).toBeVisible();
  const check = tray(page).getByRole('button', { name: `Vérifier et publier (${count})` });
  await expect(check).toBeVisible();
  await expect(tray(page).getByText('Les familles ne les voient pas encore.')).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);

  const bar = page.getByRole('complementary', { name: 'Envoi des photos' });
  await expect(bar).toContainText('gardez cette page ouverte');
  await page.getByRole('link', { name: 'Voir comme une famille' }).click();
  await expect(page.getByText('Vous voyez la page comme une famille')).toBeVisible();
  await expect(bar).toBeVisible();
  // Loaded again, that page goes on: what sends is not only the page of the directors.
  const resumed = page.waitForRequest(
    (request) => metadataOf(request.headers()['upload-metadata'] ?? '').version === 'complete',
  );
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await resumed;
  await expect(bar).toContainText('Pleine qualité');
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.getByRole('link', { name: 'Politique photos' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await bar.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Envoyer des photos' })).toBeFocused();

  letThrough();
  await says(page, new RegExp(`^${count}\\s*photos reçues, rien ne manque$`)).toBeAttached(LONG);
  await expect(bar).toHaveCount(0);
  await expect(tray(page).getByText('Les familles ne les voient pas encore.')).toBeVisible();
  // One large button, though there are two ways to the same screen.
  const heights = page
    .getByRole('button', { name: /^Vérifier/ })
    .evaluateAll((all) => all.map((one) => one.clientHeight));
  expect((await heights).filter((height) => height > 50)).toHaveLength(1);
  await check.click();
  await lookAtAll(page);
  await page.getByRole('button', { name: new RegExp(`^Publier les ${count}\\sphotos du`) }).click();
  await page.getByRole('checkbox', { name: ATTESTATION }).check();
  await page.getByRole('checkbox', { name: 'Je publie sans liste d’enfants' }).check();
  await page.getByRole('button', { name: 'Confirmer et publier' }).click();
  await page.getByRole('button', { name: 'Terminer' }).click();

  // What comes next: the word of today, in its field.
  await expect(tray(page).getByText('Tout est vérifié.')).toBeVisible();
  await expect(page.locator(':focus')).toContainText('Tout est vérifié.');
  await tray(page).getByRole('link', { name: 'Écrire le mot du jour' }).click();
  const word = page.getByRole('textbox', { name: 'Mot du jour' });
  await expect(word).toBeFocused();
  await word.fill('Une belle journée.');
  await page.getByRole('button', { name: 'Publier ce mot' }).click();
  await expect(page.getByRole('link', { name: 'Écrire le mot du jour' })).toHaveCount(0);
  troubles.splice(0);
});

test('only what another attempt may mend is sent again, and leaving is free once the rest can never be taken', async ({
  visit,
}) => {
  const { page, troubles } = await enter(visit, DESKTOP, 'Jamais prises');
  const asked: string[] = [];
  let isFull = true;
  await page.route('**/photos/envoi', async (route) => {
    const { filename = '' } = metadataOf(route.request().headers()['upload-metadata'] ?? '');
    asked.push(filename);
    if (isFull && filename === photos[5]?.name) {
      await route.fulfill({ status: 409, json: { message: 'Ce séjour a déjà 5 000 photos.' } });
    } else await route.fallback();
  });
  // In the colours of printers: browsers draw it, but the site cannot take it as it is.
  const printed = await sharp(drawable()[0]?.buffer).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
  expect(printed.length).toBeGreaterThan(LIGHT_WORTH);
  await choose(page, [
    ...photos.slice(5),
    NOT_A_PHOTO,
    jpeg('vide.jpg', Buffer.alloc(0)),
    jpeg('imprimeur.jpg', printed),
  ]);
  await says(
    page,
    /^1\s*photo reçue, dont 1\s*en qualité réduite, 1\s*en échec\s; 2\s*fichiers ne peuvent pas être pris$/,
  ).toBeAttached(LONG);
  await expect(refusals(page).getByRole('listitem')).toHaveCount(2);
  expect(await violationsOf(page)).toEqual([]);
  isFull = false;
  asked.splice(0);
  await page.getByRole('button', { name: 'Tout renvoyer' }).click();
  await says(page, /^2\s*photos reçues, dont 1\s*en qualité réduite\s; 2\s*fichiers/).toBeAttached(LONG);
  expect(asked).toEqual([photos[5]?.name]);
  await expect(page.getByRole('button', { name: 'Tout renvoyer' })).toHaveCount(0);

  // All of it is known when the page is opened again, and nothing is asked when it is left.
  await page.reload();
  await says(page, /^2\s*photos reçues, dont 1\s*en qualité réduite\s; 2\s*fichiers/).toBeAttached(LONG);
  await page.getByRole('button', { name: 'Se déconnecter' }).last().click();
  await expect(page.getByRole('heading', { name: 'Vous êtes déconnecté' })).toBeVisible();
  expect(asked).toEqual([photos[5]?.name]);
  troubles.splice(0);
});

/** How many files of photos this browser keeps. */
const keptIn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('envoi-fichiers');
        opening.onsuccess = () => {
          const count = opening.result.transaction('fichiers').objectStore('fichiers').count();
          count.onsuccess = () => {
            opening.result.close();
            resolve(count.result);
          };
        };
      }),
  );

test('a device without room keeps what it can, and says of the rest that it has to be chosen again', async ({
  visit,
}) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Plus de place');
  page.on('dialog', (dialog) => dialog.accept());
  // A browser that does not say how much it may store.
  await page.addInitScript(() => Object.defineProperty(navigator.storage, 'estimate', { value: undefined }));
  await page.reload();
  await expect(tray(page).getByRole('button', { name: 'Choisir des photos' })).toBeEnabled();
  const sizes = photos.map(({ buffer }) => buffer.length);
  const devtools = await page.context().newCDPSession(page);
  const quota = { origin: site.url, quotaSize: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 2) };
  await devtools.send('Storage.overrideQuotaForOrigin', quota);
  await page.context().setOffline(true);
  await choose(page, photos);
  const lost = /si elle se ferme, (\d+)\sphotos? sera?(?:ont)? à choisir de nouveau/;
  const closing = tray(page).getByText(lost);
  const unkept = async () => Number(lost.exec((await closing.textContent()) ?? '')?.[1]);
  await expect.poll(async () => (await keptIn(page)) + (await unkept())).toBe(photos.length);
  await expect(group(page, 'En attente')).toContainText(`(${photos.length})`);
  const kept = await keptIn(page);
  expect([kept > 0, kept < photos.length]).toEqual([true, true]);
  await page.context().setOffline(false);
  await page.route('**/photos/envoi**', (route) => route.abort());
  await page.reload();
  await expect(group(page, 'À choisir de nouveau')).toContainText(`(${photos.length - kept})`);
  await expect(tray(page).getByText('Cet appareil n’a pas pu la garder')).toHaveCount(photos.length - kept);
  await page.unroute('**/photos/envoi**');
  await choose(page, photos);
  await says(page, /^6\s*photos reçues, rien ne manque$/).toBeAttached(LONG);
  expect(await known(stay, photos)).toEqual(photos.map(() => 'complete'));
  await expect.poll(() => keptIn(page)).toBe(0);
  troubles.splice(0);
});

test('what version 1.1.0 has kept in its rows is taken up, file and all', async ({ visit }) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Version d’avant');
  page.on('dialog', (dialog) => dialog.accept());
  const [photo] = photos as [Sent];
  await page.evaluate(
    ({ tray, base64, ...row }) =>
      new Promise<void>((resolve) => {
        const file = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]);
        const kept = {
          file,
          small: new Blob(['x']),
          address: '',
          has: undefined,
          isReceived: false,
          reason: '',
        };
        const opening = indexedDB.open('envoi');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('photos', 'readwrite');
          transaction
            .objectStore('photos')
            .put({ tray, id: 'avant', prise_le: '', chosenAt: 1, ...row, ...kept });
          transaction.oncomplete = () => resolve();
        };
      }),
    {
      tray: `stay:${stay.id}`,
      base64: photo.buffer.toString('base64'),
      empreinte: createHash('sha256').update(photo.buffer).digest('hex'),
      ...{ nom: photo.name, type: photo.mimeType, taille: photo.buffer.length },
    },
  );
  await page.route('**/photos/envoi**', (route) => route.abort());
  await page.reload();
  await expect.poll(() => keptIn(page)).toBe(1);
  await page.unroute('**/photos/envoi**');
  await page.reload();
  await says(page, /^1\s*photo reçue, rien ne manque$/).toBeAttached(LONG);
  expect(await known(stay, [photo])).toEqual(['complete']);
  await expect.poll(() => keptIn(page)).toBe(0);
  troubles.splice(0);
});

test('what a file is, its first bytes say, whatever its name', async ({ visit }) => {
  const { stay, page } = await enter(visit, PHONE, 'Premiers octets');
  const [, second, third] = photos as [Sent, Sent, Sent];
  const odd: Sent[] = [
    { name: 'DSC00012.HIF', mimeType: '', buffer: (photos[5] as Sent).buffer },
    { name: 'PANO0001.MPO', mimeType: '', buffer: second.buffer },
    { name: 'IMG_0007', mimeType: '', buffer: third.buffer },
  ];
  const sent: string[] = [];
  page.on('request', (request) => {
    const { filename } = metadataOf(request.headers()['upload-metadata'] ?? '');
    if (filename) sent.push(filename);
  });
  // A camera's raw file is a photo, though none that the site reads.
  const others = ['notes', 'IMG_0008.DNG'].map((name) => ({ ...NOT_A_PHOTO, name, mimeType: '' }));
  await choose(page, [...odd, NOT_A_PHOTO, ...others]);
  await expect(
    tray(page).getByText(/Ce fichier n’est pas une photo et ne partira pas\s: notes/),
  ).toBeVisible();
  await expect(refusals(page).getByRole('listitem')).toHaveText([
    /^vacances\.jpg.*n’est pas une photo que le site sait lire\s: envoyez-la en JPEG/,
    /^IMG_0008\.DNG.*que le site sait lire/,
  ]);
  const end = /^3\s*photos reçues, rien ne manque\s; 2\s*fichiers ne peuvent pas être pris$/;
  await says(page, end).toBeAttached(LONG);
  expect(await known(stay, odd)).toEqual(['complete', 'complete', 'complete']);
  expect(new Set(sent)).toEqual(new Set(odd.map(({ name }) => name)));
});

/** Chooses them while nothing can leave, and holds them back from then on. */
async function holdBack(page: Page, files: readonly Sent[]): Promise<void> {
  await page.context().setOffline(true);
  await choose(page, files);
  await expect.poll(() => keptIn(page)).toBe(files.length);
  await page.getByRole('button', { name: 'Mettre en pause' }).click();
  await page.context().setOffline(false);
}

test('photos of a page that is closed before it has read them, and failures, are not taken for received', async ({
  visit,
}) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Fermée trop tôt');
  // A device so slow that it reads none of them in time.
  await page.evaluate(() => {
    crypto.subtle.digest = () => new Promise(() => {});
  });
  await choose(page, [...photos.slice(0, 2), jpeg('vide.jpg', Buffer.alloc(0))]);
  await says(page, /^Envoi en cours/).toBeAttached();
  await page.reload();
  await says(
    page,
    /^Aucune photo reçue, 2\s*à choisir de nouveau\s; 1\s*fichier ne peut pas être pris$/,
  ).toBeAttached();
  await expect(refusals(page)).toContainText('Ce fichier est vide.');
  const missing = group(page, 'À choisir de nouveau').getByRole('listitem');
  await expect(missing).toContainText(photos.slice(0, 2).map(({ name }) => name));

  await choose(page, photos.slice(0, 2));
  await says(page, /^2\s*photos reçues, rien ne manque\s; 1\s*fichier/).toBeAttached();
  await page.reload();
  await says(page, /^2\s*photos reçues, rien ne manque\s; 1\s*fichier/).toBeAttached();
  await refusals(page).getByRole('button', { name: 'Ne plus afficher' }).click();
  await says(page, /^2\s*photos reçues, rien ne manque$/).toBeAttached();
  await page.reload();
  await says(page, /^2\s*photos reçues, rien ne manque$/).toBeAttached();
  expect(await known(stay, photos.slice(0, 2))).toEqual(['complete', 'complete']);
  // A piece that a reload cut may have arrived all the same: the page is told, and goes on from there.
  const told = troubles.splice(0);
  expect(told).toEqual(told.map(() => refused(409)));
});

test('what has not gone is kept here, sent by one tab at a time, and forgotten by whoever signs out', async ({
  visit,
}) => {
  const { stay, page, troubles } = await enter(visit, DESKTOP, 'Deux onglets');
  await choose(page, [{ ...NOT_A_PHOTO, name: 'film.mov', mimeType: 'video/mp4' }]);
  await expect(tray(page).getByText(/Ce fichier n’est pas une photo.*film\.mov/)).toBeVisible();
  await holdBack(page, photos.slice(0, 3));
  await says(page, /^Envoi en pause/).toBeAttached();

  const other = await page.context().newPage();
  await other.goto('/formateur');
  await other.getByRole('button', { name: 'Continuer dans cet onglet' }).click();
  await says(other, /^3\s*photos reçues, rien ne manque$/).toBeAttached(LONG);
  await expect(tray(page).getByText('partent déjà d’un autre onglet')).toBeVisible();
  expect(await known(stay, photos.slice(0, 4))).toEqual([...Array(3).fill('complete'), undefined]);

  await holdBack(other, photos.slice(3, 4));
  const signOut = other.getByRole('button', { name: 'Se déconnecter' });
  const question = other.getByRole('alertdialog', { name: 'Une photo n’est pas encore envoyée.' });
  await signOut.last().click();
  await question.getByRole('button', { name: 'Rester' }).click();
  expect(await keptIn(other)).toBe(1);
  await signOut.last().click();
  await question.getByRole('button', { name: 'Partir sans l’envoyer' }).click();
  await expect(other.getByRole('heading', { name: 'Vous êtes déconnecté' })).toBeVisible();
  await expect.poll(() => keptIn(other)).toBe(0);
  expect(await known(stay, photos.slice(3, 4))).toEqual([undefined]);
  // What the pages asked while the network was cut.
  troubles.splice(0);
});

test('photos that wait go on by themselves once a director whose sign-in has ended is back', async ({
  visit,
}) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Mot de passe changé');
  await holdBack(page, photos.slice(4, 5));
  const renewed = await ask(site, admin, `POST /stage-passwords/${stay.id}/regenerer`, { type: 'formateur' });
  expect(renewed.status).toBe(200);
  await page.getByRole('button', { name: 'Continuer l’envoi' }).click();
  await expect(page).toHaveURL(`/connexion?stageId=${stay.id}`);
  expect(troubles.splice(0)).toContainEqual(refused(401));

  // Who else uses this device meanwhile sees nothing of them, and forgets nothing by signing out.
  const [passwords] = await (await ask(site, admin, `GET /stage-passwords/${stay.id}`)).json();
  const another = await addStay(site, admin, 'Le séjour d’après');
  await arrive(page, `/connexion?stageId=${another.id}`);
  await signIn(page, another.director);
  await expect(tray(page).locator('details')).toHaveCount(0);
  await page.getByRole('button', { name: 'Se déconnecter' }).last().click();
  await expect(page.getByRole('heading', { name: 'Vous êtes déconnecté' })).toBeVisible();
  await expect(page.getByText('Une photo à envoyer, qui attend')).toBeVisible();

  await arrive(page, `/connexion?stageId=${stay.id}`);
  await signIn(page, passwords.mdp_formateur);
  await says(page, /^1\s*photo reçue, rien ne manque$/).toBeAttached(LONG);
});

test('a photo whose upload had begun when the sign-in ended begins anew, and arrives', async ({ visit }) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Envoi commencé');
  const pieces = /\/photos\/envoi\/./;
  await page.route(pieces, (route) => route.abort());
  const creation = answerTo(page, 'POST', 'complete');
  await choose(page, photos.slice(4, 5));
  const address = (await creation).headers().location ?? '';
  expect(address).toMatch(pieces);
  const renewed = await ask(site, admin, `POST /stage-passwords/${stay.id}/regenerer`, { type: 'formateur' });
  expect(renewed.status).toBe(200);
  await page.unroute(pieces);
  await expect(page).toHaveURL(`/connexion?stageId=${stay.id}`, LONG);

  const [passwords] = await (await ask(site, admin, `GET /stage-passwords/${stay.id}`)).json();
  const again = answerTo(page, 'POST', 'complete');
  await signIn(page, passwords.mdp_formateur);
  expect((await again).headers().location).not.toBe(address);
  await says(page, /^1\s*photo reçue, rien ne manque$/).toBeAttached(LONG);
  expect(await known(stay, photos.slice(4, 5))).toEqual(['complete']);
  expect(troubles.splice(0)).toContainEqual(refused(404));
});

test('signing out asks about photos of a browser that keeps nothing, too', async ({ visit }) => {
  const { page, troubles } = await enter(visit, DESKTOP, 'Navigation privée');
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  await page.reload();
  await expect(tray(page).getByRole('button', { name: 'Choisir des photos' })).toBeEnabled();
  await page.context().setOffline(true);
  await choose(page, photos.slice(0, 2));
  await page.getByRole('button', { name: 'Se déconnecter' }).last().click();
  const question = page.getByRole('alertdialog', { name: 'photos ne sont pas encore envoyées.' });
  await question.getByRole('button', { name: 'Rester' }).click();
  await expect(group(page, 'En attente')).toContainText('(2)');
  await page.context().setOffline(false);
  await says(page, /^2\s*photos reçues, rien ne manque$/).toBeAttached();
  troubles.splice(0);
});

test('the screen is kept on only while photos leave, however late the browser agrees to it', async ({
  visit,
}) => {
  const { page, troubles } = await enter(visit, PHONE, 'Écran allumé');
  await page.addInitScript(() => {
    const screen = { asked: [] as (() => void)[], held: 0 };
    const request = () =>
      new Promise((resolve) => {
        screen.asked.push(() => {
          screen.held++;
          const lock = Object.assign(new EventTarget(), {
            release: async () => {
              screen.held--;
              lock.dispatchEvent(new Event('release'));
            },
          });
          resolve(lock);
        });
      });
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
    Object.assign(window, { screenLocks: screen });
  });
  await page.reload();
  await expect(tray(page).getByRole('button', { name: 'Choisir des photos' })).toBeEnabled();
  const asked = () => page.evaluate('window.screenLocks.asked.length');
  const held = () => page.evaluate('window.screenLocks.held');
  let letThrough = () => {};
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/photos/envoi/**', async (route) => {
    await open;
    await route.fallback().catch(() => {});
  });

  await choose(page, photos.slice(0, 1));
  await expect.poll(asked).toBe(1);
  await page.getByRole('button', { name: 'Mettre en pause' }).click();
  await says(page, /^Envoi en pause/).toBeAttached();
  await page.getByRole('button', { name: 'Continuer l’envoi' }).click();
  await page.evaluate('window.screenLocks.asked[0]()');
  await expect.poll(asked).toBe(2);
  expect(await held()).toBe(0);
  await page.evaluate('window.screenLocks.asked[1]()');
  await expect.poll(held).toBe(1);
  letThrough();
  await says(page, /^1\s*photo reçue, rien ne manque$/).toBeAttached();
  await expect.poll(held).toBe(0);
  troubles.splice(0);
});

test('a family that closes a stay leaves alone what its director has still to send', async ({ visit }) => {
  const { stay, page, troubles } = await enter(visit, PHONE, 'Un appareil pour deux');
  page.on('dialog', (dialog) => dialog.accept());
  await holdBack(page, photos.slice(0, 1));
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(stay.family);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('button', { name: 'Fermer ce séjour' }).click();
  await says(page, /^1\s*photo reçue, rien ne manque$/).toBeAttached();
  troubles.splice(0);
});

test('what is dropped before the page knows what it keeps joins it, and takes nothing away', async ({
  visit,
}) => {
  const { page, troubles } = await enter(visit, DESKTOP, 'Déposé trop tôt');
  page.on('dialog', (dialog) => dialog.accept());
  const [kept, dropped] = photos.slice(0, 2) as [Sent, Sent];
  await holdBack(page, [kept]);
  await page.addInitScript(
    ({ name, base64 }) => {
      const isDropped = new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          const zone = document.querySelector('[aria-labelledby=envoyer] .drop-zone');
          if (!zone) return;
          observer.disconnect();
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], name, { type: 'image/jpeg' }));
          zone.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
          resolve();
        }).observe(document, { childList: true, subtree: true });
      });
      // What is stored is read once the lock is held: not before the drop, however quick the device.
      const request = navigator.locks.request.bind(navigator.locks) as (
        ...asked: unknown[]
      ) => Promise<unknown>;
      const late = async (...asked: unknown[]) => {
        await isDropped;
        return request(...asked);
      };
      Object.defineProperty(navigator.locks, 'request', { value: late });
    },
    { name: dropped.name, base64: dropped.buffer.toString('base64') },
  );
  await page.reload();
  await says(page, /^2\s*photos reçues, rien ne manque$/).toBeAttached(LONG);
  troubles.splice(0);
});
