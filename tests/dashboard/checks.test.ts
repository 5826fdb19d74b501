import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { product } from '#app/server/features.ts';
import { startServer } from '#app/server/start.ts';
import { insertAdmin } from '#features/accounts/server/adminsStore.ts';
import { journal } from '#features/audit/server/journal.ts';
import type { HealthPart } from '#features/dashboard/calls.ts';
import { tellTroubles } from '#features/dashboard/server/alertMails.ts';
import { staffChecks } from '#features/dashboard/server/health.ts';
import { ARCHIVES } from '#platform/server/budgets.ts';
import { byPart, COMMANDS, PARTS } from '#platform/server/checks/check.ts';
import { listSpikes } from '#platform/server/countsStore.ts';
import { mountDisk } from '#tests/support/disk.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { addFamilies, addStay, queueCodes } from '#tests/support/mails.ts';
import { type TestSite, wrapSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* What the site watches of itself: a real mail server receives its alerts. The site's clock stands still unless it is moved. */

const MB = 1024 * 1024;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ALERT_EMAIL = 'alerte@exemple.fr';
const PASSWORD = 'K7QF-2MXA-9TRD';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A site whose mails go to a mail server that takes them. */
async function open(env: Record<string, string> = {}): Promise<{ site: TestSite; receiver: Receiver }> {
  const receiver = await openReceiver();
  opened.push(receiver);
  const mails = { SMTP_URL: receiver.url, MAIL_FROM: 'site@exemple.fr', PUBLIC_URL: 'https://cse.exemple' };
  const site = await openSite({ env: { ...mails, ALERT_EMAIL, ...env } });
  opened.push(site);
  // The works of the start.
  await pass(site, 0);
  return { site, receiver };
}

/** Lets time pass, the works that come back and the mails leaving after it. */
async function pass(site: TestSite, ms: number): Promise<void> {
  site.advance(ms);
  await site.schedule.tick();
  await site.jobs.idle();
}

const subjectsOf = ({ received }: Receiver) => received.map(({ mail }) => mail.subject);
const alertsOf = ({ received }: Receiver) =>
  received.filter(({ mail }) => /^Alerte du site|^C’est fini/.test(mail.subject ?? ''));
const textOf = (receiver: Receiver) => alertsOf(receiver).at(-1)?.mail.text ?? '';

async function partOf(site: TestSite, name: string): Promise<HealthPart> {
  const { json } = await site.call('GET /tableau-de-bord', { token: await site.tokenOf('admin') });
  return json.sante.parties.find(({ nom }: HealthPart) => nom === name);
}

/** A job that was given up, and its end. */
const giveUp = ({ services, now }: TestSite) =>
  services.database.write((db) =>
    sql`insert into jobs (nom, charge, essais, a_faire_le, created_at)
      values ('inconnu', '{}', 8, ${now().toISOString()}, ${now().toISOString()})`.execute(db),
  );
const mend = ({ services }: TestSite) => services.database.write((db) => db.deleteFrom('jobs').execute());
const BEGUN = 'Alerte du site\u202f: tâches de fond abandonnées';
const ENDED = 'C’est fini\u202f: tâches de fond abandonnées';

describe('A trouble is told by mail', () => {
  test('when it begins, once a day while it lasts, and when it has been over for an hour', async () => {
    const { site, receiver } = await open();
    expect(subjectsOf(receiver)).toEqual([]);
    await giveUp(site);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([BEGUN]);
    const [first] = receiver.received;
    expect(first?.to).toEqual([ALERT_EMAIL]);
    expect(first?.mail.text).toContain('Le site vous signale\u202f:\n– Une tâche de fond a été abandonnée');
    expect(first?.mail.text).toContain('https://cse.exemple/portail');
    expect(first?.mail.text).toContain(`À taper sur la machine\u202f: ${COMMANDS.errors}\n`);
    expect(first?.mail.text).toContain('docs/incidents.md');
    for (let hours = 0; hours < 23; hours++) await pass(site, HOUR);
    expect(subjectsOf(receiver)).toEqual([BEGUN]);
    await pass(site, HOUR);
    expect(subjectsOf(receiver)).toEqual([BEGUN, BEGUN]);
    expect(textOf(receiver)).toContain('Cela dure depuis un jour ou plus\u202f:\n– Une tâche de fond');
    await mend(site);
    await pass(site, 30 * MINUTE);
    // It comes back at once: still the same one.
    await giveUp(site);
    await pass(site, 30 * MINUTE);
    await mend(site);
    await pass(site, 30 * MINUTE);
    expect(subjectsOf(receiver)).toHaveLength(2);
    await pass(site, 31 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([BEGUN, BEGUN, ENDED]);
    expect(textOf(receiver)).toContain('C’est fini\u202f:\n– tâches de fond abandonnées');
    await pass(site, 48 * HOUR);
    expect(subjectsOf(receiver)).toHaveLength(3);
    expect(site.logLines.join('')).not.toContain(ALERT_EMAIL);
  });

  test('once, whatever restarts and however many tell it at once', async () => {
    const { site, receiver } = await open();
    await giveUp(site);
    site.advance(6 * MINUTE);
    const checks = product.checks(site.services);
    await Promise.all([1, 2, 3].map(() => tellTroubles(site.services, checks)));
    await site.jobs.idle();
    expect(subjectsOf(receiver)).toEqual([BEGUN]);
    const { directory, logLines, advance, now, services } = site;
    await site.stop();
    const server = await startServer(services.config, { clock: now, log: services.log });
    const again = wrapSite(server, { directory, logLines, advance, now, cleanUp: async () => {} });
    opened.push(again);
    await pass(again, HOUR);
    expect(subjectsOf(receiver)).toEqual([BEGUN]);
    await mend(again);
    await pass(again, 2 * HOUR);
    expect(subjectsOf(receiver)).toEqual([BEGUN, ENDED]);
  });

  test('to every address of ALERT_EMAIL, else to the organisation, else to nobody', async () => {
    const two = await open({ ALERT_EMAIL: 'a@exemple.fr, b@exemple.fr' });
    const fallback = await open({ ALERT_EMAIL: '', ORGANISATION_EMAIL: 'cse@exemple.fr' });
    const none = await open({ ALERT_EMAIL: '' });
    for (const { site } of [two, fallback, none]) {
      await giveUp(site);
      await pass(site, 6 * MINUTE);
    }
    expect(two.receiver.received.map(({ to }) => to.join()).sort()).toEqual(['a@exemple.fr', 'b@exemple.fr']);
    expect(fallback.receiver.received.map(({ to }) => to.join())).toEqual(['cse@exemple.fr']);
    expect(none.receiver.received).toEqual([]);
    // Told as soon as there is somebody to tell.
    const token = await none.site.tokenOf('admin');
    await none.site.call('PUT /reglages', { token, body: { organisation_email: 'cse@exemple.fr' } });
    await pass(none.site, 6 * MINUTE);
    expect(subjectsOf(none.receiver)).toEqual([BEGUN]);
  });

  test('twelve times a day at most, and what was left unsaid later', async () => {
    const { site, receiver } = await open();
    for (let turn = 0; turn < 10; turn++) {
      await giveUp(site);
      await pass(site, 6 * MINUTE);
      await mend(site);
      await pass(site, 62 * MINUTE);
    }
    expect(receiver.received).toHaveLength(12);
    await giveUp(site);
    await pass(site, 6 * MINUTE);
    expect(receiver.received).toHaveLength(12);
    // What somebody does who makes that many is told all the same, and what was left unsaid with it.
    const body = { username: 'complice', password: 'girafe-boussole-71' };
    const answer = await site.call('POST /admins', { token: await site.tokenOf('admin'), body });
    expect(answer.status).toBe(201);
    await pass(site, 6 * MINUTE);
    expect(receiver.received).toHaveLength(13);
    expect(textOf(receiver)).toContain('un compte du portail créé');
    await pass(site, 24 * HOUR);
    expect(receiver.received).toHaveLength(14);
  });

  test('nothing waits in the portal for a mail server that there is not', async () => {
    const site = await openSite({ env: { ALERT_EMAIL } });
    opened.push(site);
    await giveUp(site);
    await pass(site, 6 * MINUTE);
    const rows = await site.services.database.db.selectFrom('envois_messages').select('id').execute();
    expect(rows).toEqual([]);
  });

  test('a mail server that takes nothing is told in the portal only', async () => {
    const { site, receiver } = await open();
    receiver.answer = () => ({ code: 421, text: 'Service not available' });
    const stageId = await addStay(site.services, 'Voile', PASSWORD);
    await addFamilies(site.services, stageId, ['lea@exemple.fr']);
    await queueCodes(site.services, [{ address: 'lea@exemple.fr', stageId }]);
    await site.services.database.write((db) =>
      db
        .insertInto('envois_voies')
        .values({
          nom: 'relais',
          libre_le: new Date(site.now().getTime() + 90 * MINUTE).toISOString(),
          reculs: 9,
          erreur: 'injoignable',
          depuis: site.now().toISOString(),
        })
        .execute(),
    );
    await pass(site, 61 * MINUTE);
    expect(await partOf(site, 'E-mails')).toMatchObject({ etat: 'traiter' });
    const mails = await site.services.database.db.selectFrom('envois').select('genre').execute();
    expect(mails).toEqual([{ genre: 'codes' }]);
  });
});

describe('What a mail says to type', () => {
  test('stands on the pages of whoever has the machine, word for word', () => {
    const pages = ['incidents.md', 'operations.md'].map((name) =>
      readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
    );
    const blocks = pages.flatMap((page) =>
      [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text),
    );
    for (const command of Object.values(COMMANDS)) expect(blocks.join('')).toContain(command);
  });

  test('is said of each trouble, but of those that staff settle in the portal', async () => {
    const { site } = await open();
    const silent = staffChecks(product.checks(site.services)).filter(
      ({ command, only }) => command === undefined && only !== 'portal',
    );
    expect(silent.map(({ key }) => key).sort()).toEqual(['actes', 'mots-de-passe', 'photos-jetees', 'refus']);
  });
});

describe('What is watched', () => {
  test('the disk, before it is full', async ({ skip }) => {
    const disk = mountDisk(60);
    if (!disk) return skip('a disk of its own needs the right to mount one');
    opened.push({ close: async () => disk.remove() });
    const { site, receiver } = await open({ DATA_DIR: join(disk.directory, 'data') });
    disk.fill(12 * MB);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([]);
    expect(await partOf(site, 'Disque')).toMatchObject({ etat: 'bon', conseil: '' });
    disk.fill(8 * MB);
    await pass(site, 6 * MINUTE);
    expect(textOf(receiver)).toMatch(/Le disque du site se remplit\u202f: il en reste 1[0-4]\u202f%/);
    expect(await partOf(site, 'Disque')).toMatchObject({
      etat: 'surveiller',
      fait: expect.stringMatching(/Mo libres sur 60\u00a0Mo/),
      conseil: expect.stringMatching(/^Le disque du site se remplit/),
    });
    disk.fill(4 * MB);
    await pass(site, 6 * MINUTE);
    expect(textOf(receiver)).toMatch(/Le disque du site est presque plein\u202f: il en reste [56]\u202f%/);
    expect(await partOf(site, 'Disque')).toMatchObject({
      etat: 'traiter',
      conseil: 'Ce qu’il faut faire est dit en haut de cette page.',
    });
  });

  test('works that do not come to their end', async () => {
    const { site, receiver } = await open();
    const rename = (from: string, to: string) =>
      site.services.database.write((db) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db),
      );
    await rename('evaluations', 'ailleurs');
    for (let turn = 0; turn < 5; turn++) await pass(site, 30 * MINUTE);
    expect(textOf(receiver)).toContain(
      'Un travail régulier du site n’aboutit plus (effacement des anciennes évaluations)',
    );
    expect(await partOf(site, 'Travaux du site')).toMatchObject({
      etat: 'traiter',
      fait: expect.stringMatching(/^22 travaux réguliers sur 23 aboutissent/),
    });
    await rename('ailleurs', 'evaluations');
  });

  test('backups, once there has been one', async () => {
    const { site, receiver } = await open();
    expect(await partOf(site, 'Sauvegardes')).toMatchObject({
      etat: 'surveiller',
      fait: 'Aucune n’est connue du site.',
    });
    await pass(site, 48 * HOUR);
    expect(subjectsOf(receiver)).toEqual([]);
    const at = site.now().toISOString();
    await site.services.database.write((db) =>
      db
        .insertInto('planifications')
        .values({ nom: 'sauvegarde', prochaine_le: at, derniere_le: at, reussie_le: at })
        .execute(),
    );
    await pass(site, 26 * HOUR);
    expect(subjectsOf(receiver)).toEqual([]);
    expect(await partOf(site, 'Sauvegardes')).toMatchObject({
      etat: 'bon',
      fait: 'La dernière date du 22 juin 2026 à\u00a011\u00a0h.',
      conseil: '',
    });
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual(['Alerte du site\u202f: sauvegarde trop ancienne']);
    expect(await partOf(site, 'Sauvegardes')).toMatchObject({ etat: 'traiter' });
  });

  test('a site that is three days old and was never backed up', async () => {
    const { site, receiver } = await open();
    await site.services.database.write((db) =>
      sql`update migrations set faite_le = ${site.now().toISOString()}`.execute(db),
    );
    const doctor = product.checks(site.services).find(({ key }) => key === 'sauvegarde');
    await pass(site, 72 * HOUR);
    expect(subjectsOf(receiver)).toEqual([]);
    expect(await partOf(site, 'Sauvegardes')).toMatchObject({ etat: 'surveiller' });
    expect(await doctor?.operator?.(false)).toMatchObject({ state: 'à surveiller' });
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual(['Alerte du site\u202f: site jamais sauvegardé']);
    expect(textOf(receiver)).toContain('n’a jamais été sauvegardé');
    expect(await doctor?.operator?.(false)).toMatchObject({ state: 'à traiter' });
    expect(await partOf(site, 'Sauvegardes')).toMatchObject({ etat: 'traiter' });
    const at = site.now().toISOString();
    const row = { nom: 'sauvegarde', prochaine_le: at, derniere_le: at, reussie_le: at };
    await site.services.database.write((db) => db.insertInto('planifications').values(row).execute());
    await pass(site, 6 * MINUTE);
    expect(await partOf(site, 'Sauvegardes')).toMatchObject({ etat: 'bon' });
  });

  test('the file of erasures', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
    opened.push({ close: async () => rmSync(directory, { recursive: true, force: true }) });
    writeFileSync(join(directory, 'effacements.jsonl'), 'rien de lisible\n');
    const { receiver } = await open({ DATA_DIR: directory });
    expect(subjectsOf(receiver)).toEqual(['Alerte du site\u202f: fichier des effacements perdu ou abîmé']);
  });

  test('how long writes take', async () => {
    const { site, receiver } = await open();
    expect(await partOf(site, 'Base de données')).toMatchObject({ etat: 'bon' });
    const gate = pause(1_500);
    await Promise.all(Array.from({ length: 30 }, () => site.services.database.write(() => gate)));
    expect(await partOf(site, 'Base de données')).toMatchObject({
      etat: 'surveiller',
      conseil: expect.stringMatching(/^Les enregistrements sont lents\./),
    });
    await tellTroubles(site.services, product.checks(site.services, []));
    await site.jobs.idle();
    expect(subjectsOf(receiver)).toEqual(['Alerte du site\u202f: enregistrements lents']);
  });

  test('mails that are refused by the dozen', async () => {
    const { site, receiver } = await open();
    receiver.answer = (address) =>
      address === ALERT_EMAIL ? undefined : { code: 550, text: '5.1.1 User unknown' };
    const stageId = await addStay(site.services, 'Voile', PASSWORD);
    const addresses = Array.from({ length: 10 }, (_, index) => `famille${index}@exemple.fr`);
    await addFamilies(site.services, stageId, addresses);
    const send = (some: string[]) =>
      queueCodes(
        site.services,
        some.map((address) => ({ address, stageId })),
      );
    await send(addresses.slice(0, 9));
    await pass(site, 6 * MINUTE);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([]);
    await send(addresses.slice(9));
    await pass(site, 6 * MINUTE);
    await pass(site, 6 * MINUTE);
    expect(textOf(receiver)).toContain('10 e-mails n’ont pas pu être remis en 24 heures');
    expect(textOf(receiver)).not.toContain('famille');
    // There the failures of the week are said, once.
    expect((await partOf(site, 'E-mails')).conseil).toBe(
      'Ce qu’il faut faire est dit en haut de cette page.',
    );
  });

  test('mails that wait for hours', async () => {
    const { site, receiver } = await open();
    const stageId = await addStay(site.services, 'Voile', PASSWORD);
    await addFamilies(site.services, stageId, ['lea@orange.fr']);
    await queueCodes(site.services, [{ address: 'lea@orange.fr', stageId }]);
    const waits = async (hours: number) => {
      const later = (ms: number) => new Date(site.now().getTime() + ms).toISOString();
      await site.services.database.write(async (db) => {
        await db
          .updateTable('envois_messages')
          .set({ attend_depuis: later(-hours * HOUR) })
          .where('destinataire', '=', 'lea@orange.fr')
          .execute();
        await db
          .updateTable('jobs')
          .set({ a_faire_le: later(90 * MINUTE) })
          .where('voie', '=', 'orange')
          .execute();
      });
      await pass(site, 6 * MINUTE);
    };
    await waits(11);
    expect(subjectsOf(receiver)).toEqual([]);
    await waits(12);
    expect(textOf(receiver)).toContain('Un e-mail attend, depuis plus de 12 heures pour le plus ancien.');
    expect(textOf(receiver)).not.toContain('orange');
  });

  test('passwords that are guessed, of one stay and of the whole site', async () => {
    const { site, receiver } = await open({ TRUST_PROXY: '1' });
    const stageId = await addStay(site.services, 'Voile', PASSWORD);
    const guess = (index: number, stay: number) =>
      site.call('POST /auth/login', {
        body: { stageId: stay, password: 'essai' },
        headers: { 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` },
      });
    const several = async (from: number, count: number, stayOf: (index: number) => number) => {
      for (let index = from; index < from + count; index++)
        expect((await guess(index, stayOf(index))).status).toBe(401);
    };
    await several(0, 99, () => stageId);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([]);
    await several(99, 1, () => stageId);
    await pass(site, 6 * MINUTE);
    expect(textOf(receiver)).toContain(`(séjour nº\u00a0${stageId})`);
    expect(await partOf(site, 'Connexions')).toMatchObject({
      etat: 'surveiller',
      fait: '100 mots de passe faux dans l’heure.',
    });
    await several(100, 400, (index) => 1_000 + index);
    expect((await partOf(site, 'Connexions')).conseil).toContain(
      `(tout le site et séjour nº\u00a0${stageId})`,
    );
    await pass(site, 3 * HOUR);
    expect(subjectsOf(receiver).at(-1)).toBe('C’est fini\u202f: beaucoup de mots de passe faux');
  });

  test('a sign-in that tries out what is not its own', async () => {
    const { site, receiver } = await open();
    const stageId = await addStay(site.services, 'Voile', PASSWORD);
    const token = await site.tokenOf('family', stageId);
    const other = await site.tokenOf('family', stageId);
    const tryOut = async (who: string, count: number) => {
      for (let index = 0; index < count; index++) {
        const what = index % 2 === 0 ? 'GET /api/api/admins' : `GET /api/photos/${index}.webp`;
        expect([403, 404]).toContain((await site.ask(what, { token: who })).status);
      }
    };
    await tryOut(token, 99);
    await tryOut(other, 99);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([]);
    await tryOut(token, 1);
    // Counted after the answer.
    const spikes = () => listSpikes(site.services.database.db, site.now(), 100);
    await expect.poll(spikes).toHaveLength(1);
    await pass(site, 6 * MINUTE);
    expect(textOf(receiver)).toContain(
      `Plus de 100 refus en dix minutes pour une même connexion (séjour nº\u00a0${stageId})`,
    );
  });

  test('what a thief of an open session would do: an account, rights, all passwords, deletions by the dozen, archives', async () => {
    const { site, receiver } = await open();
    const token = await site.tokenOf('admin');
    const act = async (what: string, body?: unknown) => {
      const { status, text, json } = await site.call(what, { token, body });
      expect([200, 201], text).toContain(status);
      return json;
    };
    const stageId = await addStay(site.services, 'Voile', PASSWORD);
    const addresses = Array.from({ length: 30 }, (_, index) => `p${index}@exemple.org`);
    await addFamilies(site.services, stageId, addresses);
    const children = (await act(`GET /get-stagiaires/${stageId}`)).map(({ id }: { id: number }) => id);
    await act('POST /stagiaires/effacer', { ids: children });
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([]);

    const more = await addStay(site.services, 'Canoë', PASSWORD);
    await addFamilies(site.services, more, ['encore@exemple.org']);
    const [last] = await act(`GET /get-stagiaires/${more}`);
    await act(`DELETE /stagiaire/delete/${last.id}`);
    const { id } = await act('POST /admins', { username: 'complice', password: 'girafe-boussole-71' });
    await act(`PUT /admins/${id}`, { droits: ['reglages'] });
    expect((await site.call('GET /download-passwords', { token })).status).toBe(200);
    const other = await addStay(site.services, 'Montagne', PASSWORD);
    await addPhotos(site.services, other, 1);
    for (let fetched = 0; fetched < 5; fetched++) {
      const archive = await site.call(`GET /stages/${other}/photos.zip`, { token });
      expect(archive.status).toBe(200);
    }
    const archives = async () =>
      (await listSpikes(site.services.database.db, site.now(), 5)).filter(({ genre }) => genre === ARCHIVES);
    await expect.poll(archives).toHaveLength(1);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual(['Alerte du site\u202f: actes sensibles']);
    expect(textOf(receiver)).toContain(
      'Depuis 24 heures\u202f: un compte du portail créé\u202f; les droits d’un compte changés\u202f; ' +
        'les mots de passe de tous les séjours téléchargés\u202f; 31 personnes effacées par une même personne\u202f; ' +
        '5 archives entières de photos ou plus prises en une heure par une même connexion.',
    );
    expect((await partOf(site, 'Connexions')).conseil).toContain('Depuis 24 heures');
    for (let hours = 0; hours < 26; hours++) await pass(site, HOUR);
    expect((await partOf(site, 'Connexions')).conseil).not.toContain('Depuis 24 heures');
  });

  test('an account that is made an hour after another one was told, behind however many lines of the journal', async () => {
    const { site, receiver } = await open();
    const add = async (username: string) => {
      const body = { username, password: 'girafe-boussole-71' };
      const answer = await site.call('POST /admins', { token: await site.tokenOf('admin'), body });
      expect(answer.status).toBe(201);
    };
    await add('Zoé');
    await pass(site, 6 * MINUTE);
    await pass(site, HOUR);
    expect(subjectsOf(receiver)).toEqual(['Alerte du site\u202f: actes sensibles']);
    await add('complice');
    await site.services.database.write(async (db) => {
      for (let line = 0; line < 2_100; line++)
        await journal(db, {}, site.now(), 'ouverture des comptes rendus');
    });
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual(Array(2).fill('Alerte du site\u202f: actes sensibles'));
    expect(textOf(receiver)).toContain('2 comptes du portail créés');
    for (let hours = 0; hours < 5; hours++) await pass(site, HOUR);
    expect(subjectsOf(receiver)).toHaveLength(2);
  });

  test('an account that was written into the database by another way than the site’s, whatever date it bears', async () => {
    const { site, receiver } = await open();
    const token = await site.tokenOf('admin');
    const made = { username: 'Zoé', password: 'girafe-boussole-71' };
    expect((await site.call('POST /admins', { token, body: made })).status).toBe(201);
    await pass(site, 6 * MINUTE);
    const subjects = () =>
      subjectsOf(receiver).filter((subject) => subject?.includes('journal ne connaît pas'));
    expect(subjects()).toEqual([]);
    await site.services.database.write((db) =>
      insertAdmin(db, 'intrus', 'no-hash', new Date('2020-01-01T00:00:00Z')),
    );
    await pass(site, 6 * MINUTE);
    expect(subjects()).toEqual(['Alerte du site\u202f: un compte que le journal ne connaît pas']);
    // Of the accounts, the doctor names that one.
    const check = product.checks(site.services).find(({ key }) => key === 'comptes');
    expect(await check?.operator?.(false)).toMatchObject({
      state: 'à traiter',
      texte: expect.stringContaining('1 d’entre eux (intrus)'),
    });
  });

  test('twenty wrong passwords of one account of the portal in an hour', async () => {
    const { site, receiver } = await open({ TRUST_PROXY: '1' });
    const guess = (from: number) =>
      site.call('POST /loginAdmin', {
        body: { username: 'Alice', password: 'essai' },
        headers: { 'x-forwarded-for': `10.2.0.${from}` },
      });
    for (let from = 0; from < 19; from++) expect((await guess(from)).status).toBe(401);
    await pass(site, 6 * MINUTE);
    expect(subjectsOf(receiver)).toEqual([]);
    expect((await guess(19)).status).toBe(401);
    await pass(site, 6 * MINUTE);
    expect(textOf(receiver)).toContain('Beaucoup de mots de passe faux en une heure (portail)');
  });
});

test('Checks have a key each, and their order: the most serious first for staff, by part for the doctor', async () => {
  const { site } = await open();
  const checks = product.checks(site.services);
  const keysOf = (some: typeof checks) => some.map(({ key }) => key);
  expect(new Set(keysOf(checks)).size).toBe(checks.length);
  expect(keysOf(staffChecks(checks))).toEqual([
    ...['disque-plein', 'disque', 'bucket', 'base-lente', 'taches', 'travaux', 'sauvegarde'],
    ...['sauvegarde-attendue', 'sauvegarde-jamais'],
    ...[
      'decodeurs',
      'fichiers',
      'photos-jetees',
      'effacements',
      'relais',
      'sans-serveur',
      'echecs',
      'echecs-nombreux',
      'attente',
    ],
    ...['mots-de-passe', 'refus', 'comptes', 'actes'],
  ]);
  const told = byPart(checks, PARTS).filter(({ operator }) => operator);
  expect(keysOf(told.filter(({ isSchemaFree }) => isSchemaFree))).toEqual([
    'node',
    'dossier',
    'disque',
    'bucket',
    'adresses',
    'relais',
    'decodeurs',
  ]);
  expect(keysOf(told.filter(({ isSchemaFree }) => !isSchemaFree))).toEqual([
    ...['base-abimee', 'dernieres-ecritures', 'journal', 'horloge', 'cle-secrete', 'effacements', 'registre'],
    ...['fichiers', 'proprietaires', 'photos', 'taches', 'travaux', 'sauvegarde', 'comptes'],
  ]);
});
