import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { NIGHT_RULES, violationsOf } from '#tests/browser/axe.ts';
import { openSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, enterPortal, publish, SCREENS, test } from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';

/* Long texts are written as they will look, and stored as the light Markdown that visitors' pages read. */

const PASTED = join(import.meta.dirname, '../support/pasted');
const NUTHATCH = join(import.meta.dirname, '../../features/example/fixtures/pictures/sittelle.jpg');

let site: Awaited<ReturnType<typeof openSite>>;
let token: string;
test.beforeAll(async () => {
  site = await openSite();
  token = await site.signIn();
});
test.afterAll(() => site?.stop());

const text = (page: Page) => page.getByRole('textbox', { name: 'Description' });
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Mise en forme' }).getByRole('button', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** What the form would send. */
const written = (page: Page) => page.locator('textarea[name="description"]').inputValue();

/** Pastes as an application does it: browsers let nobody fill the clipboard from outside. */
async function paste(where: Locator, data: Record<string, string>): Promise<void> {
  await where.evaluate((element, all) => {
    const clipboardData = new DataTransfer();
    for (const [type, content] of Object.entries(all)) clipboardData.setData(type, content);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

/** Until the browser has told where the cursor is now: it does once a frame. */
const moved = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

async function stored(id: number): Promise<string> {
  const answer = await ask(site, token, `GET /actualites/${id}`);
  const [item] = (await answer.json()) as { description: string }[];
  return item?.description ?? '';
}

for (const { screen, options } of SCREENS) {
  test(`a long text is written with tools and signs ${screen}, and read as it was written`, async ({
    visit,
  }) => {
    const { page } = await enterPortal(visit, site, options, '/portail?panneau=actualite-creer');
    await page.getByLabel('Titre', { exact: true }).first().fill('Fête');
    await text(page).click();
    await page.keyboard.type('## Au programme');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Venez ');
    await page.keyboard.press('ControlOrMeta+b');
    await expect(tool(page, 'Gras')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.type('nombreux');
    await tool(page, 'Gras').click();
    await expect(tool(page, 'Gras')).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.type(' et 2 * 3, * pas en gras *');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- des jeux');
    await page.keyboard.press('Enter');
    await page.keyboard.type('à boire');
    await expect(tool(page, 'Liste à puces')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(tool(page, 'Liste à puces')).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.type('3. trois');
    await page.keyboard.press('Enter');
    await page.keyboard.type('quatre');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('Voir https://example.org/x. Fin');
    const expected =
      '## Au programme\n\nVenez **nombreux** et 2 * 3, * pas en gras \\*\n\n- des jeux\n- à boire\n\n3. trois\n4. quatre\n\nVoir https://example.org/x. Fin';
    expect(await written(page)).toBe(expected);
    await expect(text(page).getByRole('link')).toHaveText('https://example.org/x');

    await button(page, 'Publier').click();
    await expect(page.getByText('Actualité ajoutée avec succès')).toBeVisible();
    await expect(text(page)).toHaveText('');
    const answer = await ask(site, token, 'GET /actualites');
    const [item] = (await answer.json()) as { id: number }[];
    expect(await stored(item?.id ?? 0)).toBe(expected);
    await page.goto(`/?actualite=${item?.id}`);
    const story = page.locator('.prose');
    await expect(story.getByRole('heading', { name: 'Au programme' })).toBeVisible();
    await expect(story.locator('strong')).toHaveText('nombreux');
    await expect(story.getByRole('listitem')).toHaveText(['des jeux', 'à boire', 'trois', 'quatre']);
    await expect(story.locator('ol')).toHaveAttribute('start', '3');
    // In lists, without its signs and escapes.
    await page.goto('/?actualites=1');
    await expect(page.getByRole('article').filter({ hasText: 'Fête' }).first()).toContainText(
      'Au programme Venez nombreux et 2 * 3, * pas en gras * des jeux à boire trois quatre Voir',
    );
  });
}

test('a text that nobody touched is saved as it was, and so is one that was changed back', async ({
  visit,
}) => {
  const odd = '# Titre\n\n* a\n+ b\n1) c\nfin __gras__ \\- x\n\n\n  loin  \n<b>x</b>';
  const id = await publish(site, token, '/actualites', { titre: 'Ancienne', description: odd });
  const first = await stored(id);
  const { page } = await enterPortal(visit, site, DESKTOP, `/actu-modify/${id}`);
  await expect(text(page).getByRole('heading', { name: 'Titre' })).toBeVisible();
  expect(await written(page)).toBe(first);
  await text(page).press('ControlOrMeta+End');
  await moved(page);
  await page.keyboard.type('y');
  expect(await written(page)).not.toBe(first);
  await page.keyboard.press('ControlOrMeta+z');
  expect(await written(page)).toBe(first);
  await page.getByLabel('Titre', { exact: true }).first().fill('Ancienne, autre titre');
  await button(page, 'Modifier').click();
  await expect(page.getByText('Actualité modifiée avec succès')).toBeVisible();
  expect(await stored(id)).toBe(first);
});

test('links are added, checked, changed and removed', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  await text(page).click();
  await page.keyboard.type('Voir le site');
  for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+ArrowLeft');
  await moved(page);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const address = page.getByLabel('Adresse du lien');
  await expect(address).toBeFocused();
  await page.keyboard.type('javascript:alert(1)');
  await page.keyboard.press('Enter');
  await expect(address).toHaveAccessibleDescription(/Indiquez une adresse/);
  await expect(address).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await address.fill('exemple.fr/a_(b)');
  await page.keyboard.press('Enter');
  await expect(text(page)).toBeFocused();
  expect(await written(page)).toBe('Voir le [site](https://exemple.fr/a_(b))');

  await page.keyboard.press('ArrowLeft');
  await expect(tool(page, 'Lien')).toHaveAttribute('aria-pressed', 'true');
  await tool(page, 'Lien').click();
  await expect(address).toHaveValue('https://exemple.fr/a_(b)');
  await address.fill('cse@exemple.fr');
  await button(page, 'Changer le lien').click();
  expect(await written(page)).toBe('Voir le [site](mailto:cse@exemple.fr)');
  await tool(page, 'Lien').click();
  await page.keyboard.press('Escape');
  await expect(text(page)).toBeFocused();
  await tool(page, 'Lien').click();
  await button(page, 'Retirer le lien').click();
  expect(await written(page)).toBe('Voir le site');

  await page.keyboard.press('ControlOrMeta+End');
  await moved(page);
  await page.keyboard.type(' ou ');
  await tool(page, 'Lien').click();
  await address.fill('/contact');
  await page.getByLabel('Texte du lien').fill('écrire');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' !');
  expect(await written(page)).toBe('Voir le site ou [écrire](/contact) !');
  // A form that was only asked for a link has not changed.
  await expect(text(page)).toHaveAttribute('aria-invalid', 'false');
});

test('lines become titles and items, and paragraphs again', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  await text(page).click();
  for (const line of ['un', 'deux', 'trois']) {
    if (line !== 'un') await page.keyboard.press('Enter');
    await page.keyboard.type(line);
  }
  await page.keyboard.press('ControlOrMeta+a');
  await tool(page, 'Liste à puces').click();
  expect(await written(page)).toBe('- un\n- deux\n- trois');
  await tool(page, 'Liste numérotée').click();
  expect(await written(page)).toBe('1. un\n2. deux\n3. trois');
  await text(page).getByText('deux').click();
  await moved(page);
  await tool(page, 'Titre').click();
  expect(await written(page)).toBe('1. un\n\n## deux\n\n1. trois');
  await tool(page, 'Titre').click();
  await tool(page, 'Liste numérotée').click();
  expect(await written(page)).toBe('1. un\n2. deux\n3. trois');
  await page.keyboard.press('Home');
  await moved(page);
  await page.keyboard.press('Backspace');
  expect(await written(page)).toBe('1. un\n\ndeux\n\n1. trois');
  await page.keyboard.press('Backspace');
  expect(await written(page)).toBe('1. undeux\n\n1. trois');
  await page.keyboard.press('End');
  await moved(page);
  await page.keyboard.press('Delete');
  expect(await written(page)).toBe('1. undeuxtrois');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('suite');
  expect(await written(page)).toBe('1. undeux\n  suitetrois');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await expect(text(page)).toHaveText('');
  await text(page).press('Backspace');
  expect(await written(page)).toBe('');
});

for (const [name, expected] of Object.entries({
  word: [
    '## Sortie au zoo',
    'Bonjour à **tous**, rendez-vous *samedi* à 9\u00a0h\u00a0:',
    '- le pique-nique\n  – un **vêtement** de pluie\n- des chaussures',
    '1. on part\n2. on revient',
    'Inscriptions [sur le site](https://exemple.fr/sortie?a=1&b=2) ou par [courriel](mailto:cse@exemple.fr).',
    'Nom · Places',
    'Zoo · 12',
    'Merci',
  ].join('\n\n'),
  outlook: ['Bonjour,', 'La **réunion** est *reportée*.', '- salle B\n- à\u00a014\u00a0h', 'Alice'].join(
    '\n\n',
  ),
  gmail: [
    'Bonjour,',
    'Ligne une\nligne deux',
    'Le [lien](https://exemple.fr/).',
    '- un\n- deux',
    '--',
    'Bruno',
  ].join('\n\n'),
  libreoffice: [
    '## Titre',
    'Du **gras**, de *l’italique* et **_les deux_**.',
    '- un\n- deux',
    '1. a\n2. b',
  ].join('\n\n'),
  gdocs: [
    '## Le titre',
    'Du **gras** et *de l’italique*, un [lien](https://exemple.fr/).',
    '- un\n- deux\n  – dedans',
  ].join('\n\n'),
  web: ['## Une page', 'Un texte sans rien.', 'Suite [ici](https://exemple.fr/).', 'Case · Autre'].join(
    '\n\n',
  ),
})) {
  test(`what is pasted from ${name} keeps what the site knows, and nothing else`, async ({ visit }) => {
    const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
    const html = readFileSync(join(PASTED, `${name}.txt`), 'utf8');
    await paste(text(page), { 'text/html': html, 'text/plain': 'autre chose' });
    expect(await written(page)).toBe(expected);
    const tags = await text(page).evaluate((element) => [
      ...new Set([...element.querySelectorAll('*')].map((one) => one.localName)),
    ]);
    expect(tags.filter((one) => !'p h2 ul ol li br a strong em'.split(' ').includes(one))).toEqual([]);
    expect(await text(page).locator('[style], [class]:not(.ProseMirror-trailingBreak)').count()).toBe(0);
  });
}

test('what a list holds within an item stays with it, line by line', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  await text(page).click();
  await paste(text(page), {
    'text/html':
      '<ol><li>S’inscrire<ul><li>en ligne<ul><li>avant mai</li></ul></li><li><p>par courrier</p></li></ul></li><li>Partir<ol><li>en car</li><li>en train</li></ol></li></ol>',
    'text/plain': 'autre chose',
  });
  const nested =
    '1. S’inscrire\n  – en ligne\n  · avant mai\n  – par courrier\n2. Partir\n  1\\. en car\n  2\\. en train';
  expect(await written(page)).toBe(nested);
  await page.keyboard.press('ControlOrMeta+a');
  const word = (level: number, sign: string, words: string) =>
    `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${sign}<span>&nbsp; </span></span>${words}</p>`;
  await paste(text(page), {
    'text/html': `${word(1, '1.', 'Un')}${word(2, 'o', 'dedans')}${word(2, 'o', 'aussi')}${word(1, '2.', 'Deux')}`,
    'text/plain': 'autre chose',
  });
  expect(await written(page)).toBe('1. Un\n  – dedans\n  – aussi\n2. Deux');
});

test('a row of a table is a line, and a link leads where it ends', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  const wrapped =
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexemple.fr%2Finscription&data=05%7C02';
  await text(page).click();
  await paste(text(page), {
    'text/html': `<table><tr><td>Séjour</td><td><p>Du</p></td></tr><tr><td>Mer</td><td>12/07/2026</td></tr></table><p><a href="${wrapped}">Inscription</a></p>`,
    'text/plain': 'autre chose',
  });
  expect(await written(page)).toBe(
    'Séjour · Du\n\nMer · 12/07/2026\n\n[Inscription](https://exemple.fr/inscription)',
  );
  await page.keyboard.press('ControlOrMeta+a');
  await paste(text(page), { 'text/plain': `Voir ${wrapped} et https://fr.exemple.org/wiki/Été_(saison).` });
  expect(await written(page)).toBe(
    'Voir https://exemple.fr/inscription et https://fr.exemple.org/wiki/Été_(saison).',
  );
});

