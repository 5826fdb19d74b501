import { utimes, writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import writeExcel from 'write-excel-file/node';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, enterPortal, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { book } from '#tests/support/workbooks.ts';

let site: RunningSite;
let token: string;
test.beforeEach(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterEach(() => site.stop());

const STAYS = '/portail?panneau=sejours-importer';
const FAMILIES = '/portail?panneau=familles-importer';
const DIRECTORS = '/portail?panneau=direction-importer';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const line = (page: Page, number: number) =>
  page.getByRole('group', { name: `Ligne ${number}`, exact: true });

/** A file as Excel saves it where French is spoken: Windows’ own letters, and semicolons. */
function csv(...lines: string[]) {
  return { name: 'fichier.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n'), 'latin1') };
}

/** Chooses a file and has it verified; what comes of it has the focus. */
async function verify(
  page: Page,
  file: ReturnType<typeof csv> | string,
  first = 'Ce que fera l’import',
): Promise<void> {
  await page.getByLabel('Fichier à importer').setInputFiles(file);
  await button(page, 'Vérifier le fichier').click();
  await expect(page.getByRole('heading', { name: first })).toBeFocused();
}

const ASKING = 'Ce fichier pose des questions';

async function expectCounts(page: Page, counts: Record<string, number>): Promise<void> {
  for (const [label, count] of Object.entries(counts)) {
    await expect(page.locator('dl > div').filter({ hasText: label }).locator('dd')).toHaveText(String(count));
  }
}

/** Nothing that axe finds, and nothing beyond the window. */
async function expectFine(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const { scrolled, seen } = await page.evaluate(() => ({
    scrolled: document.documentElement.scrollWidth,
    seen: document.documentElement.clientWidth,
  }));
  expect(scrolled).toBeLessThanOrEqual(seen);
}

async function stays(): Promise<{ id: number; nom_stage: string; date_debut: string; date_fin: string }[]> {
  return (await ask(site, token, 'GET /stages')).json() as Promise<never>;
}

const SUMMER = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };

