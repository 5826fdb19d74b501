import { execFile } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { noteErasures } from '#features/audit/server/erasures.ts';
import { retentionWorks } from '#features/privacy/server/retention.ts';
import { NotAsExpected } from '#platform/server/db/database.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { BACKUP, noteRun } from '#platform/server/jobs/jobsStore.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { erasureFileIn } from '#platform/server/storage/erasureFile.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { form, picture } from '#tests/support/forms.ts';
import { importMeanwhile } from '#tests/support/imports.ts';
import { type Answer, type TestSite, wrapSite } from '#tests/support/people.ts';
import { elementsOf } from '#tests/support/printed.ts';
import { openSite } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

const ADDRESS = 'Camille.Roche@Exemple.org';
const KEY = ADDRESS.toLowerCase();
const OTHER = 'autre@exemple.org';
const NOTHING = 'Le site ne sait rien de cette adresse.';

let site: TestSite;
let stageId: number;
beforeAll(async () => {
  site = await openSite({ env: { ORGANISATION_EMAIL: 'cse@exemple.org' } });
  const stay = { nom_stage: 'Mer', date_debut: '2026-07-06', date_fin: '2026-07-20' };
  stageId = (await ask('POST /stages', stay)).json.id;
});
afterAll(() => site?.close());

const ask = async (what: string, body?: unknown): Promise<Answer> =>
  site.call(what, { token: await site.tokenOf('admin'), body });
async function done(what: string, body?: unknown): Promise<Answer> {
  const answer = await ask(what, body);
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(300);
  return answer;
}
const find = async (email = ADDRESS) => (await ask('POST /rgpd', { email })).json.trouve;
const erase = (email = ADDRESS) => ask('POST /rgpd/effacer', { email, confirmation: email });
const enrol = (prenom: string, mailRL: string, email_2 = '') =>
  done('POST /add-stagiaire', { nom: 'Roche', prenom, mailRL, email_2, stageId });
const genres = (found: { genre: string; nombre: number }[]) =>
  found.map(({ genre, nombre }) => `${genre} ${nombre}`);
const erasuresFile = () => join(site.directory, 'effacements.jsonl');

/** Everything that the database holds, as text. */
async function dump(): Promise<string> {
  const { db } = site.services.database;
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)));
  return JSON.stringify(rows.map(({ rows }) => rows));
}

/** Does the address stand in the bytes of the database, freed room included. */
function isInFiles(): boolean {
  const files = ['passerelle.db', 'passerelle.db-wal'].map((name) => join(site.directory, name));
  const text = files.map((path) => readFileSync(path, 'latin1').toLowerCase()).join('');
  return text.replaceAll(`x${KEY}`, '').includes(KEY);
}

/** Stops the site and starts it again; `meanwhile` is done in between. */
async function restart(meanwhile: () => void = () => {}): Promise<void> {
  const before = site;
  await before.stop();
  meanwhile();
  const { directory, logLines, advance, now, services } = before;
  const server = await startServer(services.config, { clock: now, log: services.log });
  site = wrapSite(server, { directory, logLines, advance, now, cleanUp: () => before.close() });
}

/** What another program reads in a PDF. */
function blocksOf(file: Buffer): string[] {
  const path = join(site.directory, 'document.pdf');
  writeFileSync(path, file);
  return elementsOf(path);
}

/** Every value in it, however deep. */
function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

