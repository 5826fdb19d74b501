import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, chromium } from '@playwright/test';
import type { ReplyOf } from '#platform/shared/call.ts';
import config from '#playwright.config.ts';
import { lookAt, type Seen } from './support/look.ts';
import { median } from './support/numbers.ts';
import { freePort, startSite } from './support/process.ts';
import { type Row, tell } from './support/result.ts';

/*
 * Pages of the example as a slow phone sees them, by Lighthouse: every public one (of those that show an item, the first
 * of each kind), the portal's sign-in, and the gallery of a family. Nobody of it leaves this machine.
 *
 *   node bench/pages.ts [rounds] [path…]
 */

const ROUNDS = Number(process.argv[2] ?? 3);
const PATHS = process.argv.slice(3);
const PORTAL = '/connexion-portail';
const GALLERY = 'gallery of a family';

const { launchOptions } = config.use ?? {};
if (!existsSync(launchOptions?.executablePath ?? ''))
  throw new Error(
    'Chromium is not installed (Debian: chromium-headless-shell), or CHROME_PATH names another place',
  );

const site = await startSite();
const origin = new URL(site.base).origin;

async function fill(): Promise<void> {
  await site.ask('POST /exemple', {});
  for (;;) {
    const { etat, erreur } = await site.ask<ReplyOf<'GET /exemple'>>('GET /exemple');
    if (etat === 'present') return;
    if (erreur) throw new Error(erreur);
    await pause(200);
  }
}

/** Waits until the pictures of a page are there in the sizes that it asks for, which are made after the rest. */
async function waitForSizes(path: string): Promise<void> {
  const html = await (await fetch(`${origin}${path}`)).text();
  for (const [picture] of html.matchAll(/\/api\/\w+\/[0-9a-f]+-\d+\.webp/g)) {
    const isMade = async () => {
      const { headers } = await fetch(`${origin}${picture}`, { method: 'HEAD' });
      // Until then the largest size stands in, and nobody may keep that.
      return headers.get('cache-control') !== 'no-cache';
    };
    while (!(await isMade())) await pause(200);
  }
}

/** The pages that search engines are told of, the first of those that differ by a number only, and those of visitors. */
async function listPublic(): Promise<string[]> {
  const map = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...map.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path]) => path || '/');
  const kinds = new Map(paths.toReversed().map((path) => [path.replace(/\d+/g, 'N'), path]));
  return [...new Set([...kinds.values()].toReversed()), '/connexion', '/compte-rendus', '/recherche'];
}

async function findStay(): Promise<{ id: number; password: string }> {
  const today = new Date().toISOString().slice(0, 10);
  const stays = await site.ask<ReplyOf<'GET /stages'>>('GET /stages');
  const stay = stays.find(({ date_debut, date_fin }) => date_debut <= today && today <= date_fin);
  if (!stay) throw new Error('No stay of the example is under way');
  const [passwords] = await site.ask<ReplyOf<'GET /stage-passwords/:id'>>(`GET /stage-passwords/${stay.id}`);
  return { id: stay.id, password: passwords?.mdp_stagiaire ?? '' };
}

/** Signs a family in, in the browser that Lighthouse uses, and forgets the files that this took. */
async function signIn(context: BrowserContext, { id, password }: Awaited<ReturnType<typeof findStay>>) {
  const page = await context.newPage();
  await page.goto(`${origin}/connexion?stageId=${id}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('heading', { name: 'Les photos du séjour' }).waitFor();
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
  await page.close();
}

/** The next one who looks has never been here. */
async function forgetFamily(context: BrowserContext) {
  const page = await context.newPage();
  const browser = await context.newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.close();
}

await fill();
const port = await freePort();
const context = await chromium.launchPersistentContext('', {
  ...launchOptions,
  locale: 'fr-FR',
  args: [...(launchOptions?.args ?? []), `--remote-debugging-port=${port}`],
});
const open = PATHS.length > 0 ? PATHS : await listPublic();
const pages = [...open, ...(PATHS.length > 0 ? [] : [PORTAL, GALLERY])];
for (const path of open) await waitForSizes(path);
const stay = await findStay();
const looks = new Map(pages.map((path) => [path, [] as Seen[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const path of pages) {
    const isGallery = path === GALLERY;
    if (isGallery) await signIn(context, stay);
    looks
      .get(path)
      ?.push(await lookAt(port, `${origin}${isGallery ? `/stage-details/${stay.id}` : path}`, isGallery));
    if (isGallery) await forgetFamily(context);
  }
}
await context.close();
await site.close();

const middle = (path: string, what: keyof Seen) => median((looks.get(path) ?? []).map((one) => one[what]));

/** Which of these a public page is: the first whose pattern its address has. */
const KINDS = [
  { name: 'home', is: /^\/$/ },
  { name: 'details', is: /[?&]actualite=|-details?\// },
  { name: 'lists', is: /^\/(\?actualites|Evenements|avantages|membres|compte-rendus|recherche)/ },
  { name: 'other public pages', is: /^/ },
] as const;

/** What the worst page of each kind takes. */
function ofKinds(): Row[] {
  const kinds = Map.groupBy(open, (path) => KINDS.find(({ is }) => is.test(path))?.name ?? '');
  return [...kinds].flatMap(([name, paths]): Row[] => {
    const all = (what: keyof Seen) => paths.map((path) => middle(path, what));
    const highest = (what: keyof Seen) => Math.max(...all(what));
    const of = 'measured';
    const lowest = Math.min(...all('score'));
    return [
      { work: `${name}, score`, unit: 'of 100', measured: lowest, aim: { of, atLeast: 98 } },
      { work: `${name}, largest paint`, unit: 's', measured: highest('lcp'), aim: { of, atMost: 1.5 } },
      { work: `${name}, blocked`, unit: 'ms', measured: highest('tbt'), aim: { of, atMost: 50 } },
      { work: `${name}, layout shift`, unit: '', measured: highest('cls'), aim: { of, atMost: 0 } },
      { work: `${name}, scripts`, unit: 'kB', measured: highest('js'), aim: { of, atMost: 110 } },
    ];
  });
}

const behindSignIn = (): Row[] => [
  {
    ...{ work: 'portal’s sign-in, score', unit: 'of 100', measured: middle(PORTAL, 'score') },
    aim: { of: 'measured', atLeast: 95 },
  },
  {
    ...{ work: 'portal’s sign-in, scripts', unit: 'kB', measured: middle(PORTAL, 'js') },
    aim: { of: 'measured', atMost: 130 },
  },
  { work: `${GALLERY}, score`, unit: 'of 100', measured: middle(GALLERY, 'score') },
];

tell({
  title: 'Pages on a phone',
  text: [
    `Lighthouse with its slow phone and network, ${ROUNDS} times each in turn; ${open.length} public pages, of which the`,
    'worst one of each kind counts, the portal’s sign-in and the gallery of a family. Scripts as they are transferred.',
  ],
  rows: [...ofKinds(), ...(PATHS.length > 0 ? [] : behindSignIn())],
  table: {
    head: ['page', 'score', 'largest paint, s', 'blocked, ms', 'layout shift', 'scripts, kB'],
    rows: pages.map((path) => [
      path,
      middle(path, 'score').toFixed(0),
      middle(path, 'lcp').toFixed(2),
      middle(path, 'tbt').toFixed(0),
      middle(path, 'cls').toFixed(3),
      middle(path, 'js').toFixed(0),
    ]),
  },
});
