import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { cookieOf } from '#platform/server/sessionsStore.ts';
import config from '#playwright.config.ts';
import { lookAt, type Seen } from './support/look.ts';
import { median } from './support/numbers.ts';
import { addPhotos, addStay, drawnPhotos } from './support/photos.ts';
import { freePort } from './support/process.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * What a family waits for on a telephone: a photo that opens on a slow line while thumbnails still queue, the page of a
 * stay by Lighthouse, what its thumbnails weigh, and photos scrolled from end to end.
 *
 *   node bench/viewer.ts [rounds] [open,early,page,bytes,scroll] [photos to scroll]
 */

const ROUNDS = Number(process.argv[2] ?? 3);
const PARTS = (process.argv[3] ?? 'open,early,page,bytes,scroll').split(',');
const SCROLLED = Number(process.argv[4] ?? 5_000);
/** Thumbnails whose bytes are counted: those of a few screens. */
const COUNTED = 40;
/** A line of 400 kbit/s. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

const { launchOptions } = config.use ?? {};
const site = await openSite({}, join(import.meta.dirname, '../dist'));
const { services } = site;
const origin = new URL(site.base).origin;
const drawn = await drawnPhotos();
const rows: Row[] = [];

async function stayOf(count: number): Promise<number> {
  const stay = await addStay(services, `${count} photos`);
  await addPhotos(services, stay, count, (index) => drawn[index % drawn.length] as (typeof drawn)[number]);
  return stay;
}

/** Signs a family in, in every page of a browser. */
async function signIn(context: BrowserContext, stageId: number): Promise<void> {
  const { authorization } = await site.bearerOf('family', stageId);
  const token = authorization.slice('Bearer '.length);
  const session = { stageId, nom: 'Séjour', role: 'stagiaire', token, expire_le: '2099-01-01T00:00:00.000Z' };
  await context.addCookies([
    {
      name: cookieOf({ role: 'family', stageId }),
      value: token,
      url: origin,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ]);
  await context.addInitScript(
    ({ token, stays }) => {
      localStorage.setItem('token', token);
      localStorage.setItem('sejours', stays);
    },
    { token, stays: JSON.stringify([session]) },
  );
}

interface Opening {
  first: number;
  sharp: number;
}

/** Watches the middle of the window, frame by frame, from a press on: when a picture stands there, when a sharp one. */
const watch = () =>
  new Promise<{ first: number; sharp: number }>((resolve) => {
    let start = 0;
    let first = 0;
    document.addEventListener(
      'click',
      () => {
        start = performance.now();
        requestAnimationFrame(frame);
      },
      { capture: true, once: true },
    );
    const isDrawn = (img: HTMLImageElement) => img.complete && img.naturalWidth > 0;
    function frame() {
      const here = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      const over = here?.closest('.photo-opening, .yarl__slide_current');
      if (over) {
        const images = [...over.querySelectorAll('img')];
        const hasBlur = [over, ...over.querySelectorAll('*')].some(
          (one) => getComputedStyle(one).backgroundImage !== 'none',
        );
        if (hasBlur || images.some(isDrawn)) first ||= performance.now() - start;
        if (images.some((img) => isDrawn(img) && /_(960|1920)\.webp$/.test(img.currentSrc)))
          return resolve({ first, sharp: performance.now() - start });
      }
      requestAnimationFrame(frame);
    }
  });

/** Opens a photo of a gallery that has just come, while its thumbnails are on their way. */
async function openOne(stay: number, picture: string): Promise<Opening> {
  const browser = await chromium.launch(launchOptions);
  try {
    const context = await browser.newContext({ ...PHONE, locale: 'fr-FR', timezoneId: 'Europe/Paris' });
    await signIn(context, stay);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', LINE);
    await page.goto(`${origin}/stage-details/${stay}`, { waitUntil: 'commit', timeout: 120_000 });
    await page.locator(picture).first().waitFor({ timeout: 120_000 });
    await page.waitForFunction((picture) => {
      const img = document.querySelector<HTMLImageElement>(picture);
      return img?.complete && img.naturalWidth > 0;
    }, picture);
    const seen = page.evaluate(watch);
    await page.locator(picture).first().tap();
    return await seen;
  } finally {
    await browser.close();
  }
}

async function measureOpening(picture: string, work: string, atMost: Opening): Promise<void> {
  const stay = await stayOf(48);
  const openings: Opening[] = [];
  for (let round = 0; round < ROUNDS; round++) openings.push(await openOne(stay, picture));
  const middle = (what: keyof Opening) => median(openings.map((one) => one[what])) / 1000;
  rows.push(
    {
      ...{ work: `${work}, something to see`, unit: 's', measured: middle('first') },
      aim: { of: 'measured', atMost: atMost.first },
    },
    {
      ...{ work: `${work}, sharp`, unit: 's', measured: middle('sharp') },
      aim: { of: 'measured', atMost: atMost.sharp },
    },
  );
}

async function measurePage(): Promise<void> {
  const stay = await stayOf(200);
  const port = await freePort();
  const context = await chromium.launchPersistentContext('', {
    ...launchOptions,
    locale: 'fr-FR',
    args: [...(launchOptions?.args ?? []), `--remote-debugging-port=${port}`],
  });
  await signIn(context, stay);
  const seen: Seen[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Lighthouse opens a tab of its own, which has the storage of this one; open, this one would lend it its scripts.
    const page = await context.newPage();
    await page.goto(origin);
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
    await page.close();
    seen.push(await lookAt(port, `${origin}/stage-details/${stay}`, true));
  }
  await context.close();
  const middle = (what: keyof Seen) => median(seen.map((one) => one[what]));
  const of = 'measured';
  rows.push(
    { work: 'page of a stay, score', unit: 'of 100', measured: middle('score'), aim: { of, atLeast: 97 } },
    { work: 'page of a stay, largest paint', unit: 's', measured: middle('lcp'), aim: { of, atMost: 1.8 } },
    { work: 'page of a stay, blocked', unit: 'ms', measured: middle('tbt'), aim: { of, atMost: 50 } },
    { work: 'page of a stay, layout shift', unit: '', measured: middle('cls') },
    { work: 'page of a stay, scripts', unit: 'kB', measured: middle('js') },
  );
}

/** Scrolls on until so many thumbnails have come; the bytes of the first ones, as they were transferred. */
const scrollFor = (count: number) =>
  new Promise<number>((resolve) => {
    const step = () => {
      const files = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name, responseEnd }) => name.includes('/api/photos/') && responseEnd > 0)
        .sort((one, other) => one.responseEnd - other.responseEnd);
      if (files.length >= count)
        return resolve(files.slice(0, count).reduce((sum, { transferSize }) => sum + transferSize, 0));
      scrollBy({ top: 4, behavior: 'instant' });
      requestAnimationFrame(step);
    };
    step();
  });

