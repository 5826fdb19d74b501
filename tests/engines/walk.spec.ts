import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { dayAt } from '#platform/shared/time.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import { ask, coloured, publish } from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import { iphone, phonePortrait, xiaomi } from '#tests/support/photos.ts';
import { openRelay, type Relay } from '#tests/support/relay.ts';
import { scriptBefore } from '#tools/compat.mjs';
import { hasFirefox, hasWebkit } from '#tools/machine.mjs';
import { type Driver, type Place, Tab } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { startWebkit } from './webkit.ts';

/*
 * What people do most, in the engines of Safari and Firefox: each walk is one browser, from a visitor's home page to staff
 * who publish a news item.
 */

const MINUTES_PASSWORD = 'tournesol-lanterne-26';
const DIRECTORS = 'DIRECTEUR1';
const FAMILIES = 'FAMILLES1';
const NEWS = [
  'Le refuge ouvre',
  'La rentrée approche',
  'Un samedi à la mer',
  'La cantine change',
  'Le bal',
  'Le loto',
];
const PARAGRAPHS = Array.from(
  { length: 24 },
  (_, index) => `Point ${index}. Rien de particulier à signaler.`,
);

let site: Awaited<ReturnType<typeof openSite>>;
/** How the browsers reach it: a line that can be cut. */
let line: Relay;
let admin: string;
let folder: string;
/** Files of photos, as a phone has them. */
let photos: string[];

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-engines-'));
  site = await openSite();
  line = await openRelay(site.url);
  admin = await site.signIn();
  for (const titre of NEWS)
    await publish(site, admin, '/actualites', {
      titre,
      description: 'Un **grand** jour.',
      image: await coloured('#2f6f62', [600, 400]),
    });
  await ask(site, admin, 'PUT /reglages', { comptes_rendus_mot_de_passe: MINUTES_PASSWORD });
  const url: [Uint8Array, string, string] = [minutesPdf('Juin', PARAGRAPHS), 'cr.pdf', 'application/pdf'];
  await ask(site, admin, 'POST /documents', form({ nom: 'Juin', date_ajout: '2026-06-02', url }));
  photos = [await xiaomi(), await iphone(), await phonePortrait([1600, 1200])].map((bytes, index) => {
    const path = join(folder, `IMG_000${index + 1}.jpg`);
    writeFileSync(path, bytes);
    return path;
  });
});
test.afterAll(async () => {
  await line?.close();
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds a stay of today without asking its passwords of the site, which hands out few of them; the answer is its id. */
function addStay(nom_stage: string): Promise<number> {
  const { database, secrets, clock } = site.services;
  const today = dayAt(clock(), 'Europe/Paris');
  const stay = { nom_stage, date_debut: today, date_fin: today };
  const passwords = { formateur: DIRECTORS, stagiaire: FAMILIES };
  return database.write((transaction) => insertStay(transaction, secrets, stay, clock(), passwords));
}

/** A person's browser. */
interface Walk {
  tab: Tab;
  width: number;
  /** Closes it, and starts it again with what it kept. */
  again(): Promise<void>;
}

/** Looks at a page: nothing in it is wider than the window. With a folder in SHOTS, its picture is kept there. */
async function look({ tab, width }: Walk, name: string): Promise<void> {
  const over = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await tab.evaluate(over), name).toBe(0);
  if (!process.env.SHOTS) return;
  // Until it is drawn: without a graphics card WebKit takes its time.
  let shot = await tab.screenshot();
  for (let tries = 0, same = 0; tries < 20 && same < 3; tries++) {
    await pause(700);
    const next = await tab.screenshot();
    same = next.equals(shot) ? same + 1 : 0;
    shot = next;
  }
  const walk = test.info().title.replaceAll(/\W+/g, '-');
  writeFileSync(join(process.env.SHOTS, `${walk}-${name}-${width}.png`), shot);
}

/** How many rows of a picture have ink of their own: what a page of text has and an empty one has not. */
async function inkedRows(png: Buffer, { top = 0, height = 0 } = {}): Promise<number> {
  const { width = 0, height: whole = 0 } = await sharp(png).metadata();
  const part = { left: 0, top, width, height: height || whole - top };
  const pixels = await sharp(png).extract(part).greyscale().raw().toBuffer();
  const rows = Array.from({ length: part.height }, (_, y) => pixels.subarray(y * width, (y + 1) * width));
  return rows.filter(
    (row) => row.filter((light, x) => Math.abs(light - (row[x - 1] ?? light)) > 60).length > 20,
  ).length;
}

async function home(walk: Walk): Promise<void> {
  const { tab } = walk;
  const news = '[aria-label="Actualités"]';
  /** The number of the slide that is shown once it stands still, behind another. */
  const settled = (before: number) =>
    tab.waitFor(
      `a slide after ${before}`,
      async (where, from) => {
        const place = () => [
          document.querySelector(`${where} ul`)?.scrollLeft,
          Number.parseInt(document.querySelector(`${where} [role=status]`)?.textContent ?? '', 10),
        ];
        const [left, number = 0] = place();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return number > from && `${place()}` === `${[left, number]}` ? number : 0;
      },
      news,
      before,
    );
  await tab.open('/');
  await settled(0);
  await look(walk, 'home');
  await tab.swipe(`${news} ul`);
  const swiped = await settled(1);
  // The arrows go on where a swipe ended, one by one.
  for (const further of [1, 2]) {
    await tab.press(`${news} button`, 'Suivant');
    expect(await settled(swiped + further - 1)).toBe(swiped + further);
  }
  const title = await tab.evaluate(
    (where) => document.querySelector(`${where} li:not([inert]) h3`)?.textContent,
    news,
  );
  expect(NEWS).toContain(title);
  await tab.press(`${news} li:not([inert]) a`);
  await tab.waitFor(
    'the item',
    (wanted) => document.querySelector('h1')?.textContent === wanted,
    title ?? '',
  );
  await tab.waitFor('its picture', () => document.querySelector<HTMLImageElement>('main img')?.naturalWidth);
  await look(walk, 'news');
}

async function readMinutes(walk: Walk): Promise<void> {
  const { tab, width } = walk;
  await tab.open('/compte-rendus');
  await tab.fill('Mot de passe', MINUTES_PASSWORD);
  await tab.press('button', 'Ouvrir');
  await tab.waitFor('the minutes', () => document.querySelector('a[href$=".pdf"]'));
  if (width > 768) {
    // The frame is far narrower than the window, in which nothing else has as many lines.
    await tab.waitFor('the frame', () => {
      const frame = document.querySelector('iframe');
      frame?.scrollIntoView({ block: 'start', behavior: 'instant' });
      return frame?.contentDocument?.readyState !== 'loading';
    });
    await expect.poll(async () => inkedRows(await tab.screenshot())).toBeGreaterThan(120);
  }
  await look(walk, 'minutes');
  const address = await tab.evaluate(
    () => document.querySelector<HTMLAnchorElement>('a[href$=".pdf"]')?.href,
  );
  await tab.open(address ?? '');
  await expect.poll(async () => inkedRows(await tab.screenshot(), { top: 60 })).toBeGreaterThan(50);
}

const PASSWORD_FIELD = 'Mot de passe';

async function signIn({ tab }: Walk, stay: number, password: string): Promise<void> {
  await tab.open(`/connexion?stageId=${stay}`);
  await tab.fill(PASSWORD_FIELD, password);
  await tab.press('button', 'Se connecter');
}

async function sendPhotos(walk: Walk, stay: number): Promise<void> {
  await signIn(walk, stay, DIRECTORS);
  const field = 'input[type=file]';
  await walk.tab.waitFor('the tray', () => document.querySelector('input[type=file]:not(:disabled)'));
  line.turn('closed');
  await walk.tab.upload(field, photos);
  await walk.tab.says(`En attente (${photos.length})`);
  // Until it says so, they would have to be chosen again.
  await walk.tab.says('si elle se ferme, l’envoi s’arrête, et reprend quand vous la rouvrez');
  await look(walk, 'tray');
  await walk.again();
  line.turn('open');
  await walk.tab.open('/formateur');
  await walk.tab.says(`${photos.length} photos reçues, rien ne manque`);
  await look(walk, 'sent');
}

async function publishPhotos(walk: Walk, stay: number): Promise<void> {
  const { tab } = walk;
  await tab.press('button', `Vérifier ${photos.length} photos`);
  // Each counts as looked at once it has been in sight for a while.
  await tab.waitFor(
    'all of them seen',
    async (button) => {
      const list = document.querySelector('[data-scroller]');
      list?.scrollBy({ top: list.clientHeight / 3, behavior: 'instant' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      return document.querySelector('dialog[open]')?.textContent?.replace(/\s/g, ' ').includes(button);
    },
    `Publier les ${photos.length} photos`,
  );
  await tab.press('dialog button', 'Publier les');
  await look(walk, 'checking');
  await tab.press('dialog label', ATTESTATION);
  await tab.press('dialog label', 'Je publie sans liste d’enfants');
  await tab.press('dialog button', 'Confirmer et publier');
  const states = async () => {
    const { photos } = await (await ask(site, admin, `GET /stages/${stay}/photos`)).json();
    return (photos as { statut: string }[]).map(({ statut }) => statut);
  };
  await expect.poll(states).toEqual(photos.map(() => 'publiee'));
}

async function seePhotos(walk: Walk, stay: number): Promise<void> {
  const { tab } = walk;
  await signIn(walk, stay, FAMILIES);
  await tab.waitFor(
    'the photos',
    (count) => {
      const shown = [...document.querySelectorAll<HTMLImageElement>('[data-photo] img')];
      return shown.length === count && shown.every(({ naturalWidth }) => naturalWidth > 0);
    },
    photos.length,
  );
  await look(walk, 'gallery');
  const shows = (text: string) =>
    tab.waitFor(
      `photo ${text}`,
      (wanted) => document.querySelector('[aria-label="Photos en grand"]')?.textContent?.includes(wanted),
      text,
    );
  // A busy machine slides slowly.
  const inTheMiddle = () =>
    tab.waitFor('the photo, in the middle', () => {
      const slide = document.querySelector('.yarl__slide_current');
      const isThere = slide?.querySelector<HTMLImageElement>('img[srcset]')?.complete;
      return isThere && Math.abs(slide?.getBoundingClientRect().x ?? 99) < 1;
    });
  await tab.press('[data-photo]');
  await shows('1 sur 3');
  await tab.key('ArrowRight');
  await shows('2 sur 3');
  await inTheMiddle();
  await tab.press('.yarl__slide_current', '', -250);
  await shows('3 sur 3');
  await inTheMiddle();
  await look(walk, 'viewer');
  await tab.key('Escape');
  await tab.press('button', 'Télécharger');
  await look(walk, 'download');
  await tab.press('dialog a', 'Tout télécharger');
  const [file = ''] = await tab.downloaded();
  const archive = readFileSync(file);
  expect(archive.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  // As many files as its directory names.
  expect(archive.readUInt16LE(archive.lastIndexOf('PK\x05\x06') + 10)).toBe(photos.length);
}

async function publishNews(walk: Walk): Promise<void> {
  const { tab, width } = walk;
  await tab.open('/connexion-portail');
  await tab.fill('Identifiant', ADMIN.username);
  await tab.fill(PASSWORD_FIELD, ADMIN.password);
  await tab.press('button', 'Se connecter');
  // Its keys are alive once it shows what it asked for.
  await tab.says('Bien démarrer');
  await look(walk, 'portal');
  await tab.key('Control', 'k');
  await tab.waitFor('the search', () => document.activeElement?.getAttribute('role') === 'combobox');
  await tab.type('créer une actu');
  await tab.waitFor('results', () => document.querySelector('[role=gridcell]'));
  await look(walk, 'search');
  await tab.key('Escape');

  const title = `Fête à ${width} px`;
  await tab.open('/portail?panneau=actualite-creer');
  await tab.fill('Titre', title);
  await tab.press('[contenteditable=true]');
  await tab.type('Venez ');
  await tab.key('Control', 'b');
  await tab.type('nombreux');
  await tab.key('Control', 'b');
  await tab.type(' samedi');
  await tab.upload('input[type=file]', photos.slice(1, 2));
  await tab.waitFor('the picture', () => document.querySelector<HTMLImageElement>('.preview')?.complete);
  await look(walk, 'editor');
  await tab.press('form button[type=submit]');
  await tab.says('Actualité ajoutée avec succès');
  const [item] = (await (await fetch(`${site.url}/api/api/actualites`)).json()) as Record<string, unknown>[];
  expect(item).toMatchObject({ titre: title, description: 'Venez **nombreux** samedi' });
  await ask(site, admin, `DELETE /actualites/${item?.id}`);
}

/** On what a walk goes: `before`, of pages that pretend to be older, what they run first. */
interface Ground {
  name: string;
  start: (place: Place) => Promise<Driver>;
  isThere: () => boolean;
  widths: number[];
  before?: string;
}

const WIDTHS = [390, 820, 1280];
const grounds: Ground[] = [
  { name: 'WebKit', start: startWebkit, isThere: hasWebkit, widths: process.env.TEST_ALL ? WIDTHS : [390] },
  {
    name: 'Firefox',
    start: startFirefox,
    isThere: hasFirefox,
    widths: process.env.TEST_ALL ? WIDTHS : [1280],
  },
  // Older ones of Safari are played by what they lack.
  ...(process.env.TEST_ALL ? ['16.4', '17.3'] : []).map((version) => ({
    name: `Safari ${version} by WebKit`,
    start: startWebkit,
    isThere: hasWebkit,
    widths: [390],
    before: scriptBefore(version),
  })),
];

for (const { name, start, isThere, widths, before = '' } of grounds)
  for (const width of widths)
    test(`${name} at ${width} px`, async () => {
      test.info().skip(!isThere(), `${name} is not installed (tools/machine.mjs names its packages)`);
      const own = mkdtempSync(join(folder, 'browser-'));
      const off = before === '' ? [] : ['ViewTransitions', 'PopoverAttribute', 'CSSAnchorPositioning'];
      const place: Place = { folder: own, width, height: width < 700 ? 844 : 900, before, off };
      const open = async () => new Tab(await start(place), `http://${line.host}`, place);
      const walk: Walk = {
        tab: await open(),
        width,
        async again() {
          await walk.tab.close();
          walk.tab = await open();
        },
      };
      try {
        const stay = await addStay(`Séjour ${name} ${width}`);
        await test.step('home', () => home(walk));
        await test.step('minutes', () => readMinutes(walk));
        await test.step('tray', () => sendPhotos(walk, stay));
        await test.step('checking', () => publishPhotos(walk, stay));
        await test.step('family', () => seePhotos(walk, stay));
        await test.step('portal', () => publishNews(walk));
        expect(walk.tab.errors()).toEqual([]);
      } catch (error) {
        // One that has crashed has no screen either.
        const body = await walk.tab.screenshot().catch(() => undefined);
        if (body) await test.info().attach('screen', { body, contentType: 'image/png' });
        throw error;
      } finally {
        await walk.tab.close();
      }
    });