test('plain text keeps its lines, and what is hostile stays out', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  await text(page).click();
  await paste(text(page), {
    'text/plain': 'Bonjour,\r\nligne deux\r\n\r\n• un\r\n• deux\r\n\r\nVoir https://exemple.fr.',
  });
  expect(await written(page)).toBe('Bonjour,\nligne deux\n\n- un\n- deux\n\nVoir https://exemple.fr.');
  await page.keyboard.press('ControlOrMeta+a');
  await paste(text(page), {
    'text/html': `<p onclick="alert(1)">a<script>alert(2)</script><img src=x onerror=alert(3)></p><a href="javascript:alert(4)">b</a><svg/onload=alert(5)><iframe src="javascript:alert(6)"></iframe><a href="java\nscript:alert(7)">c</a><p data-pm-slice="1 1 []"><a href="javascript:alert(8)">d</a></p>`,
    'text/plain': 'x',
  });
  await expect(text(page).locator('a, img, script, svg, iframe, [onclick]')).toHaveCount(0);
  // Words go into a line as they are, with the blanks around them.
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('unquatre');
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowLeft');
  await moved(page);
  await paste(text(page), { 'text/plain': ' deux ' });
  await paste(text(page), { 'text/html': '<meta charset="utf-8"><b>trois</b>', 'text/plain': 'trois' });
  expect(await written(page)).toBe('un deux **trois**quatre');
});