for (const { screen, options } of SCREENS) {
  test(`staff mend a file of stays on screen, import it, and take it back, ${screen}`, async ({ visit }) => {
    const { page } = await enterPortal(visit, site, { ...options, reducedMotion: 'reduce' }, STAYS);
    await verify(
      page,
      csv(
        'Séjour;Début;Fin;Météo',
        'Été à Oléron;06/07/2026;20/07/2026;beau',
        'Toussaint à Millevaches;31/10/2026;30/02/2027;pluie',
        ';08/02/2027;14/02/2027;neige',
      ),
    );
    await expectCounts(page, { 'À créer': 1, Fautives: 2 });
    await expect(page.getByText('« Météo »')).toBeVisible();
    await expect(button(page, 'Importer')).toHaveAccessibleDescription(
      'Impossible tant qu’il reste des lignes fautives ou sans réponse.',
    );
    await expect(line(page, 3).getByLabel('Date de fin')).toHaveAccessibleDescription(
      /^Cette date n’existe pas/,
    );
    await expectFine(page);

    await line(page, 3).getByLabel('Date de fin').fill('07/11/2026');
    await expect(line(page, 3).getByLabel('Date de fin')).toHaveAccessibleDescription(
      'Corrigée, à vérifier.',
    );
    await page.getByRole('banner').getByRole('link').first().click();
    const leaving = page.getByRole('alertdialog', { name: 'Quitter sans enregistrer\u202f?' });
    await leaving.getByRole('button', { name: 'Rester' }).click();
    await button(page, 'Vérifier de nouveau').click();
    await expect(line(page, 3)).toHaveCount(0);
    await line(page, 4).getByLabel('Nom du séjour').fill('Neige à Font-Romeu');
    await line(page, 4).getByLabel('Nom du séjour').press('Enter');
    await expect(line(page, 4)).toHaveCount(0);
    await expectCounts(page, { 'À créer': 3, Fautives: 0 });
    await expectFine(page);

    await button(page, 'Importer').click();
    await expect(said(page, 'CSV chargé et traité avec succès')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Import terminé' })).toBeFocused();
    await expect(page.getByText('3\u00a0séjours créés, 0\u00a0modifié, 0 déjà à jour.')).toBeVisible();
    expect(await stays()).toMatchObject([
      { nom_stage: 'Neige à Font-Romeu', date_debut: '2027-02-08', date_fin: '2027-02-14' },
      { nom_stage: 'Toussaint à Millevaches', date_debut: '2026-10-31', date_fin: '2026-11-07' },
      SUMMER,
    ]);
    await expectFine(page);

    await button(page, 'Annuler cet import').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler l’import' }).click();
    await expect(said(page, 'Import annulé')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Import terminé' })).toHaveCount(0);
    expect(await stays()).toEqual([]);
  });

  test(`families come from a workbook, a line left aside, and the same file changes nothing, ${screen}`, async ({
    visit,
  }) => {
    await ask(site, token, 'POST /stages', SUMMER);
    const stay = [SUMMER.nom_stage, new Date(SUMMER.date_debut), new Date(SUMMER.date_fin)];
    const rows = [
      ['Nom', 'Prénom', 'E-mail', 'Séjour', 'Du', 'Au'],
      ['Petit', 'Anaïs', 'anais@example.org', ...stay],
      ['Martin', 'Éléonore', 'pas une adresse', ...stay],
    ];
    const file = `${site.directory}/familles.xlsx`;
    const cells = rows.map((row) =>
      row.map((value) => (value instanceof Date ? { value, format: 'dd/mm/yyyy' } : { value })),
    );
    await writeExcel(cells as never, {}).toFile(file);
    const { page } = await enterPortal(visit, site, options, FAMILIES);
    await verify(page, file);
    await line(page, 3).getByLabel('Laisser cette ligne de côté').check();
    await expect(line(page, 3).getByLabel('E-mail')).toBeHidden();
    await button(page, 'Vérifier de nouveau').click();
    await expect(page.getByText('1\u00a0ligne laissée de côté\u202f: 3.')).toBeVisible();
    await button(page, 'Importer').click();
    await expect(page.getByText('1\u00a0enfant créé, 0\u00a0modifié, 0 déjà à jour.')).toBeVisible();
    const [{ id } = { id: 0 }] = await stays();
    const children = await (await ask(site, token, `GET /get-stagiaires/${id}`)).json();
    expect(children).toMatchObject([{ nom: 'Petit', prenom: 'Anaïs', email: 'anais@example.org' }]);

    await verify(
      page,
      csv(
        'nom;prénom;mail;stage;date_début;date_fin',
        'Petit;Anaïs;anais@example.org;Été à Oléron;06/07/2026;20/07/2026',
      ),
    );
    await expectCounts(page, { 'À créer': 0, 'À modifier': 0, 'Déjà à jour': 1 });
    await expect(button(page, 'Importer')).toHaveAccessibleDescription('Il n’y a rien à importer.');
    await button(page, 'Importer').press('Enter');

    const [child] = children as { id: number }[];
    const change = { nom: 'Petit', prenom: 'Anaïs', mailRL: 'autre@example.org' };
    expect((await ask(site, token, `PUT /update/${child?.id}`, change)).status).toBe(200);
    await page.reload();
    await expect(page.getByText('Il ne peut plus être annulé.')).toBeVisible();
    await expect(button(page, 'Annuler cet import')).toHaveCount(0);
  });
}

test('a file that is none is refused beside its field, and stays chosen until another one is', async ({
  visit,
}) => {
  const { page, troubles } = await enterPortal(visit, site, PHONE, STAYS);
  const chosen = page.getByLabel('Fichier à importer');
  await chosen.setInputFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
  await expect(
    page.getByText('Un fichier CSV, Excel (.xlsx, .xls) ou LibreOffice (.ods) est attendu.'),
  ).toBeVisible();
  await button(page, 'Vérifier le fichier').click();
  await chosen.setInputFiles(csv('Séjour;Début', 'Été à Oléron;06/07/2026'));
  await button(page, 'Vérifier le fichier').click();
  await expect(page.getByRole('alert').getByText('Erreur lors de l’import', { exact: true })).toBeVisible();
  await expect(page.getByText('La colonne « Date de fin » manque.', { exact: true })).toBeVisible();
  await expect(button(page, 'Changer de fichier')).toBeFocused();
  await expect(page.getByText('fichier.csv (1\u00a0Ko)')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(422)]);
});

test('a line with more cells than titles is imported as it is shown, once that was verified', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, DESKTOP, STAYS);
  await verify(
    page,
    csv(
      'Séjour;Début;Fin',
      'Été à Oléron;06/07/2026;20/07/2026;beau',
      'Forêt;06/07/2026;20/07/2026;pluie',
      'Forêt;06/07/2026;20/07/2026',
      'Forêt;06/07/2026;20/07/2026',
    ),
  );
  await expectCounts(page, { Fautives: 3 });
  await line(page, 3).getByLabel('Laisser cette ligne de côté').check();
  await button(page, 'Vérifier de nouveau').click();
  await expect(line(page, 2)).toHaveCount(0);
  await expect(page.getByText('1\u00a0ligne corrigée ici.')).toBeVisible();
  await line(page, 5).getByLabel('Laisser cette ligne de côté').check();
  await button(page, 'Vérifier de nouveau').click();
  await expectCounts(page, { 'À créer': 2, Fautives: 0 });
  await button(page, 'Importer').click();
  await expect(said(page, 'CSV chargé et traité avec succès')).toBeVisible();
  expect((await stays()).map(({ nom_stage }) => nom_stage).sort()).toEqual(['Forêt', 'Été à Oléron']);
});