/** Has the address known wherever it can be. */
async function becomeKnown(): Promise<{ manager: number; report: number; photo: string }> {
  await enrol('Ana', ADDRESS);
  await enrol('Bea', KEY, OTHER);
  await enrol('Cleo', OTHER, ADDRESS);
  await enrol('Dora', ADDRESS);
  const line = `nom;prenom;email;email_2;stageId\nRoche;Dora;${OTHER};${ADDRESS};${stageId}\n`;
  await done('POST /upload', form({ file: [Buffer.from(line), 'liste.csv'] }));
  const person = { nom: 'Roche', prenom: 'Camille', mail: ADDRESS, telephone: '1' };
  await done('POST /formateurs/add', { ...person, cat: 'centre', stageId });
  const staff = { nom: 'Roche', prenom: 'Camille', poste: 'Comptable', email: ADDRESS };
  const { id: manager, photo } = (
    await done('POST /create-employes', form({ ...staff, photo: await picture('sittelle.jpg') }))
  ).json;
  const below = { nom: 'Petit', prenom: 'Jo', poste: 'Aide', email: OTHER, manager_id: String(manager) };
  const { id: report } = (await done('POST /create-employes', form(below))).json;
  await done('POST /contact', { nom: 'Camille', email: ADDRESS, message: 'Bonjour' });
  await site.jobs.idle();
  const { database, secrets, clock } = site.services;
  await database.write(async (db) => {
    const mailing = { actor: {}, texts: { objet: 'Bonjour', texte: 'Un mot pour vous.' } };
    const both = [
      { address: ADDRESS, stageId },
      { address: OTHER, stageId },
    ];
    await insertMailing(
      db,
      secrets,
      { ...mailing, genre: 'codes', type: 'stagiaire', messages: both },
      clock(),
    );
    await insertMailing(db, secrets, { ...mailing, genre: 'libre', messages: [{ address: KEY }] }, clock());
    const charge = JSON.stringify({ email: ADDRESS });
    const later = new Date(clock().getTime() + 3_600_000).toISOString();
    const job = { nom: 'écrire', essais: 0, a_faire_le: later, created_at: later };
    await db
      .insertInto('jobs')
      .values([
        { ...job, charge },
        { ...job, charge: JSON.stringify({ email: `x${KEY}` }) },
      ])
      .execute();
  });
  return { manager, report, photo };
}

interface Part {
  titre: string;
  lignes: string[];
}

const ALL = [
  'familles 1',
  'secondes_adresses 3',
  'directeurs 1',
  'employes 1',
  'contact 1',
  'envois 2',
  'imports 1',
  'taches 1',
];

