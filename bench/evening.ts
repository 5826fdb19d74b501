import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CDPSession, chromium, type Locator, type Page } from '@playwright/test';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import config from '#playwright.config.ts';
import { addPhotos, addStay, drawnPhotos, openCamera } from './support/photos.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * An evening at a camp, walked on a telephone over a slow line that is cut again and again: what a director does until
 * the first photo has left, then until all are published, and what a family does from the mail to the first large photo.
 * Taps and seconds, without the time in which a person reads, thinks and types.
 *
 *   node bench/evening.ts [photos sent] [photos published]
 */

const SENT = Number(process.argv[2] ?? 12);
const PUBLISHED = Number(process.argv[3] ?? 200);
/** 400 kbit/s, as bytes a second. */
const LINE = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** Milliseconds between two cuts, and of each. */
const CUT_EVERY_MS = 20_000;
const CUT_MS = 3_000;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** For what waits for a slow line. */
const PATIENCE_MS = 900_000;
const PASSWORDS = { formateur: 'B4HN-7WQE-3KXP', stagiaire: 'K7QF-2MXA-9TRD' };

const { launchOptions } = config.use ?? {};
const site = await openSite({}, join(import.meta.dirname, '../dist'));
const { services } = site;
const origin = new URL(site.base).origin;
const rows: Row[] = [];

/** A telephone with its slow line, and the taps on it. */
class Phone {
  taps = 0;
  swipes = 0;
  readonly page: Page;
  private readonly devtools: CDPSession;
  private start = performance.now();
  private cuts: ReturnType<typeof setInterval> | undefined;

  private constructor(page: Page, devtools: CDPSession) {
    this.page = page;
    this.devtools = devtools;
  }

  static async open(): Promise<Phone> {
    const browser = await chromium.launch(launchOptions);
    const context = await browser.newContext({ ...PHONE, locale: 'fr-FR', timezoneId: 'Europe/Paris' });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    const phone = new Phone(page, devtools);
    await phone.line(true);
    return phone;
  }

  async close(): Promise<void> {
    clearInterval(this.cuts);
    await this.page.context().browser()?.close();
  }

  private async line(isThere: boolean): Promise<void> {
    await this.devtools.send('Network.emulateNetworkConditions', { offline: !isThere, ...LINE });
  }

  /** From here on the network goes for some seconds, again and again. */
  cutAgainAndAgain(): void {
    const cut = async () => {
      await this.line(false);
      await pause(CUT_MS);
      await this.line(true);
    };
    // The phone may be put away meanwhile.
    this.cuts = setInterval(() => cut().catch(() => {}), CUT_EVERY_MS);
  }

  /** Begins to count anew. */
  begin(): void {
    this.taps = 0;
    this.swipes = 0;
    this.start = performance.now();
  }

  seconds(): number {
    return (performance.now() - this.start) / 1_000;
  }

  async tap(thing: Locator): Promise<void> {
    await thing.tap();
    this.taps++;
  }

  /** Follows a link of a mail. */
  async follow(path: string): Promise<void> {
    this.taps++;
    await this.page.goto(`${origin}${path}`, { waitUntil: 'commit' });
  }

  async signIn(password: string): Promise<void> {
    const field = this.page.getByLabel('Mot de passe', { exact: true });
    await this.tap(field);
    await field.fill(password);
    await this.tap(this.page.getByRole('button', { name: 'Se connecter' }));
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }
}

/** Waits until at least one photo of a stay has arrived. */
async function firstArrived(stageId: number): Promise<void> {
  for (;;) {
    const found = await services.database.db
      .selectFrom('photos')
      .select('id')
      .where('stage_id', '=', stageId)
      .limit(1)
      .execute();
    if (found.length > 0) return;
    await pause(100);
  }
}

async function walkSending(): Promise<void> {
  const stay = await addStay(services, 'Un soir de juillet', PASSWORDS);
  const photograph = await openCamera();
  const files = Array.from({ length: SENT }, (_, index) => ({
    name: `IMG_${index}.jpg`,
    mimeType: 'image/jpeg',
    buffer: photograph(),
  }));
  const phone = await Phone.open();
  phone.begin();
  phone.cutAgainAndAgain();
  await phone.follow(`/connexion?stageId=${stay}`);
  await phone.signIn(PASSWORDS.formateur);
  const choosing = phone.page.waitForEvent('filechooser');
  await phone.tap(phone.button('Choisir des photos'));
  await (await choosing).setFiles(files);
  await firstArrived(stay);
  rows.push(
    { work: 'from the link to the first photo sent, taps on the site', unit: '', measured: phone.taps },
    { work: 'from the link to the first photo sent', unit: 's', measured: phone.seconds() },
  );
  await phone
    .button(`Vérifier et publier (${SENT})`)
    .or(phone.page.getByText('rien ne manque'))
    .first()
    .waitFor();
  rows.push({ work: `until all ${SENT} can be checked`, unit: 's', measured: phone.seconds() });
  await phone.close();
}