test('more faulty lines than are shown at once are mended in turns', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, STAYS);
  const lines = Array.from(
    { length: 350 },
    (_, index) => `Forêt ${index};06/07/2026;${index % 2 ? '' : 'x'}`,
  );
  await verify(page, csv('Séjour;Début;Fin', ...lines));
  await expectCounts(page, { Fautives: 350 });
  for (const left of [150, 0]) {
    // One after the other, by hand, would take a minute.
    await page.getByRole('group', { name: /^Ligne / }).evaluateAll((groups) => {
      for (const group of groups) {
        const end = [...group.querySelectorAll('input')].find(({ name }) => name.endsWith('-2'));
        if (end) end.value = '20/07/2026';
      }
    });
    await line(page, left === 0 ? 202 : 2)
      .getByLabel('Laisser cette ligne de côté')
      .check();
    await button(page, 'Vérifier de nouveau').click();
    await expectCounts(page, { Fautives: left });
  }
  await expect(
    page.getByText('348\u00a0lignes corrigées ici. 2\u00a0lignes laissées de côté\u202f: 2 et 202.'),
  ).toBeVisible();
  await button(page, 'Importer').click();
  await expect(said(page, 'CSV chargé et traité avec succès')).toBeVisible();
  expect(await stays()).toHaveLength(348);
});

test('a file saved again after it was chosen is to be chosen again', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, STAYS);
  const file = `${site.directory}/sejours.csv`;
  await writeFile(file, 'Séjour;Début;Fin\nForêt;06/07/2026;20/07/2026\n');
  await verify(page, file);
  await writeFile(file, 'Séjour;Début;Fin\nForêt;07/07/2026;21/07/2026\n');
  await utimes(file, new Date(), new Date(Date.now() + 60_000));
  await button(page, 'Importer').click();
  await expect(page.getByRole('alert').getByText('Ce fichier a changé')).toBeVisible();
  await verify(page, file);
  await button(page, 'Importer').click();
  await expect(said(page, 'CSV chargé et traité avec succès')).toBeVisible();
  expect(await stays()).toMatchObject([{ nom_stage: 'Forêt', date_debut: '2026-07-07' }]);
});

