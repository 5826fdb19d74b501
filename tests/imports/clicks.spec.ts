import { expect, type Locator } from '@playwright/test';
import writeExcel from 'write-excel-file/node';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, DESKTOP, test } from '#tests/browser/visit.ts';

/* The way of a season: two ordinary workbooks, then the codes. */

let site: RunningSite;
let token: string;
test.beforeEach(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterEach(() => site.stop());

type Cell = string | Date;

/** A workbook as people have them: a title above the headings, and a sum under the lines. */
async function workbook(name: string, rows: readonly (readonly Cell[])[]): Promise<string> {
  const file = `${site.directory}/${name}`;
  const cells = rows.map((row) =>
    row.map((value) => (value instanceof Date ? { value, format: 'dd/mm/yyyy' } : { value })),
  );
  await writeExcel(cells as never, {}).toFile(file);
  return file;
}

test('two ordinary workbooks become codes in twenty clicks at most', async ({ visit }) => {
  const day = (text: string) => new Date(`${text}T00:00:00.000Z`);
  const stays = await workbook('colos.xlsx', [
    ['Colonies de vacances, été 2026'],
    [],
    ['Colo', 'Départ', 'Retour'],
    ['Montagne', day('2026-07-12'), day('2026-07-26')],
    ['Mer', day('2026-08-02'), day('2026-08-16')],
  ]);
  const families = await workbook('inscriptions.xlsx', [
    ['Inscriptions'],
    ['Nom de l’enfant', 'Prénom', 'Adresse mail', 'Droit à l’image', 'Colo'],
    ['Martin', 'Léa', 'lea@example.org', 'oui', 'Montagne'],
    ['Petit', 'Noé', 'noe@example.org', 'Diffusion interne', 'Mer'],
    ['Total', '2', '', '', ''],
  ]);
  const { page, troubles } = await visit(site, { ...DESKTOP, reducedMotion: 'reduce' });
  await page.goto('/accessibilite');
  // Not by an init script: it would run, and fail, in the sandboxed frame of a message too.
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await arrive(page, '/portail');
  let clicks = 0;
  const click = (target: Locator) => {
    clicks++;
    return target.click();
  };
  /** A dropdown is opened, then a line of it chosen. */
  const choose = async (target: Locator, label: string) => {
    clicks += 2;
    await target.selectOption({ label });
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const importing = page.getByRole('button', { name: 'Importer', exact: true });
  const panel = async (group: string, name: string) => {
    const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
    if (!(await link.isVisible())) await click(button(group));
    await click(link);
  };
  const give = async (title: string, file: string) => {
    // The panel before stands there until this one has come: a file given to it would be lost.
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    // One click for the button, one for the file in the window that it opens.
    clicks += 2;
    await page.getByLabel('Fichier à importer').setInputFiles(file);
    await click(button('Vérifier le fichier'));
  };

  await panel('Séjours', 'Séjours');
  await click(page.getByRole('main').getByRole('link', { name: 'Importer des séjours' }).first());
  await give('Importer des séjours', stays);
  await click(importing);
  await expect(page.getByText('2\u00a0séjours créés').first()).toBeVisible();
  await click(page.getByRole('link', { name: 'Importer des familles' }).last());
  await give('Importer des familles', families);
  await choose(page.getByLabel('Ligne 4'), 'Non, pas de photos');
  await click(importing);
  await expect(page.getByText('2\u00a0enfants créés').first()).toBeVisible();
  await click(page.getByRole('link', { name: 'Envoyer les codes' }).last());
  await click(button(/^Tout cocher/).first());
  await click(button('Aperçu'));
  await click(button('Envoyer 2\u00a0messages'));
  await click(page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }));
  await expect(page.getByText('Messages prêts')).toBeVisible();
  expect(troubles).toEqual([]);
  expect(clicks).toBeLessThanOrEqual(20);
});
