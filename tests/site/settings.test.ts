import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { findAdminByName, listDevices, putDevice } from '#features/accounts/server/adminsStore.ts';
import { IDENTITY } from '#features/site/calls.ts';
import { writeSetting } from '#features/site/server/settingsStore.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { type Answer, type TestSite, wrapSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

const PASSWORD = 'comptes_rendus_mot_de_passe';

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite({
    env: {
      ORGANISATION_NAME: 'CSE Horizon',
      ORGANISATION_ADDRESS: '1 rue des Lilas, 38000 Grenoble',
      ORGANISATION_PHONE: '04 76 00 00 00',
      ORGANISATION_EMAIL: 'contact@horizon.example',
      ORGANISATION_SIREN: '732 829 320',
      ORGANISATION_RNA: 'W381234567',
      PUBLICATION_DIRECTOR: 'Claire Fontaine',
      HOSTING_NAME: 'Hébergeur',
      HOSTING_ADDRESS: '2 quai du Port',
      HOSTING_PHONE: '01 00 00 00 00',
      DATA_PROTECTION_CONTACT: 'donnees@horizon.example',
      CONTACT_EMAIL: 'formulaire@horizon.example',
      JOB_OFFERS_URL: 'https://emploi.example/offres',
      PHOTO_RETENTION_DAYS: '45',
    },
  });
  token = await site.tokenOf('admin');
});
afterAll(() => site?.close());
beforeEach(() => site.advance(1_000));

const FIRST = {
  organisation_nom: 'CSE Horizon',
  organisation_adresse: '1 rue des Lilas, 38000 Grenoble',
  organisation_telephone: '04 76 00 00 00',
  organisation_email: 'contact@horizon.example',
  organisation_siren: '732 829 320',
  organisation_rna: 'W381234567',
  directeur_publication: 'Claire Fontaine',
  hebergeur_nom: 'Hébergeur',
  hebergeur_adresse: '2 quai du Port',
  hebergeur_telephone: '01 00 00 00 00',
  contact_donnees: 'donnees@horizon.example',
  contact_email: 'formulaire@horizon.example',
  offres_emploi_url: 'https://emploi.example/offres',
  effectif: '50_et_plus',
  sejours_visiteurs: 'noms_et_dates',
  photos_conservation_jours: 45,
  sejours_lieu: 'liens',
  message_soir_heure: '20:30',
  portail_inactivite_heures: 2,
  second_facteur: 'au_choix',
  logo: '',
  [PASSWORD]: 'tournesol-lanterne-26',
};

const read = async () => (await site.call('GET /reglages?mot_de_passe=oui', { token })).json;
const write = (body: unknown): Promise<Answer> => site.call('PUT /reglages', { token, body });
const actions = async () => {
  const { entrees } = (await site.call('GET /journal?limite=200', { token })).json;
  return entrees.map(({ action }: { action: string }) => action);
};

test('the first values are those of the environment', async () => {
  expect(await read()).toEqual(FIRST);
});

test('visitors are told the identity, the size of the company and the retention of photos, and nothing else of the settings', async () => {
  const {
    contact_email,
    offres_emploi_url,
    sejours_visiteurs,
    portail_inactivite_heures: idle,
    second_facteur: factor,
    message_soir_heure: evening,
    sejours_lieu: place,
    logo,
    [PASSWORD]: password,
    ...told
  } = FIRST;
  expect([idle, factor, evening, place, logo]).toEqual([2, 'au_choix', '20:30', 'liens', '']);
  for (const bearer of [undefined, await site.tokenOf('family'), token]) {
    const answer = await site.call('GET /identite', { token: bearer });
    expect([answer.status, answer.json]).toEqual([200, told]);
    for (const secret of [contact_email, offres_emploi_url, sejours_visiteurs, password])
      expect(answer.text).not.toContain(secret);
  }
});

test('without an environment they are blank, fifty employees or more, sixty days and a generated password', async () => {
  const bare = await openSite({ env: { MEETING_REPORTS_PASSWORD: '' } });
  try {
    const { json } = await bare.call('GET /reglages?mot_de_passe=oui', {
      token: await bare.tokenOf('admin'),
    });
    const blank = Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, '']));
    expect(json).toEqual({
      ...blank,
      effectif: '50_et_plus',
      sejours_visiteurs: 'noms_et_dates',
      sejours_lieu: 'liens',
      photos_conservation_jours: 60,
      message_soir_heure: '20:30',
      portail_inactivite_heures: 2,
      second_facteur: 'au_choix',
      logo: '',
      [PASSWORD]: expect.stringMatching(/^([A-HJ-NP-Z2-9]{4}-){2}[A-HJ-NP-Z2-9]{4}$/),
    });
    const opened = await bare.call('POST /documents/acces', { body: { password: json[PASSWORD] } });
    expect(opened.status).toBe(200);
  } finally {
    await bare.close();
  }
});