test('of a workbook it is said which sheet is read, and another one or hidden lines may be', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, { ...PHONE, reducedMotion: 'reduce' }, STAYS);
  const titles = ['Nom du séjour', 'Date de début', 'Date de fin'];
  const stay = (name: string) => [name, '06/07/2026', '20/07/2026'];
  const buffer = book([
    { name: 'Listes', state: 'hidden', rows: [titles, stay('Ancien')] },
    { name: 'Été', rows: [['Séjours du CSE'], titles, stay('Voile'), stay('Annulé')], hidden: [4] },
    { name: 'Hiver', rows: [titles, stay('Neige'), stay('Glace')] },
  ]);
  await verify(page, { name: 'séjours.xlsx', mimeType: '', buffer });
  const read = page.locator('section').filter({ hasText: 'Ce qui est lu' });
  await expect(read).toContainText('Feuille «\u00a0Été\u00a0», titres à la ligne 2.');
  await expect(read).toContainText('Masquées dans le tableur, et laissées de côté\u202f: ligne 4.');
  await expectCounts(page, { 'À créer': 1, Fautives: 0 });
  await expectFine(page);
  await read.getByLabel('Lire aussi les lignes masquées').check();
  await expectCounts(page, { 'À créer': 2, Fautives: 0 });
  await read.getByLabel('Lire une autre feuille').selectOption('Hiver (3\u00a0lignes)');
  await expect(read).toContainText('Feuille «\u00a0Hiver\u00a0», titres à la ligne 1.');
  await expect(page.getByRole('cell', { name: 'Glace' })).toBeVisible();
  await button(page, 'Importer').click();
  await expect(page.getByText('2\u00a0séjours créés, 0\u00a0modifié, 0 déjà à jour.')).toBeVisible();
});

test('the model of a panel comes as a file, which says what to replace', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, STAYS);
  const coming = page.waitForEvent('download');
  await button(page, 'Modèle CSV').click();
  const model = await coming;
  expect(model.suggestedFilename()).toBe('modele-sejours.csv');
  const file = `${site.directory}/modele.csv`;
  await model.saveAs(file);
  await verify(page, file);
  await expectCounts(page, { Fautives: 1 });
});

