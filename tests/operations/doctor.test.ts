import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { closeServices, openServices } from '#app/server/start.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import { readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { registerFiles } from '#platform/server/files/registerStore.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { freePort } from '#tests/support/ports.ts';
import { dumpDatabase } from '#tests/support/postgres.ts';
import { killAll, launch, newPlace, type Place, start, stop } from '#tests/support/process.ts';
import { openReceiver } from '#tests/support/smtp.ts';
import { builtCommand } from '#tools/build.mjs';

/* `passerelle doctor`: what is wrong with a site and what to do, said without touching it. */

const isSqlite = inject('database') === 'sqlite';
const DAY = 86_400_000;
type Services = Awaited<ReturnType<typeof openServices>>;

/** A site that has started and stopped once; each test has a copy. */
let first: Place;
let place: Place;
beforeAll(async () => {
  first = await newPlace();
  expect(await stop(await start(first))).toBe(0);
});
beforeEach(async () => {
  place = await newPlace({ copyOf: first });
});
afterEach(async () => {
  killAll();
  await place.clean();
});
afterAll(() => first?.clean());

async function opened<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const services = await openServices(readConfig({ ...place.env, LOG_LEVEL: 'silent' }));
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}

/** Bytes of every file, and what the database holds. Whoever only reads SQLite leaves two files without content beside it. */
function state(): Record<string, string> {
  const files = readdirSync(place.directory, { recursive: true, withFileTypes: true });
  const found = files
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  const { DATABASE_URL } = place.env;
  return {
    ...Object.fromEntries(
      found.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
    ),
    // Each dump of a newer pg_dump has a random word of its own.
    ...(DATABASE_URL ? { database: dumpDatabase(DATABASE_URL).replace(/^\\(un)?restrict .*$/gm, '') } : {}),
  };
}

interface Said {
  code: number | null;
  /** By how it stands. */
  ok: string[];
  warn: string[];
  fail: string[];
  text: string;
}

async function doctor(env: Record<string, string> = {}, ...words: string[]): Promise<Said> {
  const { out, err, ended } = launch({ ...place.env, LOG_LEVEL: 'silent', ...env }, [
    process.execPath,
    builtCommand('doctor'),
    ...words,
  ]);
  const { code } = await ended;
  const of = (state: string) =>
    out()
      .split('\n')
      .flatMap((line) => (line.startsWith(`${state} `) ? line.slice(state.length).trim() : []));
  return { code, ok: of('ok'), warn: of('à surveiller'), fail: of('à traiter'), text: out() + err() };
}

const STAY = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };
const addStay = ({ database, secrets, clock }: Services) =>
  database.write((transaction) => insertStay(transaction, secrets, STAY, clock()));

/** What a site without a mail server and without a backup is told. */
const AT_FIRST = [
  'E-mails\u202f: SMTP_URL n’est pas réglée. Ils attendent, et se lisent dans le portail.',
  'Sauvegarde\u202f: aucune sauvegarde n’a été faite. Mettez-en une en place, chaque jour.',
];

describe('A sound site', () => {
  test('is said to be so, stopped and running, in every byte read, and nothing of it is changed', async () => {
    await opened(async (services) => {
      const id = await addStay(services);
      await addPhotos(services, id, 3);
      await services.database.write(async (transaction) => {
        const texts = { objet: 'Bonjour', texte: 'Bonnes vacances.' };
        const messages = [{ address: 'famille@exemple.fr', stageId: id }];
        const mailing = { genre: 'libre' as const, texts, actor: SITE, messages };
        await insertMailing(transaction, services.secrets, mailing, services.clock());
      });
    });
    const before = state();
    const stopped = await doctor({}, '--empreintes');
    expect([stopped.code, stopped.fail, stopped.warn], stopped.text).toEqual([0, [], AT_FIRST]);
    expect(state()).toEqual(before);
    expect(stopped.text).toContain(
      `${stopped.ok.length + 2} vérifications\u202f: 0 à traiter, 2 à surveiller.`,
    );
    for (const personal of ['Oléron', 'famille@exemple.fr', 'vacances'])
      expect(stopped.text).not.toContain(personal);

    const server = await start(place);
    const running = await doctor();
    expect([running.code, running.fail, running.warn], running.text).toEqual([0, [], AT_FIRST]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await stop(server)).toBe(0);
  });

  test('is no longer told of a backup once there is one, until it is old', async () => {
    const told = async (days: number) => {
      const at = new Date(Date.now() - days * DAY).toISOString();
      await opened(({ database }) =>
        database.write(async (transaction) => {
          await transaction.deleteFrom('planifications').where('nom', '=', 'sauvegarde').execute();
          const row = { nom: 'sauvegarde', prochaine_le: at, derniere_le: at, reussie_le: at };
          await transaction.insertInto('planifications').values(row).execute();
        }),
      );
      const { ok, warn, fail } = await doctor();
      return [ok, warn, fail].findIndex((lines) => lines.some((line) => line.startsWith('Sauvegarde')));
    };
    expect([await told(0.5), await told(2), await told(8)]).toEqual([0, 1, 2]);
  });
});

