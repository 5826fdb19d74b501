import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BrowserContextOptions,
  expect,
  type Frame,
  type Locator,
  type Page,
  type Response as PageAnswer,
  test as playwright,
} from '@playwright/test';
import sharp from 'sharp';
import { API_PREFIX } from '#platform/shared/call.ts';
import { dayAt } from '#platform/shared/time.ts';
import { copyFolder, madeOnce } from '#tests/support/fixtures.ts';
import { type FormValue, form } from '#tests/support/forms.ts';
import { type RunningSite, startSite } from './site.ts';

/** The narrowest screen that the site is made for, under a finger, and a usual one, under a mouse. */
export const PHONE = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };
/** What is to hold at any width is tried on a phone, where room is scarce; `npm run test:all` tries it on both. */
export const SCREENS = [
  { screen: 'at 360 px', options: PHONE },
  ...(process.env.TEST_ALL ? [{ screen: 'at 1280 px', options: DESKTOP }] : []),
];

/** For what takes half a minute on a quiet machine: many photos on their way. */
export const LONG = { timeout: 500_000 };

/** A visitor's tab. */
export interface Visit {
  page: Page;
  /**
   * Errors of the console and of scripts, and requests to anywhere but the site, in order. A test takes out
   * those that it expects; one that is left fails it.
   */
  troubles: string[];
}

export type OpenVisit = (site: RunningSite, options: BrowserContextOptions) => Promise<Visit>;

export const test = playwright.extend<{ visit: OpenVisit }>({
  visit: async ({ browser }, use) => {
    /** `places`: the errors of the console with the address that each is about. */
    const visits: (Visit & { places: string[] })[] = [];
    await use(async (site, options) => {
      const context = await browser.newContext({ baseURL: site.url, ...options });
      site.beforeStop(() => context.close());
      const troubles: string[] = [];
      const places: string[] = [];
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        // A browser’s own PDF viewer is made of pages that it holds itself.
        if (/^https?:$/.test(protocol) && origin !== site.url) troubles.push(`asked ${request.url()}`);
      });
      context.on('console', (line) => {
        if (line.type() !== 'error') return;
        troubles.push(line.text());
        places.push(`${line.text()} (${line.location().url})`);
      });
      context.on('weberror', (error) => troubles.push(error.error().message));
      const visit = { page: await context.newPage(), troubles };
      visits.push({ ...visit, places });
      return visit;
    });
    for (const { page, troubles, places } of visits) {
      await page.context().close();
      expect(troubles, places.join('\n')).toEqual([]);
    }
  },
});

/**
 * Goes there and waits until the page is alive: the view that it counts is its first act. It starts by itself
 * once it is idle, or at the first touch. The answer is that of the page itself.
 */
export async function arrive(
  page: Page,
  address: string,
  touch?: () => Promise<void>,
): Promise<PageAnswer | null> {
  // The view of the page before may be answered only now.
  let isLeft = false;
  const leave = (frame: Frame) => {
    isLeft ||= frame === page.mainFrame();
  };
  page.on('framenavigated', leave);
  const isCounted = page.waitForResponse((response) => isLeft && response.url().endsWith('/pages-vues'));
  const answer = await page.goto(address);
  page.off('framenavigated', leave);
  await touch?.();
  await isCounted;
  return answer;
}

/** In the grid of photos to check: looks at all, from the first one to the last. */
export async function lookAtAll(page: Page): Promise<void> {
  const photos = page.locator('[data-scroller]');
  await expect(photos.locator('[data-photo]').first()).toBeVisible();
  await photos.evaluate((element) => element.scrollTo({ top: 0, behavior: 'instant' }));
  for (let isAtEnd = false; !isAtEnd; ) {
    await expect.poll(() => photos.evaluate(areSeen)).toBe(true);
    isAtEnd = await photos.evaluate((element) => {
      const before = element.scrollTop;
      element.scrollBy({ top: element.clientHeight / 3, behavior: 'instant' });
      return element.scrollTop === before;
    });
  }
}

/** Whether all photos of which half is in sight in an element have been in sight long enough to count. */
function areSeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return [...element.querySelectorAll('.photo-tile')].every((tile) => {
    const box = tile.getBoundingClientRect();
    const inSight = Math.min(box.bottom, bottom) - Math.max(box.top, top);
    return inSight <= 0.5 * box.height || tile.querySelector('[data-seen]') !== null;
  });
}

/** Where something stands in the window and how large it is, in pixels. */
export function boxOf(thing: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return thing.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  });
}

/** A tab of a signed-in admin. */
export async function enterPortal(
  visit: OpenVisit,
  site: RunningSite,
  options: BrowserContextOptions,
  address: string,
): Promise<Visit> {
  const { page, troubles } = await visit(site, options);
  const token = await site.signIn();
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), token);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return { page, troubles };
}

/** What Chromium says of an answer above 399. */
export const refused = (status: number) =>
  expect.stringMatching(`^Failed to load resource: the server responded with a status of ${status} `);

/** Asks a call of the table as staff would: `ask(site, token, 'PUT /reglages', { … })`. */
export async function ask(
  site: RunningSite,
  token: string,
  key: string,
  body?: FormData | object,
): Promise<Response> {
  const [method = 'GET', path = ''] = key.split(' ');
  const isForm = body instanceof FormData;
  return (site.fetch ?? fetch)(`${site.url}${API_PREFIX}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    body: isForm || body === undefined ? (body ?? null) : JSON.stringify(body),
  });
}

/** A site on SQLite with the example content in place, from a folder that is filled once a run. */
export async function startFilledSite(): Promise<RunningSite> {
  const filled = await madeOnce('filled-site', async (path) => {
    mkdirSync(path);
    // In that folder, as its own goes when it stops.
    const site = await startSite('sqlite', { DATA_DIR: path });
    const token = await site.signIn();
    await ask(site, token, 'POST /exemple');
    const state = async () => (await (await ask(site, token, 'GET /exemple')).json()).etat;
    await expect.poll(state, LONG).toBe('present');
    await site.stop();
  });
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-e2e-'));
  copyFolder(filled, directory);
  return startSite('sqlite', {}, directory);
}

/** Publishes an item over the API; the answer is its id. */
export async function publish(
  site: RunningSite,
  token: string,
  path: '/actualites' | '/alaune' | '/logos' | '/events' | '/avantage' | '/documents' | '/create-employes',
  values: Record<string, FormValue | FormValue[]>,
): Promise<number> {
  const created = await ask(site, token, `POST ${path}`, form(values));
  expect(created.status).toBe(201);
  return ((await created.json()) as { id: number }).id;
}

/** A stay that has begun, with what is typed to see it. */
export interface OpenStay {
  id: number;
  nom_stage: string;
  family: string;
  director: string;
}

/** Adds a stay over the API. */
export async function addStay(site: RunningSite, token: string, nom_stage: string): Promise<OpenStay> {
  const date_debut = dayAt(new Date(), 'Europe/Paris');
  const added = await ask(site, token, 'POST /stages', { nom_stage, date_debut, date_fin: date_debut });
  expect(added.status).toBe(201);
  const { id } = (await added.json()) as { id: number };
  const [passwords] = await (await ask(site, token, `GET /stage-passwords/${id}`)).json();
  return { id, nom_stage, family: passwords.mdp_stagiaire, director: passwords.mdp_formateur };
}

/** A picture of one colour, as a file of a form. */
export async function coloured(
  background: string,
  [width, height]: readonly [number, number],
): Promise<[Uint8Array, string, string]> {
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  return [bytes, 'image.png', 'image/png'];
}