for (const { screen, options } of SCREENS) {
  test(`headers of another program are matched once, and known the next time, ${screen}`, async ({
    visit,
  }) => {
    await ask(site, token, 'POST /stages', SUMMER);
    const { page, troubles } = await enterPortal(
      visit,
      site,
      { ...options, reducedMotion: 'reduce' },
      FAMILIES,
    );
    const exported = (...people: string[]) =>
      csv(
        'Nom;Prénom;Contact parent;Contact parent bis;Taille;Séjour;Début;Fin',
        ...people.map((one) => `${one};Été à Oléron;06/07/2026;20/07/2026`),
      );
    await page
      .getByLabel('Fichier à importer')
      .setInputFiles(exported('Petit;Anaïs;anais@example.org;papa@example.org;128'));
    await button(page, 'Vérifier le fichier').click();
    await expect(page.getByRole('heading', { name: 'Titres à reconnaître' })).toBeFocused();
    await expect(said(page, 'La colonne «\u00a0E-mail\u00a0» manque.')).toBeVisible();
    await expectFine(page);
    expect(troubles.splice(0)).toEqual([refused(422)]);

    const first = page.getByLabel('Contact parent', { exact: true });
    await first.focus();
    await first.selectOption({ label: 'E-mail' });
    await expect(said(page, 'Le fichier a toutes les colonnes nécessaires.')).toBeVisible();
    await expect(first).toBeFocused();
    await expectCounts(page, { 'À créer': 1, Fautives: 0 });
    const second = page.getByLabel('Contact parent bis');
    await expect(second.getByRole('option', { name: 'E-mail', exact: true })).toHaveCount(0);
    await second.selectOption({ label: 'Second e-mail' });
    await expect(page.getByRole('cell', { name: 'papa@example.org' })).toBeVisible();
    await expect(page.getByText('1 titre n’est pas lu')).toBeVisible();
    await expectFine(page);
    await button(page, 'Importer').click();
    await expect(said(page, 'CSV chargé et traité avec succès')).toBeVisible();

    await verify(page, exported('Martin;Léa;lea@example.org;;130'));
    await expect(first).toHaveValue('email');
    await expect(first).toHaveAccessibleDescription(
      'Reconnu d’après le dernier import. Par exemple\u202f: lea@example.org',
    );
    await expectCounts(page, { 'À créer': 1, Fautives: 0 });
    await expectFine(page);
    await first.selectOption({ label: 'Ne pas importer' });
    await expect(said(page, 'La colonne «\u00a0E-mail\u00a0» manque.')).toBeVisible();
    await expect(button(page, 'Importer')).toHaveCount(0);
    expect(troubles.splice(0)).toEqual([refused(422)]);
  });

  test(`a stay that is not known is chosen once, lines left aside are kept, ${screen}`, async ({ visit }) => {
    await ask(site, token, 'POST /stages', SUMMER);
    await ask(site, token, 'POST /stages', { ...SUMMER, nom_stage: 'Neige' });
    const { page } = await enterPortal(visit, site, { ...options, reducedMotion: 'reduce' }, FAMILIES);
    await verify(
      page,
      csv(
        'Nom;Prénom;E-mail;Séjour;Début;Fin',
        'Petit;Anaïs;anais@example.org;Oléron;06/07/2026;20/07/2026',
        'Martin;Léa;lea@example.org;Oléron;06/07/2026;20/07/2026',
        'Martin;Zoé;zoe@;Neige;06/07/2026;20/07/2026',
        'Roux;Jo;jo@example.org;Neige;06/07/2026;20/07/2026',
        'Roux;Jo;jo@example.org;Neige;06/07/2026;20/07/2026',
        'Roy;;lou@example.org;Neige;06/07/2026;20/07/2026',
      ),
      ASKING,
    );
    await expectCounts(page, { 'À créer': 1, Fautives: 4 });
    await expect(page.getByText('elle répète la ligne 5, mot pour mot')).toBeVisible();
    // What only waits for an answer is asked above.
    await expect(line(page, 2)).toHaveCount(0);
    await expect(page.getByText('Anaïs Petit (ligne 2), Léa Martin (ligne 3)')).toBeVisible();
    await expect(line(page, 4).getByText('Martin, Zoé')).toBeVisible();
    await expectFine(page);

    await line(page, 4).getByLabel('E-mail').fill('zoe@example.org');
    const stay = page.getByLabel('Pour les 2\u00a0lignes');
    await stay.focus();
    await stay.selectOption('Été à Oléron — du\u00a06 au\u00a020 juillet 2026');
    await expectCounts(page, { 'À créer': 4, Fautives: 1 });
    await expect(stay).toBeFocused();
    await expect(line(page, 4)).toHaveCount(0);
    await line(page, 7).getByText('Voir toute la ligne').click();
    await expect(line(page, 7).getByLabel('E-mail')).toHaveValue('lou@example.org');
    await line(page, 7).getByLabel('Laisser cette ligne de côté').check();
    await button(page, 'Vérifier de nouveau').click();
    await expectCounts(page, { 'À créer': 4, Fautives: 0 });
    await expectFine(page);
    await button(page, 'Reprendre les lignes laissées de côté').click();
    await expectCounts(page, { 'À créer': 4, Fautives: 1 });
    await line(page, 7).getByLabel('Laisser cette ligne de côté').check();
    await button(page, 'Vérifier de nouveau').click();
    await button(page, 'Importer').click();
    await expect(page.getByText('4\u00a0enfants créés, 0\u00a0modifié, 0 déjà à jour.')).toBeVisible();
    const coming = page.waitForEvent('download');
    await button(page, 'Télécharger ces lignes (.xlsx)').first().click();
    const left = `${site.directory}/de-cote.xlsx`;
    await (await coming).saveAs(left);
    await expectFine(page);
    await verify(page, left);
    await expectCounts(page, { Fautives: 1 });
    await line(page, 2).getByLabel('Prénom').fill('Lou');
    await button(page, 'Vérifier de nouveau').click();
    await expectCounts(page, { 'À créer': 1, Fautives: 0 });
  });

  test(`what a list would take back is shown and ticked, for all or for one, ${screen}`, async ({
    visit,
  }) => {
    const { id } = (await (await ask(site, token, 'POST /stages', SUMMER)).json()) as { id: number };
    const enrol = (prenom: string, more: object = {}) =>
      ask(site, token, 'POST /add-stagiaire', {
        ...{ nom: 'Martin', prenom, mailRL: `${prenom.toLowerCase()}@example.org`, stageId: id },
        ...{ consentement_image: 'non', ...more },
      });
    for (const prenom of ['Lea', 'Max', 'Zoe']) await enrol(prenom);
    await enrol('Lou', { consentement_image: 'oui' });
    const { page } = await enterPortal(visit, site, { ...options, reducedMotion: 'reduce' }, FAMILIES);
    await verify(
      page,
      csv(
        'Nom;Prénom;E-mail;Droit à l’image;Séjour',
        'Martin;Lea;neuve@example.org;;Été à Oléron',
        'Martin;Max;max@example.org;oui;Été à Oléron',
        'Martin;Zoe;zoe@example.org;oui;Été à Oléron',
        'Martin;Lou;lou@example.org;Diffusion interne;Été à Oléron',
      ),
      ASKING,
    );
    await expectCounts(page, { 'À modifier': 0, 'Déjà à jour': 2, Fautives: 2 });
    await expect(page.getByText('Une réponse est attendue.')).toHaveCount(2);
    await expectFine(page);
    await page.getByLabel('Ligne 2').selectOption({ label: 'Remplacer l’adresse du site' });
    await expectCounts(page, { 'À modifier': 1, Fautives: 1 });
    await page.getByLabel('Ligne 5').selectOption({ label: 'Ne pas lire ce mot' });
    await expectCounts(page, { 'À modifier': 1, 'Déjà à jour': 3, Fautives: 0 });
    await page.getByText('Voir chaque ligne, ou répondre autrement').click();
    await page.getByLabel('Lever ce refus, ligne 4').check();
    await expectCounts(page, { 'À modifier': 2, 'Déjà à jour': 2 });
    const changed = page.getByRole('listitem').filter({ hasText: 'ligne 4' }).filter({ hasText: 'devient' });
    await expect(changed).toContainText('Droit à l’image');
    await expectFine(page);
    await button(page, 'Importer').click();
    await expect(page.getByText('0\u00a0enfant créé, 2\u00a0modifiés, 2 déjà à jour.')).toBeVisible();
    const children = (await (await ask(site, token, `GET /get-stagiaires/${id}`)).json()) as Record<
      string,
      string
    >[];
    expect(
      children.map(({ prenom, email, consentement_image }) => [prenom, email, consentement_image]),
    ).toEqual([
      ['Lea', 'neuve@example.org', 'non'],
      ['Lou', 'lou@example.org', 'oui'],
      ['Max', 'max@example.org', 'non'],
      ['Zoe', 'zoe@example.org', 'oui'],
    ]);
  });
}

