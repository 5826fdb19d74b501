import { expect, type Page } from '@playwright/test';
import { plainText } from '#features/imports/server/cells.ts';
import { writeSetting } from '#features/site/server/settingsStore.ts';
import { sentName } from '#features/stays/calls.ts';
import { REVIEW_SECTIONS } from '#features/stays/shared/terms.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { PAYLOADS, packed } from '#tests/browser/payloads.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  DESKTOP,
  enterPortal,
  type OpenStay,
  type OpenVisit,
  publish,
  refused,
  test,
  type Visit,
} from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';

/*
 * Texts that become code where a page takes them for markup, in every field that people fill, and every page opened:
 * nothing acts, nothing is refused by the policy as nothing gets as far, and what was typed is read as it was typed.
 */

let site: Awaited<ReturnType<typeof openSite>>;
let token: string;
let stay: OpenStay;
/** Of the items whose texts hold all payloads. */
const whole: Record<string, number> = {};

const PACKED = packed(30_000).join('\n');
const day = (days: number) => dayAfter(dayAt(new Date(), 'Europe/Paris'), days);

test.beforeAll(async () => {
  site = await openSite();
  token = await site.signIn();
  await fillContents();
  stay = await addStay(site, token, '<script>alert("séjour")</script>');
  await fillStays();
  await fillStay();
  await fillRest();
});
test.afterAll(() => site?.stop());

/** A few at a time: as fast as the site takes them. */
async function each<T>(all: readonly T[], work: (one: T, index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += 6)
    await Promise.all(all.slice(from, from + 6).map((one, index) => work(one, from + index)));
}

async function send(key: string, body?: FormData | object, as = token): Promise<void> {
  const answer = await ask(site, as, key, body);
  expect(answer.status, `${key}: ${await answer.text()}`).toBeLessThan(300);
}

async function fillContents(): Promise<void> {
  const article = (titre: string, text: string) => ({
    titre,
    resume: text.slice(0, 1_999),
    description: text,
  });
  const event = (title: string, text: string) => ({
    ...{ title, location: title, date: '2030-07-01T18:00', summary: text.slice(0, 1_999), article: text },
  });
  const kinds = {
    '/actualites': (title: string, text: string) => ({ titre: title, description: text }),
    '/alaune': (title: string, text: string) => ({ ...article(title, text), lien_article: '' }),
    '/avantage': (title: string, text: string) => ({ ...article(title, text), lien_article: '' }),
    '/events': event,
  };
  for (const [path, values] of Object.entries(kinds) as [keyof typeof kinds, typeof event][]) {
    await each(PAYLOADS, (text) => publish(site, token, path, values(text, text)));
    whole[path] = await publish(site, token, path, values('<svg/onload=alert(1)>', PACKED));
  }
  await each(PAYLOADS, (text) => {
    const named = { nom: text, url_site: 'https://exemple.org/?"><script>alert(1)</script>' };
    return publish(site, token, '/logos', named);
  });
  await each(PAYLOADS, (text) => {
    const person = { nom: text, prenom: text, poste: text, telephone: '01', email: 'a@exemple.org' };
    return publish(site, token, '/create-employes', { ...person, role: 'Employé', telephone_public: '1' });
  });
  await each(packed(150, ' ').slice(0, 40), (nom) => {
    const url: [Uint8Array, string] = [minutesPdf(nom, ['<script>alert(1)</script>', 'x']), `${nom}.pdf`];
    return publish(site, token, '/documents', { nom, date_ajout: '2026-06-02', url });
  });
  for (const nom of PAYLOADS.filter((text) => sentName.safeParse(text).success).slice(0, 20))
    await send('POST /livrets-upload', form({ livret: [minutesPdf('L', ['x']), nom] }));
}