test('whatever the environment may hold is shown in the portal', async () => {
  const held = {
    ORGANISATION_NAME: 'N'.repeat(300),
    ORGANISATION_ADDRESS: '1 rue\r\n38000 Grenoble',
    ORGANISATION_PHONE: '04 76 00 00 00, du lundi au vendredi de 9 h à 17 h 30',
    PUBLICATION_DIRECTOR: 'Claire Fontaine\nPrésidente',
    JOB_OFFERS_URL: 'https:emploi.example',
  };
  for (const [name, value] of Object.entries(held)) {
    try {
      readConfig({ [name]: value });
    } catch (error) {
      // Refused at the start, in a line that names it: as good.
      expect(error).toBeInstanceOf(ConfigError);
      continue;
    }
    const other = await openSite({ env: { [name]: value } });
    try {
      const { status } = await other.call('GET /reglages?mot_de_passe=oui', {
        token: await other.tokenOf('admin'),
      });
      expect(status, name).toBe(200);
    } finally {
      await other.close();
    }
  }
});

test('what is not named stays', async () => {
  const before = await read();
  const said = (settings: Record<string, unknown>) => {
    const { [PASSWORD]: _password, ...plain } = settings;
    return { message: 'Réglages enregistrés', ...plain };
  };
  const answer = await write({
    organisation_nom: '  CSE des Cimes ',
    organisation_adresse: 'Ligne 1\r\nLigne 2',
  });
  const after = { ...before, organisation_nom: 'CSE des Cimes', organisation_adresse: 'Ligne 1\nLigne 2' };
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual(said(after));
  expect((await site.call('GET /identite')).json.organisation_nom).toBe('CSE des Cimes');
  expect(await read()).toEqual(after);
  expect((await write({})).json).toEqual(said(after));
});

test('a blank value saved wins over the environment', async () => {
  await write({ offres_emploi_url: '', contact_email: ' ', organisation_telephone: '' });
  expect(await read()).toMatchObject({
    offres_emploi_url: '',
    contact_email: '',
    organisation_telephone: '',
  });
});

test('every field is read back as it was written', async () => {
  const wanted = {
    ...Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, `« ${name} » <b>'";--😀`.slice(0, 50)])),
    organisation_email: 'a+b@exemple.fr',
    organisation_siren: '552100554',
    organisation_rna: 'w751000001',
    contact_email: 'c.d@exemple.fr',
    offres_emploi_url: 'https://exemple.fr/?a=1&b=2#fin',
    effectif: '11_a_49',
    sejours_visiteurs: 'numeros',
    photos_conservation_jours: 90,
    sejours_lieu: 'personne',
    message_soir_heure: '07:05',
    portail_inactivite_heures: 4,
    second_facteur: 'obligatoire',
    [PASSWORD]: 'Pivoine & œillet « 2027 »',
  };
  const { [PASSWORD]: _password, ...plain } = wanted;
  expect((await write(wanted)).json).toEqual({ message: 'Réglages enregistrés', ...plain, logo: '' });
  expect(await read()).toEqual({ ...wanted, logo: '' });
});