test('what is copied is text and HTML that others read', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  await text(page).click();
  await paste(text(page), { 'text/plain': 'Du **gras**\n\n- un\n- deux\n\nFin\nvraiment' });
  await page.keyboard.press('ControlOrMeta+a');
  const copied = await text(page).evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return { html: clipboardData.getData('text/html'), text: clipboardData.getData('text/plain') };
  });
  expect(copied.text).toBe('Du gras\n\n- un\n- deux\n\nFin\nvraiment');
  expect(copied.html).toContain('<strong>gras</strong>');
  expect(copied.html).toContain('<li><p>un</p></li>');
  await page.keyboard.press('ControlOrMeta+End');
  await moved(page);
  await page.keyboard.press('Enter');
  await paste(text(page), { 'text/html': copied.html, 'text/plain': copied.text });
  expect(await written(page)).toBe(
    'Du **gras**\n\n- un\n- deux\n\nFin\nvraiment\n\nDu **gras**\n\n- un\n- deux\n\nFin\nvraiment',
  );
});

test('drafts, errors and texts of others work with the editor, by keyboard and for screen readers', async ({
  visit,
}) => {
  const { page, troubles } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualite-creer');
  await expect(text(page)).toHaveAttribute('aria-multiline', 'true');
  await expect(text(page)).toHaveAttribute('aria-required', 'true');
  await page.getByLabel('Titre', { exact: true }).first().fill('Avec erreur');
  await button(page, 'Publier').click();
  await expect(text(page)).toBeFocused();
  await expect(text(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(text(page)).toHaveAccessibleDescription('Ce champ est obligatoire.');
  await page.keyboard.type('x');
  await expect(text(page)).toHaveAttribute('aria-invalid', 'false');
  await page.keyboard.press('Tab');
  await expect(text(page)).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(text(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(tool(page, 'Gras')).toBeFocused();
  await page.keyboard.press('End');
  await expect(tool(page, 'Lien')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(tool(page, 'Italique')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(text(page)).toBeFocused();
  await page.keyboard.type('penché');
  expect(await written(page)).toBe('x*penché*');
  await page.locator('label', { hasText: 'Description' }).click();
  await expect(text(page)).toBeFocused();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await violationsOf(page, scheme === 'dark' ? NIGHT_RULES : undefined)).toEqual([]);
  }
  await page.reload();
  await expect(page.getByText('Voici votre brouillon')).toBeVisible();
  await expect(text(page).locator('em')).toHaveText('penché');
  expect(await written(page)).toBe('x*penché*');
  await button(page, 'Effacer le brouillon').click();
  await expect(text(page)).toHaveText('');

  const id = await publish(site, token, '/actualites', { titre: 'À deux', description: 'De **base** ici' });
  await page.goto(`/actu-modify/${id}`);
  await text(page).press('ControlOrMeta+End');
  await moved(page);
  await page.keyboard.type(', par Alice');
  await ask(site, token, `PUT /actualites/${id}`, form({ titre: 'À deux', description: 'De Bruno' }));
  await button(page, 'Modifier').click();
  const choice = page.getByRole('region', { name: 'Cette actualité a été modifiée entre-temps' });
  await expect(choice.getByText('De **base** ici, par Alice')).toBeVisible();
  await choice.getByText('De Bruno').click();
  await choice.getByRole('button', { name: 'Enregistrer ce choix' }).click();
  await expect(page.getByText('Actualité modifiée avec succès')).toBeVisible();
  expect(await stored(id)).toBe('De Bruno');
  expect(troubles.splice(0)).toHaveLength(1);
});

test('without the editor there is a plain field, and what is left of its length is said', async ({
  visit,
}) => {
  const { page, troubles } = await enterPortal(visit, site, DESKTOP, '/portail');
  await page.route('**/TextEditor-*.js', (route) => route.abort());
  await page.goto('/portail?panneau=actualite-creer');
  const plain = page.getByLabel('Description');
  await expect(plain).toHaveAccessibleDescription(/La mise en forme n’a pas pu être chargée/);
  await plain.fill('Du **gras**');
  await page.unroute('**/TextEditor-*.js');
  await page.reload();
  await expect(text(page).locator('strong')).toHaveText('gras');
  await page.keyboard.press('Escape');
  await paste(text(page), { 'text/plain': 'a'.repeat(45_050) });
  await expect(page.getByText('Il reste moins de 5 000 caractères sur 50 000.')).toBeVisible();
  await paste(text(page), { 'text/plain': 'b'.repeat(5_000) });
  await expect(page.getByText(/Ce texte dépasse de .* la longueur permise/)).toBeVisible();
  expect(troubles.splice(0).length).toBeGreaterThan(0);
});

for (const { screen, options } of SCREENS) {
  test(`an item is seen as visitors would ${screen}, with what nobody has saved`, async ({ visit }) => {
    const { page } = await enterPortal(visit, site, options, '/portail?panneau=evenement-creer');
    const writes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && writes.push(request.url()));
    await page.getByLabel('Titre', { exact: true }).first().fill('Feu de camp');
    await page.getByLabel('Date', { exact: true }).fill('2027-06-20T18:30');
    await page.getByLabel('Lieu').fill('Au lac');
    await page.getByLabel('Résumé').fill('En bref.');
    await text(page).fill('Apportez des guitares');
    await text(page).press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+b');
    await page.getByLabel('Image de présentation').setInputFiles(NUTHATCH);
    await page.getByLabel('Texte alternatif de l’image').fill('Une sittelle');
    await page.getByLabel('Images de détail').last().setInputFiles(NUTHATCH);
    await button(page, 'Voir comme un visiteur').click();
    const dialog = page.getByRole('dialog', { name: 'Voir comme un visiteur' });
    await expect(dialog.getByRole('heading', { level: 1 })).toHaveText('Feu de camp');
    await expect(dialog.getByText('dimanche 20 juin 2027 à 18 h 30')).toBeVisible();
    await expect(dialog.locator('.prose strong')).toHaveText('Apportez des guitares');
    const picture = dialog.getByRole('img', { name: 'Une sittelle' });
    await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    await expect(dialog.getByRole('heading', { name: 'En images' })).toBeVisible();
    await dialog
      .locator('.rise')
      .evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)));
    expect(await violationsOf(page)).toEqual([]);
    // Its links do not leave the form.
    await dialog.getByRole('link', { name: 'Ajouter à mon agenda' }).click();
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(button(page, 'Voir comme un visiteur')).toBeFocused();
    await expect(page.getByLabel('Lieu')).toHaveValue('Au lac');
    await expect(text(page)).toHaveText('Apportez des guitares');
    expect(writes.filter((url) => !url.endsWith('/pages-vues'))).toEqual([]);
  });
}

test('each kind has its page for visitors, also of what is stored and of nothing yet', async ({ visit }) => {
  const texts = {
    titre: 'Ciné',
    resume: 'En bref.',
    description: 'En *long*.',
    lien_article: 'https://exemple.fr',
  };
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail');
  for (const [call, address] of [
    ['/alaune', '/une-modify'],
    ['/avantage', '/avantage-modify'],
  ] as const) {
    const id = await publish(site, token, call, texts);
    await page.goto(`${address}/${id}`);
    await expect(text(page).locator('em')).toHaveText('long');
    await button(page, 'Voir comme un visiteur').click();
    const dialog = page.getByRole('dialog', { name: 'Voir comme un visiteur' });
    await expect(dialog.locator('.prose em')).toHaveText('long');
    await expect(dialog.getByRole('link', { name: 'En savoir plus' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Fermer' }).click();
    await expect(dialog).toBeHidden();
  }
  await page.goto('/portail?panneau=actualite-creer');
  await button(page, 'Voir comme un visiteur').click();
  await expect(page.getByRole('dialog').getByRole('heading', { level: 1 })).toHaveText('Sans titre');
});