/** Further stays, with children out of a file, and those who direct them. */
async function fillStays(): Promise<void> {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = PAYLOADS.map((text, n) => `${cell(text)};${cell(`${text} ${n}`)};lou@exemple.org;${stay.id}`);
  const file = `nom;prenom;email;stageId\n${lines.join('\n')}\n`;
  // Commas and slashes in a first name are asked about.
  const reponses = JSON.stringify([{ question: 'fratries', reponse: 'un' }]);
  const sent = {
    file: [Buffer.from(file), '"><img src=x onerror=alert(1)>.csv'] as [Buffer, string],
    reponses,
  };
  await send('POST /upload', form(sent));
  const stays = PAYLOADS.map((text, n) => `${cell(`${text} ${n}`)};${day(-1)};${day(1)}`);
  const others = `nom_stage;date_debut;date_fin\n${stays.join('\n')}\n`;
  await send('POST /uploadSejour', form({ file: [Buffer.from(others), 'a.csv'] }));
  await each(PAYLOADS, (text, index) =>
    send('POST /formateurs/add', {
      ...{ nom: text, prenom: text, mail: `d${index}@exemple.org`, telephone: text.slice(0, 50) },
      ...{ cat: 'sejour', stageId: stay.id },
    }),
  );
}

/** What people of a stay write about it. */
async function fillStay(): Promise<void> {
  const { id, nom_stage } = stay;
  await send(`PUT /stages/${id}`, {
    ...{
      nom_stage,
      date_debut: day(-20),
      date_fin: day(0),
      telephone_urgence: '<img src=x onerror=alert(1)>',
    },
    ...{ adresse: packed(500)[0], horaires: packed(1_000)[0], consignes: packed(5_000)[0] },
  });
  const signIn = async (password: string) => {
    const answer = await ask(site, '', 'POST /auth/login', { stageId: id, password });
    return ((await answer.json()) as { token: string }).token;
  };
  const legends = packed(300, ' ');
  const photos = await addPhotos(site.services, id, legends.length, () => ({ jour: day(0) }));
  await each(legends, (legende, index) => send(`PATCH /photos/${photos[index]}`, { legende }));
  const family = await signIn(stay.family);
  const words = packed(1_000);
  await each(words, (mot, index) => send(`POST /photos/${photos[index]}/retrait`, { mot }, family));
  await each(packed(2_000), (mot, index) => send(`PUT /stages/${id}/jours/${day(-index)}`, { mot }));
  const codes = Object.keys(REVIEW_SECTIONS);
  const sections = codes.map((code, index) => ({ code, note: 3, commentaire: packed(5_000)[index % 2] }));
  await send(`PUT /stages/${id}/bilan`, { sections });
  const answers = { notes: { repas: 5 }, recommande: true, texte: packed(5_000)[0] };
  await send(`POST /stages/${id}/evaluation`, answers, family);
}

async function fillRest(): Promise<void> {
  for (const nom of packed(100, ' ').slice(0, 3))
    await send('POST /contact', { nom, email: 'a@exemple.org', message: packed(5_000)[0] });
  const subjects = PAYLOADS.filter((text) => !text.includes('=?')).slice(0, 20);
  const message = PACKED.slice(0, 9_000);
  await each(subjects, async (subject) => {
    const body = new URLSearchParams({ to: 'a@exemple.org', subject, message });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${site.url}/api/api/send-email`, { method: 'POST', headers, body });
    expect(answer.status, await answer.text()).toBe(200);
  });
  const [hostile = ''] = packed(190, ' ').slice(1);
  await send('PUT /reglages', {
    ...{ organisation_nom: '</title><script>alert(1)</script>', organisation_adresse: packed(500)[0] },
    ...{ organisation_telephone: '"><img src=x onerror=alert(1)>' },
    ...{ directeur_publication: hostile, hebergeur_nom: hostile },
    ...{
      hebergeur_adresse: packed(500)[1],
      hebergeur_telephone: '<svg/onload=alert(1)>',
      contact_donnees: hostile,
    },
  });
  // Refused by the form, but an older version may have stored them.
  const { database, clock } = site.services;
  await database.write(async (db) => {
    await writeSetting(db, 'organisation_siren', '</script><svg/onload=alert(1)>', clock());
    await writeSetting(db, 'organisation_rna', "'-alert(1)-'", clock());
  });
}

declare global {
  interface Window {
    /** What a text that came through leaves in a document, or has done. */
    tracesIn(document: Document): string[];
    noteRefusal(what: string): void;
  }
}

/** A tab in which whatever acts is a trouble, and `tracesIn` is there. */
async function watched(visit: OpenVisit): Promise<Visit> {
  const visited = await visit(site, { ...DESKTOP, reducedMotion: 'reduce' });
  const { page, troubles } = visited;
  page.on('dialog', (dialog) => {
    troubles.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction('noteRefusal', (what: string) => troubles.push(`policy: ${what}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.noteRefusal(`${violatedDirective} ${blockedURI}`),
    );
    const foreign = 'x-ss, object, embed, base, math, [ontoggle], [srcdoc], link[href*="mechant"], style';
    const addresses = ['href', 'src', 'action', 'formaction', 'data', 'xlink:href'];
    const ours =
      'script[src^="/assets/"], script[type="application/json"], script[type="application/ld+json"]';
    window.tracesIn = (document) => {
      const found = 'xss' in window ? ['a script ran'] : [];
      for (const element of document.querySelectorAll('*')) {
        const acts = element.getAttributeNames().some((name) => {
          const value = (element.getAttribute(name) ?? '').replace(/\s/g, '');
          const isAddress = addresses.includes(name) && /^(javascript|vbscript|data:text)/i.test(value);
          return name.startsWith('on') || isAddress;
        });
        const isScript = element.localName === 'script' && !element.matches(ours);
        if (acts || isScript || element.matches(foreign)) found.push(element.outerHTML.slice(0, 200));
      }
      return found;
    };
  });
  return visited;
}