test('all faulty lines are set aside at once, more than are shown, and changing a match asks first', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, DESKTOP, STAYS);
  const bad = Array.from({ length: 250 }, (_, index) => `Forêt ${index};06/07/2026;x;beau`);
  await verify(
    page,
    csv('Séjour;Début;Fin;Code directeur', 'Mer;06/07/2026;20/07/2026;chamois-bleu-27', ...bad),
  );
  await expectCounts(page, { 'À créer': 1, Fautives: 250 });
  await button(page, 'Tout laisser de côté (250\u00a0lignes fautives)').click();
  await expectCounts(page, { 'À créer': 1, Fautives: 0 });
  await page.getByText('1 titre n’est pas lu').click();
  const title = page.getByLabel('Code directeur');
  await title.selectOption({ label: 'Mot de passe directeur' });
  const question = page.getByRole('alertdialog', { name: 'Changer ce que dit cette colonne\u202f?' });
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(title).toHaveValue('');
  await title.selectOption({ label: 'Mot de passe directeur' });
  await question.getByRole('button', { name: 'Changer' }).click();
  await expectCounts(page, { Fautives: 250 });
});

test('a workbook is imported as one, from the model, its days written as people do', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, STAYS);
  const coming = page.waitForEvent('download');
  await button(page, 'Modèle Excel').click();
  const model = await coming;
  expect(model.suggestedFilename()).toBe('modele-sejours.xlsx');
  const file = `${site.directory}/modele.xlsx`;
  await model.saveAs(file);
  await verify(page, file);
  await expectCounts(page, { Fautives: 1 });
  const days = ['2026-07-06', '2026-07-20'].map((day) => ({ value: new Date(day), format: 'dd/mm/yyyy' }));
  const titles = ['Séjour', 'Début', 'Fin'].map((value) => ({ value }));
  await writeExcel([titles, [{ value: 'Forêt' }, ...days]] as never, {}).toFile(file);
  await verify(page, file);
  await expect(page.getByRole('cell', { name: '06/07/2026', exact: true })).toBeVisible();
  await button(page, 'Importer').click();
  await expect(said(page, 'Classeur chargé et traité avec succès')).toBeVisible();
});