describe('Of files', () => {
  test('those lost, damaged, held by nothing or by nobody are told, and photos that nothing prepares', async () => {
    const files = await opened(async (services) => {
      const id = await addStay(services);
      await addPhotos(services, id, 2);
      await services.database.write(async (transaction) => {
        await transaction
          .updateTable('photos')
          .set({ statut: 'recue' as StateWrite })
          .where('id', '=', 2)
          .execute();
        const nobody = {
          nom: `${'a'.repeat(32)}.webp`,
          dossier: 'images',
          objet: 'actualites',
          objet_id: 99,
        };
        const about = {
          type: 'image/webp',
          taille: 1,
          sha256: 'x',
          largeurs: '',
          created_at: '2026-01-01T00:00:00.000Z',
        };
        await registerFiles(transaction, [{ ...nobody, ...about }]);
      });
      return services.database.db
        .selectFrom('fichiers')
        .selectAll()
        .where('dossier', '=', 'photos')
        .orderBy('nom')
        .execute();
    });
    const [lost, damaged] = files.map(({ nom }) => keyOf('photos', nom)) as [string, string];
    const pathOf = (key: string) => join(place.directory, 'files', key);
    rmSync(pathOf(lost));
    const bytes = readFileSync(pathOf(damaged));
    bytes[100] = (bytes[100] as number) ^ 1;
    writeFileSync(pathOf(damaged), bytes);
    const stray = keyOf('images', `${randomBytes(16).toString('hex')}.webp`);
    for (const [key, days] of [
      [stray, 2],
      [keyOf('images', 'young.webp'), 0],
    ] as const) {
      mkdirSync(dirname(pathOf(key)), { recursive: true });
      writeFileSync(pathOf(key), 'x');
      utimesSync(pathOf(key), new Date(Date.now() - days * DAY), new Date(Date.now() - days * DAY));
    }
    const before = state();
    const { code, fail, warn } = await doctor({}, '--empreintes');
    expect(code).toBe(1);
    const nobody = keyOf('images', `${'a'.repeat(32)}.webp`);
    expect(fail.filter((line) => !line.startsWith('Fichiers abîmés'))).toEqual([
      expect.stringMatching(
        /^Fichiers perdus\u202f: 2 \(.*\)\. Remettez-les depuis les sauvegardes\u202f: passerelle restore DOSSIER --fichiers$/,
      ),
      'Photos reçues que rien ne prépare\u202f: 1 (séjour 1). Supprimez-les dans le portail, et demandez qu’on les renvoie.',
    ]);
    for (const key of [lost, nobody]) expect(fail[0]).toContain(key);
    // Whatever is lost cannot be read either.
    const abimes = fail.find((line) => line.startsWith('Fichiers abîmés')) ?? '';
    for (const key of [lost, damaged, nobody]) expect(abimes).toContain(key);
    expect(abimes).toMatch(/^Fichiers abîmés\u202f: 3 /);
    expect(warn).toContain(
      `Fichiers que rien ne retient\u202f: 1 (${stray}). Le site en marche les met de côté chaque jour.`,
    );
    expect(
      warn.some((line) => line.startsWith('Fichiers dont le contenu n’existe plus (actualites\u202f: 1)')),
    ).toBe(true);
    expect(state()).toEqual(before);
  });
});