describe('An address', () => {
  test('is found wherever it stands, however it is typed, handed out whole, and erased everywhere', async () => {
    expect(await find()).toEqual([]);
    const { manager, report, photo } = await becomeKnown();
    expect(genres(await find())).toEqual(ALL);
    expect(genres(await find(` ${ADDRESS.toUpperCase()} `))).toEqual(ALL);
    for (const { texte } of await find()) expect(texte).toMatch(/^(Une? |\d+ ).+\.$/);

    const out = await ask(`GET /rgpd/export?email=${ADDRESS}`);
    expect(out.headers.get('content-disposition')).toContain('donnees-personnelles-2026-06-20.json');
    expect(out.json.adresse).toBe(KEY);
    const { donnees } = out.json;
    expect(Object.keys(donnees)).toEqual(ALL.map((one) => one.split(' ')[0]));
    expect(donnees.familles).toMatchObject([
      { prenom: 'Ana', nom_stage: 'Mer', email: ADDRESS, email_2: '' },
    ]);
    expect(donnees.directeurs[0].sejours).toMatchObject([{ nom_stage: 'Mer', cat: 'centre' }]);
    expect(donnees.employes[0].photo_contenu).toMatch(/^data:image\/webp;base64,UklGR/);
    expect(donnees.contact[0].message).toBe('Bonjour');
    expect(donnees.envois[1]).toMatchObject({
      objet: 'Bonjour',
      texte: 'Un mot pour vous.',
      etat: 'attente',
    });
    // The other parent has not asked.
    expect(out.text).not.toContain(OTHER);

    const kept = join(site.directory, 'files', keyOf('images_stages', photo));
    expect(existsSync(kept)).toBe(true);
    const erased = await erase(ADDRESS.toUpperCase());
    expect([erased.status, erased.json.message]).toEqual([
      200,
      'Les données de cette adresse sont effacées définitivement.',
    ]);
    expect(genres(erased.json.efface)).toEqual(ALL);
    expect(await find()).toEqual([]);
    expect((await ask(`GET /rgpd/export?email=${ADDRESS}`)).json).toEqual({ message: NOTHING });
    // A job of another address, which ends the same, is left.
    expect((await dump()).toLowerCase().replaceAll(`x${KEY}`, '')).not.toContain(KEY);
    expect(site.logLines.join('\n').toLowerCase()).not.toContain(KEY);
    expect(readFileSync(erasuresFile(), 'utf8').toLowerCase()).not.toContain(KEY);
    if (inject('database') === 'sqlite') expect(isInFiles()).toBe(false);

    expect(existsSync(kept)).toBe(false);
    expect((await ask(`GET /employes/${manager}`)).status).toBe(404);
    expect((await ask(`GET /employes/${report}`)).json.manager_id).toBeNull();
    const children = (await ask(`GET /get-stagiaires/${stageId}`)).json;
    expect(
      children.map(({ prenom, email, email_2, version }: Record<string, unknown>) => [
        prenom,
        email,
        email_2,
        version,
      ]),
    ).toEqual([
      ['Bea', OTHER, '', 2],
      ['Cleo', OTHER, '', 2],
      ['Dora', OTHER, '', 3],
    ]);
    const { db } = site.services.database;
    const mails = await db.selectFrom('envois_messages').select(['destinataire', 'etat']).execute();
    expect(mails).toEqual([{ destinataire: OTHER, etat: 'attente' }]);
    const left = await db.selectFrom('envois').select('genre').where('contenu', '!=', '').execute();
    expect(left).toEqual([{ genre: 'codes' }]);
    const { entrees } = (await ask('GET /journal?limite=2')).json;
    // It was looked up once more since.
    const acts = ['recherche d’une adresse e-mail', 'effacement des données d’une adresse'];
    expect(entrees).toMatchObject(acts.map((action) => ({ action, acteur: 'Alice', objet: null })));
  });

  test('is handed out in plain words, with no less than the file for computers holds', async () => {
    await erase(OTHER);
    await becomeKnown();
    const query = `email=${encodeURIComponent(ADDRESS)}`;
    const { donnees } = (await ask(`GET /rgpd/export?${query}`)).json;
    const headers = { authorization: `Bearer ${await site.tokenOf('admin')}` };
    const out = await fetch(`${site.origin}/api/api/rgpd/document?${query}`, { headers });
    expect(out.headers.get('content-disposition')).toContain('donnees-personnelles-2026-06-20.pdf');
    expect(out.headers.get('cache-control')).toBe('no-store');
    const lines = blocksOf(Buffer.from(await out.arrayBuffer()));
    expect(lines.slice(0, 3)).toEqual([
      'Données personnelles',
      `Adresse e-mail\u202f: ${KEY}`,
      expect.stringMatching(/^Établi par\u202f: ./),
    ]);
    expect(lines).toContain('Établi le\u202f: 20 juin 2026 à\u00a011\u00a0h');
    expect(lines).toContain('Direction de séjours — Directeur');
    expect(lines).toContain('E-mails que le site a envoyés ou va envoyer — E-mail 1 sur 2');
    expect(lines).toContain('Séjour dirigé\u202f: premier jour du séjour\u202f: 06/07/2026');

    const texts = new Set(lines.map((line) => line.split('\u202f: ').at(-1)));
    const words: Record<string, string> = {
      ...{ inconnu: 'Inconnu', centre: 'Centre', attente: 'En attente' },
      ...{ codes: 'Codes d’accès', libre: 'E-mail' },
    };
    const clock = new Intl.DateTimeFormat('fr', {
      dateStyle: 'short',
      timeStyle: 'short',
      timeZone: 'Europe/Paris',
    });
    const shown = (value: unknown) => {
      const text = String(value);
      if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text))
        return clock
          .format(new Date(text))
          .replace(' ', ' à\u00a0')
          .replace(':', '\u00a0h\u00a0')
          .replace('\u00a0h\u00a000', '\u00a0h');
      if (/^\d{4}-\d\d-\d\d$/.test(text)) return text.split('-').reverse().join('/');
      return words[text] ?? text;
    };
    const values = leavesOf(donnees).filter((value) => value !== null && value !== '');
    const photos = values.filter((value) => String(value).startsWith('data:'));
    expect(photos).toHaveLength(1);
    expect(lines.filter((line) => line === '')).toHaveLength(1);
    for (const value of values) {
      // Flags are told by « Oui » and « Non ».
      if (!photos.includes(value) && value !== 0) expect(texts).toContain(shown(value));
    }
    for (const line of lines) if (line !== '') expect(line).toMatch(/^[A-ZÉÀ]/);
    const acts = (await ask('GET /journal?limite=3')).json.entrees.map(
      ({ action }: { action: string }) => action,
    );
    expect(acts.slice(0, 2)).toEqual(Array(2).fill('lecture des données d’une adresse'));
    await erase();
    expect((await ask(`GET /rgpd/document?${query}`)).json).toEqual({ message: NOTHING });
  });

  test('erased leaves a proof, found by the address that it does not hold, until somebody may no longer ask', async () => {
    await done('PUT /reglages', { organisation_nom: 'CSE d’Essai' });
    await enrol('Gil', ADDRESS);
    const { database, clock } = site.services;
    const proofs = async () => (await ask('POST /rgpd', { email: ADDRESS })).json.preuves;
    const before = (await proofs()).length;
    const made = new Date(clock().getTime() - 3_600_000);
    const kept = new Date(made.getTime() + 30 * 86_400_000);
    await noteRun(database, BACKUP, made, { prochaine_le: kept.toISOString() });
    await erase();
    const [proof, ...older] = await proofs();
    expect(older).toHaveLength(before);
    const text = JSON.stringify(proof);
    expect(text.toLowerCase()).not.toContain(KEY);
    expect(proof.titre).toBe('Preuve d’effacement du 20 juin 2026 à\u00a011\u00a0h');
    const parts = new Map(proof.parties.map(({ titre, lignes }: Part) => [titre, lignes.join('\n')]));
    expect([...parts.keys()]).toEqual([
      'CSE d’Essai',
      'Ce qui a été effacé',
      'Ce qui est gardé, et pourquoi',
      'Sauvegardes',
    ]);
    expect(parts.get('Ce qui a été effacé')).toMatch(/^Un enfant inscrit à un séjour.+$/);
    expect(parts.get('Sauvegardes')).toContain('pour 30\u00a0jours');
    expect(parts.get('Sauvegardes')).toContain('auront disparu le 21 juillet 2026,');

    const headers = { authorization: `Bearer ${await site.tokenOf('admin')}` };
    const out = await fetch(`${site.origin}/api/api/rgpd/preuves/${proof.id}/document`, { headers });
    expect(out.headers.get('content-disposition')).toContain('preuve-effacement-2026-06-20.pdf');
    const told = proof.parties.flatMap(({ titre, lignes }: Part) => [titre, ...lignes]);
    expect(blocksOf(Buffer.from(await out.arrayBuffer()))).toEqual([proof.titre, ...told]);
    expect((await ask(`GET /rgpd/preuves/${proof.id}`)).json).toEqual(proof);
    for (const path of ['999999/document', '999999'])
      expect((await ask(`GET /rgpd/preuves/${path}`)).status).toBe(404);

    await database.write((db) => db.deleteFrom('planifications').execute());
    await noteRun(database, BACKUP, clock());
    await erase();
    expect(JSON.stringify((await proofs())[0])).toContain('Il ne sait pas combien de temps elle sera gardée');
    await database.write((db) => db.deleteFrom('planifications').execute());
    await erase();
    expect(JSON.stringify((await proofs())[0])).toContain('Le site ne connaît aucune sauvegarde');
    expect(JSON.stringify((await proofs())[0])).toContain('Le site ne savait rien de cette adresse.');
    const old = { instant: new Date(clock().getTime() - 5 * 366 * 86_400_000).toISOString() };
    await database.write((db) =>
      db.updateTable('preuves_effacement').set(old).where('id', '=', proof.id).execute(),
    );
    const proofsWork = retentionWorks(site.services).find(({ name }) => name === 'effacement-preuves');
    await proofsWork?.run();
    expect((await proofs()).map(({ id }: { id: number }) => id)).not.toContain(proof.id);
  });

  test('erased while a file that holds it is read is not brought back', async () => {
    const child = { stage_id: stageId, nom: 'Roche', prenom: 'Fay', cle: 'roche|fay', email: ADDRESS };
    const forget = async () => expect((await erase()).status).toBe(200);
    await expect(importMeanwhile(site, child, forget)).rejects.toThrow(NotAsExpected);
    expect(await find()).toEqual([]);
  });

  test('that is the organisation’s own, or an admin’s name, is told and stays', async () => {
    await done('POST /admins', { username: 'cse@exemple.org', password: 'girafe-boussole-71' });
    expect(genres(await find('cse@exemple.org'))).toEqual(['administrateurs 1', 'reglages 1']);
    expect((await erase('cse@exemple.org')).json.efface).toEqual([]);
    expect(genres(await find('cse@exemple.org'))).toEqual(['administrateurs 1', 'reglages 1']);
  });

  test('that was an admin’s name is told to stand in the journal, and stays there', async () => {
    const username = 'Jo@exemple.org';
    const password = 'girafe-boussole-71';
    const { id } = (await done('POST /admins', { username, password })).json;
    const { tokenAdmin: token } = (await site.call('POST /loginAdmin', { body: { username, password } }))
      .json;
    const list = `nom;prenom;email;email_2;stageId\nRoche;Eli;${OTHER};;${stageId}\n`;
    await site.call('POST /upload', { token, body: form({ file: [Buffer.from(list), 'liste.csv'] }) });
    await done(`DELETE /admins/${id}`);
    const [lines, ...others] = await find(username.toLowerCase());
    expect([lines.genre, others]).toEqual(['journal', []]);
    expect(lines.texte).toContain('après 365\u00a0jours.');
    const { journal } = (await ask(`GET /rgpd/export?email=${username}`)).json.donnees;
    expect(journal).toHaveLength(lines.nombre);
    expect(journal).toContainEqual({ instant: site.now().toISOString(), genre: 'familles' });
    expect((await erase(username)).json.efface).toEqual([]);
    expect(await find(username)).toEqual([lines]);
  });

  test('has to be typed again, and be one', async () => {
    await enrol('Eve', ADDRESS);
    for (const confirmation of ['', OTHER, `${ADDRESS}x`, undefined]) {
      const answer = await ask('POST /rgpd/effacer', { email: ADDRESS, confirmation });
      expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['confirmation']]);
    }
    for (const email of ['', 'camille', '%', "' or 1=1 --", `${KEY},${OTHER}`]) {
      expect((await ask('POST /rgpd', { email })).status, email).toBe(422);
      expect((await erase(email)).status, email).toBe(422);
    }
    expect(genres(await find())).toEqual(['familles 1']);
  });

  test('erased twice at once is erased, and an address that nobody knows is no error', async () => {
    const both = await Promise.all([erase(), erase()]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await find()).toEqual([]);
    expect((await erase('inconnue@exemple.org')).json).toEqual({
      message:
        'Le site ne savait rien de cette adresse. Si une sauvegarde la contient et qu’elle est remise, elle y sera effacée.',
      efface: [],
    });
  });

  test('is gone from the bytes of the database an hour later where another program kept it from going', async ({
    skip,
  }) => {
    skip(inject('database') !== 'sqlite', 'a database in one file');
    await enrol('Ellie', ADDRESS);
    const reader = openDatabase({ directory: site.directory });
    site.logLines.length = 0;
    await reader.db.connection().execute(async (connection) => {
      await sql`begin deferred`.execute(connection);
      await connection.selectFrom('stagiaires').selectAll().execute();
      expect((await erase()).status).toBe(200);
      await sql`rollback`.execute(connection);
    });
    await reader.close();
    expect(site.logLines.join('\n')).toContain('passerelle.db-wal');
    expect(isInFiles()).toBe(true);
    site.advance(3_600_000);
    await site.schedule.tick();
    expect(isInFiles()).toBe(false);
  });

  test('stays whole when the disk is full', async () => {
    await enrol('Fleur', ADDRESS);
    const file = erasuresFile();
    rmSync(file);
    symlinkSync('/dev/full', file);
    const refused = await erase();
    expect([refused.status, refused.json.message]).toEqual([
      507,
      'Le disque du site est plein\u202f: rien n’a été enregistré. Prévenez la personne qui l’administre.',
    ]);
    rmSync(file);
    expect(genres(await find())).toEqual(['familles 1']);
    expect(genres((await erase()).json.efface)).toEqual(['familles 1']);
  });
});