test('a faulty field is named, and then nothing is saved', async () => {
  const before = await read();
  const faulty: [string, unknown][] = [
    ...Object.keys(IDENTITY).flatMap((name): [string, unknown][] => [
      [name, null],
      [name, 3],
      [name, ['x']],
      [name, { x: 1 }],
      [name, 'a\u0000b'],
      [name, 'x'.repeat(2_001)],
    ]),
    ['organisation_nom', 'deux\nlignes'],
    ['organisation_nom', 'x'.repeat(201)],
    ['organisation_adresse', 'x'.repeat(501)],
    ['organisation_email', 'pas une adresse'],
    ['contact_email', 'a@b'],
    ['contact_email', 'a@exemple.fr, b@exemple.fr'],
    ['contact_email', 'Nom <a@exemple.fr>'],
    ['offres_emploi_url', 'javascript:alert(1)'],
    ['offres_emploi_url', 'data:text/html,x'],
    ['offres_emploi_url', '//exemple.fr'],
    ['offres_emploi_url', 'exemple.fr'],
    ...[
      '',
      '49',
      '50',
      '11_A_49',
      ' 50_et_plus',
      '__proto__',
      'toString',
      null,
      50,
      true,
      [],
      ['50_et_plus'],
      {},
    ].map((value): [string, unknown] => ['effectif', value]),
    ...['', 'noms', 'Numeros', '__proto__', null, true, [], ['numeros'], {}].map(
      (value): [string, unknown] => ['sejours_visiteurs', value],
    ),
    ...[0, 366, -1, 1.5, '1.5', 'x', '', null, [5], [], {}, true, false, '0x10', '1e2'].map(
      (value): [string, unknown] => ['photos_conservation_jours', value],
    ),
    ...[
      '',
      'courts7',
      '         ',
      'x'.repeat(201),
      'avec\u0000nul',
      'deux\nlignes',
      null,
      12_345_678,
      ['tournesol-2027'],
    ].map((value): [string, unknown] => [PASSWORD, value]),
  ];
  const wrong: string[] = [];
  for (const [name, value] of faulty) {
    const answer = await write({ directeur_publication: 'Personne', [name]: value });
    const named = answer.status === 422 ? Object.keys(answer.json.champs).join() : String(answer.status);
    if (named !== name && name !== 'directeur_publication')
      wrong.push(`${name} = ${JSON.stringify(value)}: ${named}`);
    // One that was taken must not make the next look changed.
    if (answer.status === 200) await write(before);
  }
  expect(wrong).toEqual([]);
  expect(await read()).toEqual(before);
  const many = await write({ organisation_email: 'x', contact_email: 'y', photos_conservation_jours: 0 });
  expect(Object.keys(many.json.champs)).toEqual([
    'organisation_email',
    'contact_email',
    'photos_conservation_jours',
  ]);
  expect(many.json.message).toContain('3 champs');
});

test('the numbers of the registers are checked, and one stored before they were keeps nothing from being saved', async () => {
  const said = async (name: string, value: string) => (await write({ [name]: value })).json.champs?.[name];
  for (const value of ['', '732829320', ' 732 829 320 ', '552\u00a0100\u202f554']) {
    expect(await said('organisation_siren', value), value).toBe(undefined);
  }
  expect(await said('organisation_siren', '732 829 320 00074')).toBe(
    'c’est un SIRET\u202f: le SIREN est fait de ses neuf premiers chiffres, 732 829 320.',
  );
  expect(await said('organisation_siren', '123 456 789')).toMatch(/^ce SIREN n’existe pas/);
  for (const value of ['73282932', '7328293201', 'RCS Lyon 732 829 320', '73282932000075']) {
    expect(await said('organisation_siren', value), value).toMatch(/^un SIREN a neuf chiffres/);
  }
  for (const value of ['', 'W381234567', 'w38 1234567']) {
    expect(await said('organisation_rna', value), value).toBe(undefined);
  }
  for (const value of ['381234567', 'W38123456', 'W3812345678', 'X381234567']) {
    expect(await said('organisation_rna', value), value).toMatch(/^un numéro RNA est fait/);
  }
  const { database, clock } = site.services;
  await database.write((db) => writeSetting(db, 'organisation_siren', '123 456 789', clock()));
  expect((await write({ organisation_telephone: '01 02 03 04 05' })).status).toBe(200);
  expect((await read()).organisation_siren).toBe('123 456 789');
  await write({ organisation_siren: '732 829 320' });
});

test('the retention of photos is a whole number of days, from 1 to 365', async () => {
  for (const value of [1, 365, '30', 60]) {
    expect((await write({ photos_conservation_jours: value })).json.photos_conservation_jours).toBe(
      Number(value),
    );
  }
});