/** Which of these can be read nowhere on the page, nor in a field or a description of it. */
function missingOn(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate((all) => {
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
    const fields = [...document.querySelectorAll('input, textarea')].map(
      (one) => (one as HTMLInputElement).value,
    );
    const names = [...document.querySelectorAll('[alt], [aria-label], [title]')].flatMap((one) =>
      ['alt', 'aria-label', 'title'].map((name) => one.getAttribute(name) ?? ''),
    );
    const said = plain(
      [document.body.innerText, document.body.textContent ?? '', ...fields, ...names].join('\n'),
    );
    return all.filter((text) => !said.includes(plain(text)));
  }, texts);
}

/** Nothing came through on the page that is shown; all of `texts` are there as they were typed. */
async function expectHarmless(page: Page, texts: readonly string[] = []): Promise<void> {
  await expect(page.getByText('Chargement…')).toHaveCount(0);
  await expect.poll(() => missingOn(page, texts), page.url()).toEqual([]);
  expect(await page.evaluate(() => window.tracesIn(document)), page.url()).toEqual([]);
}

/** What light Markdown shows without its signs, or an address without its beginning. */
const LITERAL = PAYLOADS.filter((text) => !/https:|\]\(|^[*#-]/.test(text));

test('public pages show what was typed, and none of it acts', async ({ visit }) => {
  const { page } = await watched(visit);
  for (const [path, texts] of [
    ['/', PAYLOADS],
    ['/?actualites=1', []],
    [`/?actualite=${whole['/actualites']}`, LITERAL],
    [`/une-details/${whole['/alaune']}`, LITERAL],
    [`/event-detail/${whole['/events']}`, LITERAL],
    ['/avantages', PAYLOADS],
    [`/avantage-detail/${whole['/avantage']}`, LITERAL],
    ['/membres', PAYLOADS],
    ['/mentions-legales', packed(500)[0]?.split('\n') ?? []],
    ['/politique-confidentialite', []],
    ['/politique-photos', []],
    ['/connexion', []],
    ['/connexion-portail', []],
    ['/compte-rendus', []],
  ] as const) {
    await arrive(page, path);
    await expectHarmless(page, texts);
  }
  let left: readonly string[] = PAYLOADS;
  for (let number = 1; left.length > 0; number++) {
    expect((await arrive(page, `/Evenements?page=${number}`))?.status(), left.join()).toBe(200);
    await expectHarmless(page);
    left = await missingOn(page, left);
  }
  await page.goto('/api/docs');
  await expectHarmless(page);
});

test('pages of single things hold nothing else before any script has run', async ({ visit }) => {
  const { page } = await watched(visit);
  await arrive(page, '/a-propos');
  const pages = ['/?actualite=', '/une-details/', '/event-detail/', '/avantage-detail/'];
  // Each payload in the head, the data and the text of one of the four.
  const paths = PAYLOADS.map((_text, index) => pages[index % pages.length] + String(index + 1));
  const found = await page.evaluate(async (all) => {
    const traces: string[] = [];
    for (const path of all) {
      const answer = await fetch(path);
      const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (answer.status !== 200) traces.push(`${path}: ${answer.status}`);
      traces.push(...window.tracesIn(parsed).map((trace) => `${path}: ${trace}`));
    }
    return traces;
  }, paths);
  expect(found).toEqual([]);
});

test('what an address says is not taken up', async ({ visit }) => {
  const { page, troubles } = await watched(visit);
  const script = '"><script>xss=1</script><img src=x onerror=alert(1)>';
  const asked = encodeURIComponent(script);
  for (const path of [
    ...[`/?actualite=${asked}`, `/?actualites=${asked}`, `/?x=${asked}#${script}`, `/event-detail/${asked}`],
    ...[
      `/connexion?stageId=${asked}`,
      `/compte-rendus?recherche=${asked}`,
      `/recherche?q=${asked}`,
      `/${asked}`,
      '/%',
      `/%?${asked}`,
    ],
    ...[`/portail?panneau=${asked}`, `/stage-details/${asked}`, `/connexion?suite=javascript:alert(1)`],
  ]) {
    await page.goto(path);
    await expectHarmless(page);
  }
  const notFound = troubles.splice(0);
  expect(notFound).toEqual(notFound.map(() => refused(404)));
});

test('the portal shows what was typed, and none of it acts', async ({ visit }) => {
  const { page } = await watched(visit);
  // With the cookie that opens the files of photos.
  await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  await arrive(page, '/');
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await arrive(page, '/portail');
  const links = page.locator('nav[aria-label="Panneaux du portail"] a');
  await expect(links).not.toHaveCount(0);
  const panels = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  // Empty forms show nothing that people wrote.
  const filled = panels.filter((path) => !/-creer$/.test(path));
  // Stays and children came out of files, in which entities are read.
  const imported = PAYLOADS.map(plainText);
  const listing = /panneau=familles$|mots-de-passe|codes-envoyer|etiquettes|rapport|photos$/;
  for (const path of filled) {
    await arrive(page, path);
    await expectHarmless(
      page,
      /directeurs|affecter/.test(path) ? PAYLOADS : listing.test(path) ? imported : [],
    );
  }
  for (const [name, path] of [
    ['une', '/alaune'],
    ['actu', '/actualites'],
    ['event', '/events'],
    ['avantage', '/avantage'],
  ] as const) {
    await arrive(page, `/${name}-modify/${whole[path]}`);
    await expectHarmless(page, PAYLOADS);
  }
  await arrive(page, `/photos-modify/${stay.id}`);
  await expectHarmless(page, packed(300, ' ').slice(0, 3));
});

test('a faulty file shows its cells, and none of them acts', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=familles-importer');
  const cells = PAYLOADS.slice(0, 30).map((text) => `"${text.replaceAll('"', '""')}"`);
  const lines = cells.map((text) => `${text};${text};${text};${text}`);
  const buffer = Buffer.from(
    `nom;prenom;email;stageId;"<img src=x onerror=alert(1)>"\n${lines.join('\n')}\n`,
  );
  await page
    .getByLabel('Fichier à importer')
    .setInputFiles({ name: '<svg onload=alert(1)>.csv', mimeType: '', buffer });
  await page.getByRole('button', { name: 'Vérifier le fichier', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Ce que fera l’import' })).toBeVisible();
  await expect.poll(() => missingOn(page, PAYLOADS.slice(0, 30))).toEqual([]);
});

for (const who of ['family', 'director'] as const) {
  test(`a ${who} reads what was typed, and none of it acts`, async ({ visit }) => {
    const { page } = await watched(visit);
    await arrive(page, `/connexion?stageId=${stay.id}`);
    await page.getByLabel('Mot de passe', { exact: true }).fill(stay[who]);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await expect(page.getByRole('heading', { level: 1, name: stay.nom_stage })).toBeVisible();
    await expectHarmless(page, PAYLOADS);
    if (who === 'director') return;
    await page.locator('[data-photo]').first().click();
    await expect(page.getByRole('dialog', { name: 'Photos en grand' })).toBeVisible();
    await expectHarmless(page);
  });
}
