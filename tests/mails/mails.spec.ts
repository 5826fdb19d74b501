import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  DESKTOP,
  type OpenVisit,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/** Staff send codes and other mails from the portal, follow them, and families sign in with what they received. */

let receiver: Receiver;
let site: RunningSite;
let token: string;
test.beforeEach(async () => {
  receiver = await openReceiver();
  await start({ SMTP_URL: receiver.url, MAIL_FROM: 'Les colos <colos@example.org>' });
});
test.afterEach(async () => {
  await site.stop();
  await receiver.close();
});

const CODES = '/portail?panneau=codes-envoyer';
const MAILINGS = '/portail?panneau=envois';
const WRITE = '/portail?panneau=ecrire';

async function start(env: Record<string, string>): Promise<void> {
  site = await startSite('sqlite', env);
  token = await site.signIn();
}

/** A tab of a signed-in admin; the token is put there by a page, as frames of messages have no storage. */
async function enter(visit: OpenVisit, options: BrowserContextOptions, address: string) {
  const opened = await visit(site, { ...options, reducedMotion: 'reduce' });
  await opened.page.goto('/accessibilite');
  await opened.page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await opened.page.goto(address);
  await expect(opened.page.getByRole('heading', { level: 1 })).toBeVisible();
  return opened;
}