async function measureBytes(): Promise<void> {
  const stay = await stayOf(2 * COUNTED);
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...PHONE, locale: 'fr-FR', timezoneId: 'Europe/Paris' });
  await signIn(context, stay);
  const page = await context.newPage();
  await page.goto(`${origin}/stage-details/${stay}`);
  const bytes = await page.evaluate(scrollFor, COUNTED);
  await browser.close();
  rows.push({
    ...{ work: `${COUNTED} thumbnails`, unit: 'MB', measured: bytes / 1e6 },
    aim: { of: 'measured', atMost: 1.2 },
  });
}

/** Scrolls through the whole page, a screen every few frames; the times between two frames, in ms. */
const scroll = () =>
  new Promise<number[]>((resolve) => {
    const frames: number[] = [];
    let last = performance.now();
    const step = (now: number) => {
      frames.push(now - last);
      last = now;
      if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) return resolve(frames);
      scrollBy({ top: innerHeight / 4, behavior: 'instant' });
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time of the thread, in µs. */
  tdur?: number;
  args: { name?: string };
}

/** The processor time of the longest task of a page's own thread in a trace: scripts, styles, layout, its garbage; in ms. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && pages.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('The trace has no task of the page.');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}

async function measureScroll(): Promise<void> {
  const stay = await stayOf(SCROLLED);
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...PHONE, locale: 'fr-FR', timezoneId: 'Europe/Paris' });
  await signIn(context, stay);
  const page = await context.newPage();
  await page.goto(`${origin}/stage-details/${stay}`);
  await page.getByRole('button', { name: new RegExp(`^Photo 1 sur ${SCROLLED}`) }).waitFor();
  const longest: number[] = [];
  const over: number[] = [];
  const tasks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(500);
    await browser.startTracing(page, { categories: ['toplevel'] });
    const frames = await page.evaluate(scroll);
    tasks.push(longestTask(await browser.stopTracing()));
    longest.push(Math.max(...frames));
    over.push(frames.filter((ms) => ms > 50).length);
  }
  await browser.close();
  rows.push(
    {
      ...{
        work: `${SCROLLED.toLocaleString('en')} photos scrolled from end to end, longest frame`,
        unit: 'ms',
        measured: median(longest),
      },
      aim: { of: 'measured', atMost: 50 },
    },
    { work: 'the same, frames over 50 ms', unit: 'of it', measured: median(over) },
    {
      ...{ work: 'the same, processor time of the page’s longest task', unit: 'ms', measured: median(tasks) },
      aim: { of: 'measured', atMost: 50 },
    },
  );
}

if (PARTS.includes('open'))
  await measureOpening('[data-photo] img', 'photo opened on a slow line', { first: 0.1, sharp: 4 });
// Before any script but the first one has come.
if (PARTS.includes('early'))
  await measureOpening('.first-rows.on-phone img', 'first picture tapped as soon as it is there', {
    first: 0.5,
    sharp: 3,
  });
if (PARTS.includes('page')) await measurePage();
if (PARTS.includes('bytes')) await measureBytes();
if (PARTS.includes('scroll')) await measureScroll();
await site.close();
tell({
  title: 'A stay’s page on a telephone',
  text: [
    `A photo of 48 opened over 400 kbit/s and 400 ms, as soon as it can be and before the page is alive; 200 photos by Lighthouse with its slow phone; ${ROUNDS} times`,
    'each. Photographs of the example in all their sizes, on a screen of 360×740 with three points a pixel.',
  ],
  rows,
});