test('what the settings do not know is neither kept nor told', async () => {
  const before = await read();
  const body =
    '{"autre":"x","cle":"y","__proto__":{"organisation_nom":"Intrus"},"constructor":"z","secret_key":"w"}';
  const answer = await site.call('PUT /reglages', {
    token,
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  expect(await read()).toEqual(before);
  const rows = await site.services.database.db.selectFrom('reglages').select('cle').execute();
  expect(rows.every(({ cle }) => cle in before)).toBe(true);
});

test('two people who save different fields at once both have their way', async () => {
  const both = await Promise.all([
    write({ hebergeur_nom: 'Hébergeur A', organisation_rna: 'W751000001' }),
    write({ organisation_rna: 'W751000002', hebergeur_telephone: '02' }),
    write({ directeur_publication: 'C' }),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  const settings = await read();
  expect(settings).toMatchObject({
    hebergeur_nom: 'Hébergeur A',
    hebergeur_telephone: '02',
    directeur_publication: 'C',
  });
  expect(['W751000001', 'W751000002']).toContain(settings.organisation_rna);
});

describe('The password of the meeting reports', () => {
  test('is kept encrypted, each time differently', async () => {
    const { db } = site.services.database;
    const kept = async () => {
      const row = await db
        .selectFrom('reglages')
        .select('valeur')
        .where('cle', '=', PASSWORD)
        .executeTakeFirstOrThrow();
      return row.valeur;
    };
    const seen: string[] = [];
    for (const password of ['hortensia-boussole-1', 'hortensia-boussole-2', 'hortensia-boussole-1']) {
      await write({ [PASSWORD]: password });
      seen.push(await kept());
    }
    expect(new Set(seen).size).toBe(3);
    const tables = ['reglages', 'journal', 'sessions', 'admins', 'jobs'] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    const held = [JSON.stringify(rows), site.logLines.join('')];
    if (inject('database') === 'sqlite') {
      const names = (await readdir(site.directory)).filter((name) => name.startsWith('passerelle.db'));
      for (const name of names) held.push(await readFile(join(site.directory, name), 'latin1'));
    }
    for (const text of held) {
      expect(text.includes('hortensia-bleu')).toBe(false);
      expect(text.includes('tournesol-lanterne-26')).toBe(false);
    }
  });

  test('moved under another setting’s name it does not open', async () => {
    const { secrets, database } = site.services;
    const sealed = secrets.seal('hortensia-boussole-3', 'reglages:autre');
    const original = await database.db
      .selectFrom('reglages')
      .select('valeur')
      .where('cle', '=', PASSWORD)
      .executeTakeFirstOrThrow();
    const put = (valeur: string) =>
      database.write((db) =>
        db.updateTable('reglages').set({ valeur }).where('cle', '=', PASSWORD).execute(),
      );
    await put(sealed);
    const answer = await site.call('GET /reglages?mot_de_passe=oui', { token });
    await put(original.valeur);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hortensia');
    expect((await site.call('GET /reglages?mot_de_passe=oui', { token })).status).toBe(200);
  });

  test('is told to admins only', async () => {
    for (const role of ['director', 'family', 'reader'] as const) {
      const answer = await site.call('GET /reglages?mot_de_passe=oui', { token: await site.tokenOf(role) });
      expect([answer.status, Object.keys(answer.json)]).toEqual([403, ['message']]);
    }
  });

  test('its reading and its change are in the journal, without it', async () => {
    const start = (await actions()).length;
    await site.call('GET /reglages?mot_de_passe=oui', { token });
    await write({ organisation_nom: 'CSE' });
    await write({ [PASSWORD]: 'jonquille-jaune' });
    const gained = (await actions()).slice(0, -start);
    expect(
      gained.filter((one: string) => one === 'lecture du mot de passe des comptes rendus').length,
    ).toBeGreaterThan(0);
    expect(gained.filter((one: string) => one === 'modification des réglages')).toHaveLength(2);
    expect(
      gained.filter((one: string) => one === 'changement du mot de passe des comptes rendus'),
    ).toHaveLength(1);
    const journal = await site.call('GET /journal?limite=200', { token });
    expect(journal.text).not.toContain('jonquille');
  });

  test('is neither told nor in the journal where the settings are asked for without it', async () => {
    const start = await actions();
    const { status, json } = await site.call('GET /reglages', { token });
    const { [PASSWORD]: _password, ...others } = await read();
    expect([status, json]).toEqual([200, others]);
    const reading = 'lecture du mot de passe des comptes rendus';
    expect(await actions()).toEqual([reading, ...start]);
  });

  test('a save does not tell it: only a reading does, and that is in the journal', async () => {
    const { [PASSWORD]: password } = await read();
    for (const body of [
      {},
      { organisation_nom: 'CSE' },
      { [PASSWORD]: password },
      { [PASSWORD]: 'lavande-boussole-fine' },
    ]) {
      const answer = await write(body);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(password);
      expect(answer.text).not.toContain('lavande-boussole-fine');
    }
    const before = (await actions()).length;
    await read();
    expect((await actions()).slice(0, -before)).toEqual(['lecture du mot de passe des comptes rendus']);
  });

  test('saved again as it was, it is no change', async () => {
    const { [PASSWORD]: password } = await read();
    const before = (await actions()).length;
    await write({ [PASSWORD]: password });
    const gained = (await actions()).slice(0, -before);
    expect(gained).not.toContain('changement du mot de passe des comptes rendus');
  });
});

test('a saved value outlives a restart and wins over a changed environment', async () => {
  await write({ organisation_nom: 'CSE gardé', [PASSWORD]: 'primevère-gardée' });
  await site.services.database.write((db) =>
    db.deleteFrom('reglages').where('cle', '=', 'organisation_siren').execute(),
  );
  await site.stop();
  const config = {
    ...site.services.config,
    ORGANISATION_NAME: 'CSE du nouvel environnement',
    ORGANISATION_SIREN: '987 654 321',
    MEETING_REPORTS_PASSWORD: 'un-autre-mot',
  };
  const { directory, logLines, advance, now } = site;
  const server = await startServer(config, { clock: now, log: site.services.log });
  const again = wrapSite(server, { directory, logLines, advance, now, cleanUp: async () => {} });
  try {
    const { json } = await again.call('GET /reglages?mot_de_passe=oui', { token });
    expect(json).toMatchObject({
      organisation_nom: 'CSE gardé',
      organisation_siren: '987 654 321',
      [PASSWORD]: 'primevère-gardée',
    });
  } finally {
    await again.close();
  }
});

test('with another secret key the site does not start, until what it sealed is forgotten', async () => {
  const first = await openSite();
  const stay = { nom_stage: 'Été', date_debut: '2026-07-06', date_fin: '2026-07-20' };
  const token = await first.tokenOf('admin');
  const { id } = (await first.call('POST /stages', { token, body: stay })).json;
  const mail = new URLSearchParams({ to: 'zoe@exemple.org', subject: 'Un', message: 'Deux' });
  await first.call('POST /send-email', { token, body: mail });
  await first.stop();
  const { directory, logLines, advance, now, services } = first;
  const config = { ...services.config, SECRET_KEY: 'another-key-that-only-tests-use-987654' };
  const start = () => startServer(config, { clock: now, log: services.log });
  try {
    await expect(start()).rejects.toThrow(ConfigError);
    await expect(start()).rejects.toThrow(
      /^SECRET_KEY\u202f: la clé secrète manque ou n’est pas celle de ces données.*forget-key\.$/,
    );
    await admin(['forget-key'], config);
    const again = wrapSite(await start(), { directory, logLines, advance, now, cleanUp: async () => {} });
    const bearer = await again.tokenOf('admin');
    const { json } = await again.call('GET /reglages?mot_de_passe=oui', { token: bearer });
    expect(json[PASSWORD]).toBe('tournesol-lanterne-26');
    const [passwords] = (await again.call(`GET /stage-passwords/${id}`, { token: bearer })).json;
    for (const one of [passwords.mdp_formateur, passwords.mdp_stagiaire])
      expect(one).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect((await again.call('GET /envois', { token: bearer })).json).toMatchObject([{ objet: null }]);
    await again.stop();
  } finally {
    await first.close();
  }
});

test('the command line takes its own words only, and names as the portal does', async () => {
  const own = await openSite();
  const { config, database } = own.services;
  for (const words of [
    [],
    ['constructor'],
    ['toString', 'bob'],
    ['create'],
    ['create', 'b'],
    ['reset', 'a b'],
  ])
    await expect(admin(words, config), words.join(' ')).rejects.toThrow(/Usage/);
  await expect(admin(['reset', 'Personne'], config)).rejects.toThrow(/Aucun administrateur/);
  await admin(['create', 'Ame\u0301lie'], config);
  const row = await findAdminByName(database.db, 'Amélie');
  expect(row?.username).toBe('Am\u00e9lie');
  // Whoever had the password before may have made a device of theirs known.
  const id = row?.id ?? 0;
  const use = { vu_le: own.now().toISOString(), appareil: '', reseau: '' };
  await database.write((transaction) => putDevice(transaction, id, 'a'.repeat(64), use));
  await admin(['reset', 'Amélie'], config);
  expect(await listDevices(database.db, id)).toEqual([]);
  await own.close();
});

/** Runs `passerelle admin` on the folder and database of a site; rejects with what it says on a failure. */
async function admin(words: string[], config: Config): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [builtCommand('admin'), ...words], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: config.DATA_DIR,
      ...(config.DATABASE_URL ? { DATABASE_URL: config.DATABASE_URL, SECRET_KEY: config.SECRET_KEY } : {}),
    },
  });
  return stdout;
}