for (const { screen, options } of SCREENS) {
  test(`directors come from a file with their stays, and are taken back, ${screen}`, async ({ visit }) => {
    await ask(site, token, 'POST /stages', SUMMER);
    const { page } = await enterPortal(visit, site, { ...options, reducedMotion: 'reduce' }, DIRECTORS);
    await expect(page.getByRole('heading', { level: 1, name: 'Importer des directeurs' })).toBeVisible();
    await verify(
      page,
      csv(
        'Nom;Prénom;E-mail;Portable;Type;Séjour;Début;Fin',
        'Roux;Jo;jo@example.org;06 11 22 33 44;Centre;Été à Oléron;06/07/2026;20/07/2026',
        'Roy;Max;max@example.org;06 55 66 77 88;;Oléron;06/07/2026;20/07/2026',
      ),
      ASKING,
    );
    await expectCounts(page, { 'À créer': 1, Fautives: 1 });
    await page.getByLabel('Ligne 3').selectOption('Été à Oléron — du\u00a06 au\u00a020 juillet 2026');
    await expectCounts(page, { 'À créer': 2, Fautives: 0 });
    await expectFine(page);
    await button(page, 'Importer').click();
    await expect(page.getByText('2\u00a0directeurs créés, 0\u00a0modifié, 0 déjà à jour.')).toBeVisible();
    await expectFine(page);
    const directors = async () => (await ask(site, token, 'GET /formateurs')).json();
    expect(await directors()).toMatchObject([
      { nom: 'Roux', sejours: [{ nom_stage: 'Été à Oléron', cat: 'centre' }] },
      { nom: 'Roy', sejours: [{ nom_stage: 'Été à Oléron', cat: 'sejour' }] },
    ]);
    await button(page, 'Annuler cet import').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler l’import' }).click();
    await expect(said(page, 'Import annulé')).toBeVisible();
    expect(await directors()).toEqual([]);
  });
}