async function addFamily(stageId: number, mailRL: string): Promise<void> {
  const child = { nom: 'Kerviel', prenom: mailRL, mailRL, stageId: String(stageId) };
  expect((await ask(site, token, 'POST /add-stagiaire', child)).status).toBe(201);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const warned = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const message = (page: Page, address: string) => page.getByRole('listitem').filter({ hasText: address });
const inFrame = (page: Page) => page.frameLocator('iframe[title="Message mis en forme"]');

async function expectSound(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
}

for (const { screen, options } of SCREENS) {
  test(`staff send codes, see what was refused and why, print slips, and a family signs in with what arrived, ${screen}`, async ({
    visit,
  }) => {
    const [oleron, vercors] = [await addStay(site, token, 'Oléron'), await addStay(site, token, 'Vercors')];
    await addStay(site, token, 'Sans famille');
    await addFamily(oleron.id, 'ana@example.org');
    await addFamily(oleron.id, 'inconnue@example.org');
    await addFamily(vercors.id, 'bruno@example.org');
    receiver.answer = (address) =>
      address.startsWith('inconnue') ? { code: 550, text: '5.1.1 User unknown' } : undefined;

    const { page } = await enter(visit, options, CODES);
    await button(page, 'Aperçu').click();
    await expect(warned(page, 'Veuillez sélectionner un séjour.')).toBeVisible();
    await expect(page.getByRole('checkbox').first()).toBeFocused();
    await button(page, 'Tout cocher').click();
    await expect(page.getByText('3 séjours cochés sur 3.')).toBeVisible();
    await field(page, 'Message').fill('Bonnes vacances !');
    await button(page, 'Aperçu').click();
    await expect(page.getByText('3 messages, pour 3 séjours.')).toBeVisible();
    await expect(
      page.getByRole('listitem').filter({ hasText: 'aucune adresse, rien à envoyer' }),
    ).toContainText('Sans famille');
    await expect(inFrame(page).getByText('Bonnes vacances !')).toBeVisible();
    await button(page, 'Texte seul').click();
    await expectSound(page);

    await button(page, 'Envoyer 3 messages').click();
    const dialog = page.getByRole('alertdialog', { name: 'Envoyer 3 messages' });
    await expect(dialog).toContainText('part aux familles de ce séjour');
    await dialog.getByRole('button', { name: 'Envoyer', exact: true }).click();
    await expect(said(page, 'Envoi commencé')).toBeVisible();
    await expect(page).toHaveURL(`${MAILINGS}&envoi=1`);
    await expect(page.getByText('2 envoyés sur 3, 1 échec', { exact: true })).toBeVisible();
    const unknown = message(page, 'inconnue@example.org');
    await expect(unknown).toContainText('Échec');
    await expect(unknown).toContainText('adresse inconnue', { ignoreCase: true });
    await unknown.getByText('Réponse du fournisseur').click();
    await expect(unknown.getByText('5.1.1 User unknown')).toBeVisible();
    await expectSound(page);
    await button(page, 'Envoyé (2)').click();
    await expect(unknown).toHaveCount(0);
    await button(page, 'Tous (3)').click();

    receiver.answer = () => undefined;
    await button(page, 'Relancer les échecs').click();
    await expect(said(page, 'Un message est envoyé de nouveau')).toBeVisible();
    await expect(page.getByText('3 envoyés sur 3', { exact: true })).toBeVisible();
    await expect(button(page, 'Corriger l’adresse inconnue@example.org')).toHaveCount(0);
    await expect(button(page, 'Relancer les échecs')).toHaveCount(0);

    await button(page, 'Lire le message à bruno@example.org').click();
    await expect(inFrame(page).getByText(vercors.family)).toBeVisible();
    await button(page, 'Texte seul').click();
    await expectSound(page);
    await page.keyboard.press('Escape');
    await expect(button(page, 'Lire le message à bruno@example.org')).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL(CODES);

    await page.goto(`/portail?panneau=etiquettes&sejour=${vercors.id}`);
    await button(page, 'Préparer les étiquettes').click();
    const slip = page.locator('.slip');
    await expect(slip).toHaveCount(1);
    await expect(slip).toContainText(vercors.family);
    await expectSound(page);

    const received = receiver.received.find(({ to }) => to.includes('bruno@example.org'))?.mail.text ?? '';
    const [, number = ''] = /Numéro du séjour\s*: (\d+)/.exec(received) ?? [];
    const [, password = ''] = /Mot de passe\s*: (\S+)/.exec(received) ?? [];
    const [link = ''] = /http\S+\/connexion\S+/.exec(received) ?? [];
    const family = await visit(site, options);
    const { pathname, search } = new URL(link);
    await arrive(family.page, pathname + search);
    await expect(field(family.page, 'Numéro du séjour')).toHaveValue(number);
    await arrive(family.page, pathname);
    await field(family.page, 'Numéro du séjour').fill(number);
    await field(family.page, 'Mot de passe').fill(password);
    await button(family.page, 'Se connecter').click();
    await expect(family.page.getByRole('heading', { level: 1 })).toHaveText('Vercors');
  });
}

for (const { screen, options } of SCREENS) {
  test(`the families of a stay are written to in four presses, ${screen}`, async ({ visit }) => {
    const stay = await addStay(site, token, 'Oléron');
    for (const name of ['ana', 'bruno', 'chloe']) await addFamily(stay.id, `${name}@example.org`);
    await ask(site, token, 'PUT /reglages', { organisation_nom: 'CSE Horizon' });
    const { page } = await enter(visit, options, `/portail?panneau=sejours&sejour=${stay.id}&onglet=enfants`);
    await page.getByRole('link', { name: 'Écrire aux familles' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Écrire aux familles');
    await expect(page.getByRole('checkbox', { name: /Oléron/ })).toBeChecked();
    await field(page, 'Objet').fill('Départ demain');
    await field(page, 'Message').fill('Le car part à ');
    await page.keyboard.press('ControlOrMeta+B');
    await page.keyboard.type('7 h');
    await button(page, 'Aperçu').click();
    await expect(page.getByText('3 messages, pour 1 séjour.')).toBeVisible();
    await expect(inFrame(page).locator('strong')).toHaveText('7 h');
    await expectSound(page);
    await button(page, 'Envoyer 3 messages').click();
    await expect(page.getByText('3 envoyés sur 3', { exact: true })).toBeVisible();
    expect(receiver.received.flatMap(({ to }) => to).sort()).toEqual([
      'ana@example.org',
      'bruno@example.org',
      'chloe@example.org',
    ]);
    const [{ mail } = { mail: undefined }] = receiver.received;
    expect(mail?.subject).toBe('Départ demain');
    expect(mail?.text).toContain('Le car part à 7 h');
    for (const secret of [stay.family, stay.director]) expect(mail?.html).not.toContain(secret);
  });

  test(`answers about pictures are given for several children at once, and taken back, ${screen}`, async ({
    visit,
  }) => {
    const stay = await addStay(site, token, 'Oléron');
    for (const name of ['ana', 'bruno', 'chloe']) await addFamily(stay.id, `${name}@example.org`);
    const { page } = await enter(visit, options, `/portail?panneau=sejours&sejour=${stay.id}&onglet=enfants`);
    const rows = page.getByRole('region', { name: 'Enfants de ce séjour' }).getByRole('listitem');
    await page.getByLabel('Tout cocher').check();
    await expectSound(page);
    const group = page.getByRole('group', { name: 'Pour les enfants cochés, droit à l’image' });
    await group.getByRole('button', { name: 'Non', exact: true }).click();
    await expect(said(page, 'Droit à l’image de 3 enfants : non')).toBeVisible();
    await expect(rows.filter({ hasText: 'Sans droit à l’image' })).toHaveCount(3);
    await button(page, 'Annuler').click();
    await expect(rows.filter({ hasText: 'Accord inconnu' })).toHaveCount(3);
    // Three presses a stay: the next one, all, the answer.
    const other = await addStay(site, token, 'Vercors');
    await addFamily(other.id, 'dora@example.org');
    await page.goto(`/portail?panneau=sejours&sejour=${other.id}&onglet=enfants`);
    await page.getByRole('link', { name: 'Séjour suivant' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oléron');
    await page.getByLabel('Tout cocher').check();
    await group.getByRole('button', { name: 'Oui', exact: true }).click();
    await expect(rows.filter({ hasText: 'Photos autorisées' })).toHaveCount(3);
    await page.getByLabel('Tout cocher').uncheck();
    await page.getByRole('checkbox', { name: /ana@example.org/ }).check();
    await page.getByRole('link', { name: 'Envoyer les codes' }).last().click();
    await expect(page.getByText('Seulement aux familles de l’enfant coché.')).toBeVisible();
    await expect(page.getByText('1 message, pour 1 séjour.')).toBeVisible();
  });
}

test('a late child is added, and sent the codes of the stay, in six presses', async ({ visit }) => {
  const stay = await addStay(site, token, 'Étang');
  const { page } = await enter(visit, DESKTOP, '/portail');
  await page.getByRole('link', { name: 'Étang' }).click();
  await button(page, 'Ajouter un enfant').click();
  await field(page, 'Nom').fill('Tardif');
  await field(page, 'Prénom').fill('Zoé');
  await field(page, 'E-mail').fill('zoe@example.org');
  await button(page, 'Ajouter').click();
  await button(page, 'Envoyer les codes').click();
  await button(page, 'Envoyer 1 message').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }).click();
  await expect(page).toHaveURL(/panneau=envois/);
  await expect(message(page, 'zoe@example.org')).toBeVisible();
  await ask(site, token, `DELETE /stages/${stay.id}`, {});
});

test('staff write a mail, whose text is kept until it is sent, and answer a visitor', async ({ visit }) => {
  const { page, troubles } = await enter(visit, DESKTOP, WRITE);
  await field(page, 'À').fill('jeanne@example.org');
  await button(page, 'Envoyer').click();
  await expect(
    warned(page, 'Veuillez remplir tous les champs du formulaire avant de soumettre.'),
  ).toBeVisible();
  await expect(field(page, 'Objet')).toBeFocused();
  await field(page, 'Objet').fill('Le départ');
  await field(page, 'Message').fill('Le car part à 8 h.');
  await page.getByRole('link', { name: 'E-mails envoyés' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitter' }).click();
  await expect(page.getByText('Aucun e-mail pour le moment')).toBeVisible();
  await page.goto(WRITE);
  await expect(field(page, 'Message')).toHaveValue('Le car part à 8 h.');

  await page.route('**/send-email', (route) => route.abort(), { times: 1 });
  await button(page, 'Envoyer').click();
  await expect(warned(page, 'Erreur lors de l’envoi de l’e-mail')).toBeVisible();
  expect(troubles.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  await expect(field(page, 'Message')).toHaveValue('Le car part à 8 h.');
  await button(page, 'Envoyer').click();
  await expect(said(page, 'Message envoyé')).toBeVisible();
  await expect(field(page, 'Message')).toHaveValue('');
  await button(page, 'Voir l’envoi').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Le départ');
  await expect(message(page, 'jeanne@example.org')).toContainText('Envoyé');
  expect(receiver.received.map(({ mail }) => mail.subject)).toEqual(['Le départ']);

  const visitor = { nom: 'Paul Petit', email: 'paul@example.org', message: 'À quelle heure ?' };
  await ask(site, token, 'POST /contact', visitor);
  await page.goto('/portail?panneau=messages');
  await page.getByRole('link', { name: 'Répondre à Paul Petit' }).click();
  await expect(field(page, 'À')).toHaveValue('paul@example.org');
  await expect(page.getByText('À quelle heure ?')).toBeVisible();
  await expectSound(page);
});

test('the form of the codes starts from its address, tries a message, and leaves out whoever has the password', async ({
  visit,
}) => {
  const { id } = await addStay(site, token, 'Oléron');
  await addFamily(id, 'ana@example.org');
  await ask(site, token, 'POST /formateurs/add', {
    ...{ nom: 'Le Goff', prenom: 'Inès', mail: 'ines@example.org', telephone: '06 99 00 00 01' },
    ...{ cat: 'sejour', stageId: String(id) },
  });
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=mots-de-passe');
  await field(page, 'Séjour').selectOption(String(id));
  await button(page, 'Afficher le mot de passe').click();
  await page.getByRole('link', { name: 'Envoyer ce mot de passe' }).click();
  await expect(page.getByRole('radio', { name: 'Directeurs' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Oléron' })).toBeChecked();
  await button(page, 'Aperçu').click();
  await button(page, 'M’envoyer un essai').click();
  await field(page, 'Adresse e-mail').fill('camille@example.org');
  await button(page, 'Envoyer l’essai').click();
  await expect(said(page, 'Message d’essai envoyé')).toBeVisible();
  await expect.poll(() => receiver.received.map(({ to }) => to)).toEqual([['camille@example.org']]);
  expect(receiver.received[0]?.mail.subject).toContain('[Essai]');

  await button(page, 'Envoyer 1 message').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer', exact: true }).click();
  await expect(page.getByText('1 envoyé sur 1', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Envoyer à ceux qui ne l’ont pas reçu' }).click();
  await expect(page.getByRole('checkbox', { name: /^Seulement aux adresses/ })).toBeChecked();
  await button(page, 'Aperçu').click();
  await expect(page.getByText('Aucun message à envoyer.')).toBeVisible();
  await expect(page.getByText('toutes ses adresses l’ont déjà')).toBeVisible();
});

test('the directors who stay are mailed the new password of their stay', async ({ visit }) => {
  const { id } = await addStay(site, token, 'Oléron');
  for (const prenom of ['Ines', 'Lou']) {
    await ask(site, token, 'POST /formateurs/add', {
      ...{ nom: 'Le Goff', prenom, mail: `${prenom}@example.org`, telephone: '06 99 00 00 01' },
      ...{ cat: 'sejour', stageId: String(id) },
    });
  }
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=directeurs');
  await button(page, 'Supprimer Le Goff Ines').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByText('Les autres directeurs le reçoivent par e-mail (1 adresse).')).toBeVisible();
  await button(page, 'Voir l’envoi').click();
  await expect(message(page, 'Lou@example.org')).toContainText('Envoyé');
  const [passwords] = await (await ask(site, token, `GET /stage-passwords/${id}`)).json();
  expect(receiver.received.map(({ mail }) => mail.text)).toEqual([
    expect.stringContaining(passwords.mdp_formateur),
  ]);
});

test('without a mail server the messages are read in the portal, which says so', async ({ visit }) => {
  await site.stop();
  await start({});
  const stay = await addStay(site, token, 'Oléron');
  await addFamily(stay.id, 'ana@example.org');
  const { page, troubles } = await enter(visit, DESKTOP, `${CODES}&sejour=${stay.id}`);
  await button(page, 'Aperçu').click();
  await button(page, 'Envoyer 1 message').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer', exact: true }).click();
  await expect(page.getByText('Aucun serveur d’envoi n’est réglé', { exact: false }).last()).toBeVisible();
  await expect(message(page, 'ana@example.org')).toContainText('En attente');
  await button(page, 'Lire le message à ana@example.org').click();
  await button(page, 'Texte seul').click();
  await expect(page.getByRole('dialog')).toContainText(stay.family);
  await page.goto(`${MAILINGS}&envoi=999999`);
  await expect(page.getByText('Cet envoi n’existe pas ou n’existe plus.')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(404)]);
});

test('a refused address is corrected from the first page in three presses, and its message leaves again', async ({
  visit,
}) => {
  const { id } = await addStay(site, token, 'Jura');
  await addFamily(id, 'inconnue.jura@example.org');
  receiver.answer = (address) =>
    address.startsWith('inconnue') ? { code: 550, text: '5.1.1 User unknown' } : undefined;
  await ask(site, token, 'POST /stages/envoi-mots-de-passe', { type: 'stagiaire', stageIds: [id] });
  const refused = async () => (await ask(site, token, 'GET /envois/refuses')).json();
  await expect.poll(refused).toMatchObject([{ destinataire: 'inconnue.jura@example.org' }]);

  const { page } = await enter(visit, DESKTOP, '/portail');
  receiver.answer = () => undefined;
  // The board, once it has come, pushes down what stands below it.
  await expect(page.getByRole('table')).toBeVisible();
  const alert = page.getByRole('listitem').filter({ hasText: 'n’a pas pu être remis' });
  await alert.getByRole('link', { name: 'Y aller' }).click();
  const row = page.getByRole('region', { name: 'À corriger' }).getByRole('listitem');
  await expect(row).toContainText('Famille de');
  await button(page, 'Corriger l’adresse inconnue.jura@example.org').click();
  await expect(page.getByRole('textbox', { name: 'Nouvelle adresse' })).toBeFocused();
  await expectSound(page);
  await page.keyboard.type('trouvee@example.org');
  await button(page, 'Corriger et renvoyer').click();
  await expect(said(page, 'Adresse corrigée pour un enfant : le message repart')).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect.poll(() => receiver.received.map(({ to }) => to)).toContainEqual(['trouvee@example.org']);
});

test('a message that a provider does not want has no address to correct, and returns are said to arrive', async ({
  visit,
}) => {
  const { id } = await addStay(site, token, 'Vosges');
  await addFamily(id, 'bonne.vosges@example.org');
  receiver.answer = () => ({ code: 550, text: '5.7.1 Message rejected due to DMARC policy' });
  await ask(site, token, 'POST /stages/envoi-mots-de-passe', { type: 'stagiaire', stageIds: [id] });
  const refused = async () => (await ask(site, token, 'GET /envois/refuses')).json();
  await expect
    .poll(refused)
    .toContainEqual(expect.objectContaining({ destinataire: 'bonne.vosges@example.org', erreur: 'refuse' }));
  receiver.answer = () => undefined;
  const { page } = await enter(visit, DESKTOP, MAILINGS);
  const row = page.getByRole('region', { name: 'Refusés par leur fournisseur' }).getByRole('listitem');
  await expect(row).toContainText('bonne.vosges@example.org');
  await expect(row).toContainText('Le fournisseur refuse ce message', { ignoreCase: true });
  await expect(page.getByRole('button', { name: 'Corriger l’adresse bonne.vosges@example.org' })).toHaveCount(
    0,
  );
  await expect(
    page.getByText('Un message refusé après coup revient à Les colos <colos@example.org>.'),
  ).toBeVisible();
  await expectSound(page);
});