/** Whether all photos of which half is in sight have been in sight long enough to count. */
function areSeen(scroller: Element): boolean {
  const { top, bottom } = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll('.photo-tile')].every((tile) => {
    const box = tile.getBoundingClientRect();
    const inSight = Math.min(box.bottom, bottom) - Math.max(box.top, top);
    return inSight <= 0.5 * box.height || tile.querySelector('[data-seen]') !== null;
  });
}

/** Looks at all photos to check, by swipes of half a screen, from the first one to the last. */
async function lookAtAll(phone: Phone): Promise<void> {
  const photos = phone.page.locator('[data-scroller]');
  await photos.locator('[data-photo]').first().waitFor();
  for (let isAtEnd = false; !isAtEnd; phone.swipes++) {
    while (!(await photos.evaluate(areSeen))) await pause(50);
    isAtEnd = await photos.evaluate((element) => {
      const before = element.scrollTop;
      element.scrollBy({ top: element.clientHeight / 2, behavior: 'instant' });
      return element.scrollTop === before;
    });
  }
}

async function walkPublishing(): Promise<number> {
  const stay = await addStay(services, 'Un soir d’août', PASSWORDS);
  const drawn = await drawnPhotos();
  const shown = (index: number) => drawn[index % drawn.length] as (typeof drawn)[number];
  await addPhotos(services, stay, PUBLISHED, shown, 'a_verifier');
  const phone = await Phone.open();
  await phone.follow(`/connexion?stageId=${stay}`);
  await phone.signIn(PASSWORDS.formateur);
  const check = phone.button(/^Vérifier/).first();
  await check.waitFor();
  phone.begin();
  phone.cutAgainAndAgain();
  await phone.tap(check);
  await lookAtAll(phone);
  const publish = phone.button(/^Publier (les|la) .*photo/);
  // The first publication of a stay asks for the consents.
  await phone.tap(publish.first());
  await phone.tap(phone.page.getByRole('checkbox', { name: ATTESTATION }));
  await phone.tap(phone.page.getByRole('checkbox', { name: 'Je publie sans liste d’enfants' }));
  await phone.tap(phone.button('Confirmer et publier'));
  // One button for each day that is left; it goes with its photos.
  for (let left = await publish.count(); left > 0; left = await publish.count()) {
    const last = publish.nth(left - 1);
    await phone.tap(publish.first());
    await last.waitFor({ state: 'detached' });
  }
  await phone.tap(phone.button('Terminer'));
  await phone.page.getByText('Aucune photo n’attend d’être vérifiée').waitFor();
  rows.push(
    {
      ...{ work: `from the last of ${PUBLISHED} received to all published, taps`, unit: '' },
      ...{ measured: phone.taps, aim: { of: 'measured', atMost: 12 } },
    },
    { work: 'the same, swipes through the grid', unit: '', measured: phone.swipes },
    { work: 'the same', unit: 's', measured: phone.seconds() },
  );
  await phone.close();
  return stay;
}

/** Waits until a photo is open over the page and sharp. */
async function untilSharp({ page }: Phone): Promise<void> {
  await page.waitForFunction(() =>
    [
      ...document.querySelectorAll<HTMLImageElement>(
        '.photo-opening img[srcset], .yarl__slide_current img[srcset]',
      ),
    ].some((img) => img.complete && img.naturalWidth > 0),
  );
}

/** Of a family with its password, then the day after, when it is signed in and its browser knows the site. */
async function walkLooking(stay: number): Promise<void> {
  const phone = await Phone.open();
  phone.begin();
  await phone.follow(`/connexion?stageId=${stay}`);
  await phone.signIn(PASSWORDS.stagiaire);
  await openFirst(phone);
  rows.push(
    {
      work: 'from the mail, with the password, to the first large photo, taps',
      unit: '',
      measured: phone.taps,
    },
    {
      work: 'from the mail, with the password, to the first large photo',
      unit: 's',
      measured: phone.seconds(),
    },
  );
  await phone.page.goto('about:blank');
  phone.begin();
  await phone.follow(`/stage-details/${stay}`);
  const pressed = await openFirst(phone);
  const aim = { of: 'measured', atMost: 4 } as const;
  rows.push(
    {
      work: 'from the mail to the first large photo, sharp, the day after',
      unit: 's',
      measured: phone.seconds(),
      aim,
    },
    { work: 'of it, from the tap on the photo', unit: 's', measured: phone.seconds() - pressed, aim },
  );
  await phone.close();
}

/** Opens the first photo, and waits until it is sharp; returns when it was tapped. */
async function openFirst(phone: Phone): Promise<number> {
  const first = phone.page.locator('[data-photo]').first();
  await first.waitFor();
  const pressed = phone.seconds();
  await phone.tap(first);
  await untilSharp(phone);
  return pressed;
}

await walkSending();
await walkLooking(await walkPublishing());
await site.close();
tell({
  title: 'An evening at a camp, on a telephone',
  text: [
    `360 × 740 points, 400 kbit/s and 400 ms; while a director sends ${SENT} photos of 12 million points and publishes`,
    `${PUBLISHED}, the network is cut for ${CUT_MS / 1_000} s every ${CUT_EVERY_MS / 1_000}. Without the time in which a`,
    'person reads, thinks and types; what is tapped in the phone’s own list of photos is not counted.',
  ],
  rows,
});