describe('An older database', () => {
  const WITNESS = 'temoin@exemple.org';
  /** As after a power cut before the commit, or with a database saved before it. */
  const unknowToDatabase = () => site.services.database.write((db) => db.deleteFrom('effacements').execute());
  const isKnown = async (email = ADDRESS) => (await find(email)).length > 0;
  /** Is staff told that the file cannot be relied on. */
  const isBroken = async () =>
    (await ask('GET /tableau-de-bord')).json.alertes.some(({ texte }: { texte: string }) =>
      texte.startsWith('Le fichier des effacements est perdu'),
    );

  test('is cleared at the start of what was erased since, once, whatever else stands in the file', async () => {
    await erase();
    await unknowToDatabase();
    await enrol('Gaia', ADDRESS);
    await enrol('Hugo', WITNESS);
    appendFileSync(erasuresFile(), '\nillisible\n{"cle":"x"}\n{"cle":"ab","genre":"adr');
    site.logLines.length = 0;
    expect(await isBroken()).toBe(false);
    await restart();
    expect(await isBroken()).toBe(true);
    expect([await isKnown(), await isKnown(WITNESS)]).toEqual([false, true]);
    const logged = site.logLines.map((line) => JSON.parse(line));
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error', unreadable: 3, lost: 0 }));
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', addresses: 1 }));
    const { entrees } = (await ask('GET /journal')).json;
    const again = { acteur: 'le site', action: 'effacement refait sur une base plus ancienne' };
    expect(entrees).toContainEqual(expect.objectContaining(again));
    await enrol('Iris', ADDRESS);
    await restart();
    expect(await isKnown()).toBe(true);
  });

  test('is cleared as well of what was erased after a line that a power cut tore', async () => {
    await erase(WITNESS);
    await unknowToDatabase();
    await enrol('Jade', WITNESS);
    await restart();
    expect(await isKnown(WITNESS)).toBe(false);
  });

  test('is not cleared again of what failed to be erased and was then asked for once more', async () => {
    await erase();
    await unknowToDatabase();
    await erase();
    await enrol('Kim', ADDRESS);
    await restart();
    expect(await isKnown()).toBe(true);
  });

  test('has its file read again for another erasure only when something else has changed it', async () => {
    const { database } = site.services;
    const directory = mkdtempSync(join(tmpdir(), 'passerelle-erasures-'));
    const path = join(directory, 'effacements.jsonl');
    const file = erasureFileIn(directory);
    const line = { genre: 'essai', empreinte: 'a' };
    const note = () => database.write((transaction) => noteErasures(transaction, file, [line], site.now()));
    const keys = async () =>
      (await database.db.selectFrom('effacements').select('cle').where('genre', '=', 'essai').execute()).map(
        ({ cle }) => cle,
      );
    await note();
    const [unseen, added] = ['f'.repeat(32), 'e'.repeat(32)];
    writeFileSync(path, readFileSync(path, 'utf8').replace((await keys())[0] ?? '', unseen));
    await note();
    expect(await keys()).toHaveLength(2);
    expect(await keys()).not.toContain(unseen);
    appendFileSync(path, `\n${JSON.stringify({ ...line, cle: added, instant: '' })}`);
    await note();
    expect(await keys()).toEqual(expect.arrayContaining([unseen, added]));
    rmSync(directory, { recursive: true });
    await database.write((db) => db.deleteFrom('effacements').where('genre', '=', 'essai').execute());
  });

  test('is told of to staff while the file lacks what it knows, and not when an editor has only marked it', async () => {
    await erase(WITNESS);
    const whole = readFileSync(erasuresFile(), 'utf8');
    const readable = whole.split('\n').filter((line) => /^{.*}$/.test(line) && line.includes('empreinte'));
    await restart(() => writeFileSync(erasuresFile(), `\ufeff${readable.join('\r\n')}\r\n`));
    expect(await isBroken()).toBe(false);
    site.logLines.length = 0;
    await restart(() => rmSync(erasuresFile()));
    expect(await isBroken()).toBe(true);
    expect(site.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'error', unreadable: 0, lost: readable.length }),
    );
    // Nothing is written of itself: the file that was lost may be found again.
    expect(existsSync(erasuresFile())).toBe(false);
    await restart(() => writeFileSync(erasuresFile(), whole));
  });

  test('put back from a file is cleared as well', async ({ skip }) => {
    skip(inject('database') !== 'sqlite', 'a database in one file');
    const files = ['passerelle.db', 'passerelle.db-wal'];
    const saved = mkdtempSync(join(tmpdir(), 'passerelle-saved-'));
    const copy = (from: string, to: string) => {
      for (const name of files) {
        rmSync(join(to, name), { force: true });
        if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
      }
    };
    await restart(() => copy(site.directory, saved));
    expect(await isKnown()).toBe(true);
    await erase();
    await enrol('Max', WITNESS);
    await restart(() => copy(saved, site.directory));
    rmSync(saved, { recursive: true });
    // Older indeed: who came since is not there.
    expect([await isKnown(), await isKnown(WITNESS)]).toEqual([false, false]);
  });
});