describe('Of the work of the site', () => {
  test('what is given up, what comes to no end, a clock behind and lost erasures are told', async () => {
    await opened(({ database }) =>
      database.write(async (transaction) => {
        const at = new Date().toISOString();
        const job = {
          nom: 'read-minutes',
          charge: '{"id":1}',
          a_faire_le: at,
          pris_jusqua: null,
          erreur: null,
          created_at: at,
        };
        await transaction
          .insertInto('jobs')
          .values({ ...job, essais: 8 })
          .execute();
        await transaction
          .updateTable('planifications')
          .set({ reussie_le: new Date(Date.now() - 3 * DAY).toISOString() })
          .where('nom', '=', 'corbeille')
          .execute();
        const tomorrow = new Date(Date.now() + DAY).toISOString();
        await transaction
          .insertInto('journal')
          .values({
            instant: tomorrow,
            acteur: 'Alice',
            action: 'demain',
            objet: null,
            objet_id: null,
            ip: null,
            chaine: '',
          })
          .execute();
        await transaction
          .insertInto('effacements')
          .values({ cle: 'x', genre: 'adresse', instant: at })
          .execute();
      }),
    );
    writeFileSync(join(place.directory, 'effacements.jsonl'), '{"cle":\n', { mode: 0o600 });
    const { code, fail, warn } = await doctor();
    expect(code).toBe(1);
    expect(fail).toEqual([
      'Journal\u202f: quelqu’un l’a changé sans passer par le site. «\u00a0passerelle journal verifier\u00a0» dit où.',
      expect.stringMatching(/^Horloge\u202f: la base de données a déjà vu le .*\. Mettez-la à l’heure\.$/),
      'effacements.jsonl\u202f: lignes illisibles 1, perdues 1. Remettez sa copie la plus récente, puis relancez le site.',
    ]);
    expect(warn).toEqual([
      AT_FIRST[0],
      'Tâches de fond abandonnées après plusieurs échecs\u202f: 1. Le journal technique du serveur dit pourquoi.',
      'Travaux réguliers qui n’aboutissent plus (corbeille)\u202f: mettez le site en marche, ou lisez son journal technique.',
      AT_FIRST[1],
    ]);
  });

  test('a key that does not open what is sealed is told', async () => {
    await opened(addStay);
    const { code, fail, warn } = await doctor({ SECRET_KEY: 'another-key-that-only-tests-use-987654' });
    expect(warn).toEqual([
      AT_FIRST[0],
      expect.stringMatching(/^Journal\u202f: il n’est pas enchaîné avec cette clé secrète/),
      AT_FIRST[1],
    ]);
    expect([code, fail]).toEqual([
      1,
      [
        expect.stringMatching(
          /^SECRET_KEY\u202f: .*comptes rendus 1, séjours 1, envois 0, secondes étapes 0\.$/,
        ),
      ],
    ]);
  });
});