describe('On the command line, while the site runs', () => {
  /** Runs `passerelle donnees`; the answer is what it says and how it ended. */
  function run(
    words: string[],
    typed = '',
    { DATA_DIR, DATABASE_URL, SECRET_KEY } = site.services.config,
  ): Promise<{ code: number; out: string; err: string }> {
    const env = { PATH: process.env.PATH, DATA_DIR, ...(DATABASE_URL ? { DATABASE_URL, SECRET_KEY } : {}) };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [builtCommand('donnees'), ...words],
        { env },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      );
      child.stdin?.end(typed);
    });
  }

  test('an address is handed out, to a file that is not there yet, and erased once it is typed again', async () => {
    await erase();
    await enrol('Nina', ADDRESS);
    const said = await run(['exporter', KEY]);
    expect(JSON.parse(said.out).donnees.familles).toMatchObject([{ prenom: 'Nina' }]);
    const file = join(site.directory, 'donnees.json');
    expect(await run(['exporter', KEY, file])).toMatchObject({ code: 0, out: `Écrit dans ${file}.\n` });
    expect(JSON.parse(readFileSync(file, 'utf8')).adresse).toBe(KEY);
    expect(await run(['exporter', KEY, file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('existe déjà'),
    });

    const kept = await run(['effacer', ADDRESS], '');
    expect([kept.code, kept.err]).toEqual([1, expect.stringContaining('rien n’est effacé')]);
    expect(genres(await find())).toEqual(['familles 1']);
    const staff = { nom: 'Roche', prenom: 'Nina', poste: 'Comptable', email: ADDRESS };
    await done('POST /create-employes', form(staff));
    const chart = async () => (await site.call('GET /employe/orgchart')).text;
    expect(await chart()).toContain('Nina');
    const erased = await run(['effacer', ADDRESS], `${KEY}\n`);
    // Where the database tells nobody of what others write, an answer is kept for a minute at most.
    if (inject('database') === 'postgres') site.advance(60_000);
    expect(await chart()).not.toContain('Nina');
    expect([erased.code, erased.out]).toEqual([0, expect.stringContaining('Un enfant')]);
    expect(await find()).toEqual([]);
    expect((await run(['effacer', ADDRESS, '--oui'])).code).toBe(0);
    expect(await run(['exporter', KEY])).toMatchObject({ code: 1, err: expect.stringContaining(NOTHING) });
    expect(await run(['effacer', 'camille'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Usage/),
    });
  });

  test('a folder without a site is refused, and left as it is', async () => {
    const nowhere = join(site.directory, 'nulle-part');
    const said = await run(['effacer', ADDRESS, '--oui'], '', { ...site.services.config, DATA_DIR: nowhere });
    expect(said).toEqual({
      code: 1,
      out: '',
      err: `Aucun site dans ${nowhere}\u202f: vérifiez DATA_DIR, ou remettez une sauvegarde.\n`,
    });
    expect(existsSync(nowhere)).toBe(false);
  });

  test('a folder in the place of the file of erasures is told in one line', async () => {
    const before = readFileSync(erasuresFile());
    rmSync(erasuresFile());
    mkdirSync(erasuresFile());
    const said = await run(['exporter', ADDRESS]);
    expect(said).toEqual({
      code: 1,
      out: '',
      err: `${erasuresFile()} est un dossier, et non le fichier des effacements.\n`,
    });
    rmSync(erasuresFile(), { recursive: true });
    writeFileSync(erasuresFile(), before);
  });
});