// Read before a database is.
describe.runIf(isSqlite)('Of settings', () => {
  const told = async (env: Record<string, string>) => {
    const { fail, warn } = await doctor(env);
    return { fail, warn: warn.filter((line) => !AT_FIRST.includes(line)) };
  };
  const HTTPS = { PUBLIC_URL: 'https://cse.exemple.fr' };

  test('those that do not go together are told', async () => {
    const starts = (...lines: string[]) => lines.map((line) => expect.stringMatching(new RegExp(`^${line}`)));
    expect(await told({ ...HTTPS, TRUST_PROXY: '1', X_ACCEL_PREFIX: '/interne/' })).toEqual({
      fail: [],
      warn: [],
    });
    expect(await told(HTTPS)).toEqual({ fail: starts('PUBLIC_URL est en https'), warn: [] });
    expect(await told({ ...HTTPS, TRUST_PROXY: '0', X_ACCEL_PREFIX: '/interne/' })).toEqual({
      fail: starts('X_ACCEL_PREFIX laisse'),
      warn: [],
    });
    expect(await told({ PUBLIC_URL: 'http://cse.exemple.fr' })).toEqual({
      fail: starts('PUBLIC_URL est en http'),
      warn: [],
    });
    expect(await told({ PUBLIC_URL: 'http://192.168.1.4' })).toEqual({
      fail: [],
      warn: starts('PUBLIC_URL est en http'),
    });
    expect(await told({ HOST: '0.0.0.0' })).toEqual({
      fail: [],
      warn: starts('PUBLIC_URL n’est pas réglée'),
    });
  });

  test('a bad one is told as at the start, and a folder without a site as well', async () => {
    const bad = await doctor({ PORT: 'mille' });
    expect([bad.code, bad.text]).toEqual([1, 'PORT doit être un nombre entier de 0 à 65535.\n']);
    const nothing = join(place.directory, 'rien');
    const empty = await doctor({ DATA_DIR: nothing });
    expect([empty.code, empty.text]).toEqual([
      1,
      `Aucun site dans ${nothing}\u202f: vérifiez DATA_DIR, ou remettez une sauvegarde.\n`,
    ]);
    expect((await doctor({}, '--tout')).text).toMatch(/^Usage/);
  });

  test('whether the mail server takes the site is tried, and nothing is sent', async () => {
    const receiver = await openReceiver();
    const mail = { MAIL_FROM: 'cse@exemple.fr' };
    const { ok } = await doctor({ ...mail, SMTP_URL: receiver.url });
    expect(ok).toContain('E-mails\u202f: le serveur d’envoi accepte le compte du site.');
    expect([receiver.asked, receiver.received]).toEqual([[], []]);
    await receiver.close();
    const { code, fail } = await doctor({ ...mail, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
    expect([code, fail]).toEqual([
      1,
      ['E-mails\u202f: le serveur d’envoi ne répond pas. Vérifiez SMTP_URL.'],
    ]);
  });

  test('a folder that other accounts can read is told, with what mends it', async () => {
    chmodSync(place.directory, 0o755);
    expect((await doctor()).fail).toEqual([]);
    writeFileSync(join(place.directory, 'copie.db'), 'x', { mode: 0o644 });
    expect((await doctor()).fail).toEqual([
      `DATA_DIR\u202f: d’autres comptes de cette machine peuvent le lire (copie.db). Faites\u202f: chmod -R go= ${place.directory}`,
    ]);
  });
});

describe('Of a database', () => {
  /** As no program of this version does. */
  async function changeMigrations(change: RawBuilder<unknown>): Promise<void> {
    const { DATABASE_URL: url, DATA_DIR: directory } = readConfig(place.env);
    const database = openDatabase({ url, directory });
    await database.write((transaction) => change.execute(transaction));
    await database.close();
  }

  test('of an older or a newer version its version is told', async () => {
    await changeMigrations(sql`insert into migrations (nom, faite_le) values ('9999-demain', 'x')`);
    const newer = await doctor();
    expect([newer.code, newer.fail]).toEqual([
      1,
      [
        'La base de données vient d’une version plus récente (9999-demain)\u202f: mettez le programme à jour.',
      ],
    ]);
    await changeMigrations(sql`delete from migrations where nom in ('9999-demain', '0013-scrub')`);
    const older = await doctor();
    expect([older.code, older.fail]).toEqual([0, []]);
    expect(older.warn.at(-1)).toContain('Le prochain démarrage du site la met à jour');
  });

  test.runIf(isSqlite)('that is damaged is told, wherever', async () => {
    const path = join(place.directory, 'passerelle.db');
    const whole = readFileSync(path);
    const page = Buffer.from(whole);
    page.fill(0xff, 40 * 4096, 41 * 4096);
    for (const bytes of [page, Buffer.from('rien'.repeat(3_000))]) {
      writeFileSync(path, bytes);
      const { code, text } = await doctor();
      expect(code).toBe(1);
      expect(text).toMatch(/abîmée?[ ,].*Remettez une sauvegarde/);
    }
    truncateSync(path, 4096);
    expect((await doctor()).code).toBe(1);
  });

  test.runIf(!isSqlite)('that does not answer is told, beside what can be told without it', async () => {
    const { code, fail, ok } = await doctor({
      DATABASE_URL: `postgres://u@127.0.0.1:${await freePort()}/passerelle`,
    });
    expect([code, fail]).toEqual([1, [expect.stringMatching(/^DATABASE_URL\u202f: /)]]);
    expect(ok).toContainEqual(expect.stringMatching(/^Disque/));
  });
});
