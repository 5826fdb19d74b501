import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { mountDisk } from '#tests/support/disk.ts';
import { freePort } from '#tests/support/ports.ts';
import { dumpDatabase, startPostgres } from '#tests/support/postgres.ts';
import { killAll, launch, newPlace, type Place, start, stop } from '#tests/support/process.ts';
import { ADMIN } from '#tests/support/site.ts';

/* What keeps a site from starting is said in one line, and nothing of the site is touched. */

const isSqlite = inject('database') === 'sqlite';
const KEY = 'another-key-that-only-tests-use-987654';

afterEach(killAll);

let place: Place;
beforeAll(async () => {
  place = await newPlace();
  expect(await stop(await start(place))).toBe(0);
});
afterAll(() => place?.clean());

/**
 * Every file of the folder by its hash, and all that the database holds. What SQLite keeps beside a file that it cannot
 * read says nothing: it is empty, or an index that is made anew.
 */
function stateOf({ directory, env }: Place): Record<string, string> {
  const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
  const files = existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name),
      )
    : [];
  return {
    ...Object.fromEntries(
      files.map(({ parentPath, name }) => [
        join(parentPath, name),
        hash(readFileSync(join(parentPath, name))),
      ]),
    ),
    // Each dump of a newer pg_dump has a random word of its own.
    ...(env.DATABASE_URL
      ? { database: hash(dumpDatabase(env.DATABASE_URL).replace(/^\\(un)?restrict .*$/gm, '')) }
      : {}),
  };
}

/** What a start says that ends at once; everything is as it was before. */
async function refusalOf(env: Record<string, string> = {}, at = place): Promise<string> {
  const before = stateOf(at);
  const server = launch({ ...at.env, PORT: String(await freePort()), ...env });
  const { code } = await server.ended;
  expect([code, server.out()]).toEqual([1, '']);
  expect(server.err().trimEnd()).not.toContain('\n');
  for (const secret of ['motsecret', KEY]) expect(server.err()).not.toContain(secret);
  expect(stateOf(at)).toEqual(before);
  return server.err().trimEnd();
}

describe('A database elsewhere', () => {
  const at = (url: string) => refusalOf({ DATABASE_URL: url, SECRET_KEY: KEY });
  const SILENT =
    'DATABASE_URL\u202f: la base de données ne répond pas, ou ce qui répond n’est pas PostgreSQL. Vérifiez l’adresse et le port.';

  test('that nobody knows, or where nobody listens, is told', async () => {
    expect(await at('postgres://u:motsecret@hote.invalid/passerelle')).toBe(SILENT);
    expect(await at(`postgres://u:motsecret@127.0.0.1:${await freePort()}/passerelle`)).toBe(SILENT);
  });

  test('that is none is told, whether it answers or not', async () => {
    for (const answer of ['HTTP/1.1 400 Bad Request\r\n\r\n', undefined]) {
      const other = await new Promise<TcpServer>((resolve) => {
        const server = createServer((socket) => {
          socket.on('error', () => {});
          if (answer) socket.on('data', () => socket.end(answer));
        }).listen(0, '127.0.0.1', () => resolve(server));
      });
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : 0;
      expect(await at(`postgres://u:motsecret@127.0.0.1:${port}/passerelle`)).toBe(SILENT);
      other.close();
    }
  });

  test('that refuses the account, or has no such database, is told', async ({ skip }) => {
    if (isSqlite) return skip('of PostgreSQL');
    const closed = await startPostgres('motsecret');
    try {
      const { port } = new URL(closed.url);
      const url = (who: string, name: string) => `postgres://${who}@127.0.0.1:${port}/${name}`;
      const refused = 'DATABASE_URL\u202f: ce compte ou son mot de passe est refusé. Vérifiez l’adresse.';
      for (const who of ['postgres:motsecretfaux', 'inconnu:motsecret', 'postgres'])
        expect(await at(url(who, 'postgres')), who).toBe(refused);
      expect(await at(url('postgres:motsecret', 'absente'))).toBe(
        'DATABASE_URL\u202f: ce serveur n’a pas de base de ce nom. Créez-la, ou vérifiez l’adresse.',
      );
    } finally {
      closed.stop();
    }
  });
});

/** The rows that a statement answers; it may do what no program of this version does. */
async function onMigrations<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
  const { DATABASE_URL: url, DATA_DIR: directory } = readConfig(place.env);
  const database = openDatabase({ url, directory });
  const { rows } = await database.write((transaction) => statement.execute(transaction));
  await database.close();
  return rows;
}

test('Each migration opens from one before it, or from none', async () => {
  const rows = await onMigrations(
    sql<{ nom: string; ouvre_depuis: string | null }>`select nom, ouvre_depuis from migrations order by nom`,
  );
  expect(rows.length).toBeGreaterThan(39);
  for (const [index, { nom, ouvre_depuis }] of rows.entries())
    expect([null, ...rows.slice(0, index).map((one) => one.nom)], nom).toContain(ouvre_depuis);
});

test('A database that a newer version has changed is told and stays as it is, unless that one says that this goes on', async () => {
  const said =
    'La base de données vient d’une version plus récente (9999-demain)\u202f: mettez le programme à jour.';
  await onMigrations(sql`insert into migrations (nom, faite_le) values ('9999-demain', 'x')`);
  expect(await refusalOf()).toBe(said);
  await onMigrations(sql`update migrations set ouvre_depuis = '9998-demain' where nom = '9999-demain'`);
  expect(await refusalOf()).toBe(said);
  await onMigrations(sql`update migrations set ouvre_depuis = '0040-takeover' where nom = '9999-demain'`);
  expect(await stop(await start(place))).toBe(0);
  await onMigrations(sql`delete from migrations where nom = '9999-demain'`);
  // As version 1.0.0 left it.
  await onMigrations(sql`alter table migrations drop column ouvre_depuis`);
  expect(await stop(await start(place))).toBe(0);
});

describe('A secret key', () => {
  const WRONG =
    'Configuration\u202f: SECRET_KEY\u202f: la clé secrète manque ou n’est pas celle de ces données\u202f: remettez la bonne ' +
    'SECRET_KEY ou le bon secret.key (après un changement de clé, c’est la nouvelle). Si elle est perdue\u202f: passerelle admin forget-key.';

  test('that is not the one of the data is told', async () => {
    expect(await refusalOf({ SECRET_KEY: KEY })).toBe(WRONG);
  });

  test('that is lost is not made anew, and one that is damaged is told', async ({ skip }) => {
    if (!isSqlite) return skip('with PostgreSQL the key is a setting');
    const path = join(place.directory, 'secret.key');
    renameSync(path, `${path}.aside`);
    expect(await refusalOf()).toBe(WRONG);
    for (const make of [() => writeFileSync(path, 'court'), () => mkdirSync(path)]) {
      rmSync(path, { force: true });
      make();
      expect(await refusalOf()).toBe(
        `Configuration\u202f: ${path} est vide ou abîmé\u202f: remettez celui de la sauvegarde.`,
      );
    }
    rmSync(path, { recursive: true });
    renameSync(`${path}.aside`, path);
    expect(await stop(await start(place))).toBe(0);
  });
});

test('A port or an address that cannot be had is told, and the password of a first admin is not lost', async () => {
  const other = await newPlace();
  delete other.env.ADMIN_PASSWORD;
  const running = await start(place);
  const { port } = new URL(running.url);
  const taken =
    'Configuration\u202f: PORT\u202f: ce port est déjà pris. Arrêtez l’autre programme, ou choisissez un autre PORT.';
  for (const [env, said] of [
    [{ PORT: port }, taken],
    [{ HOST: '203.0.113.7' }, 'Configuration\u202f: HOST\u202f: cette machine n’a pas cette adresse.'],
  ] as const) {
    const server = launch({ ...other.env, PORT: String(await freePort()), ...env });
    expect([(await server.ended).code, server.err().trimEnd()]).toEqual([1, said]);
  }
  expect(await stop(running)).toBe(0);
  expect(await refusalOf({ HOST: '203.0.113.7' })).toContain('HOST');
  const first = await start(other);
  expect(first.out()).toContain('Mot de passe, affiché cette seule fois');
  expect(await stop(first)).toBe(0);
  await other.clean();
});

test('Whoever hears that a new site is well can sign in at once', async ({ skip }) => {
  if (!isSqlite) return skip('no engine changes it');
  // Twice each: a site that says so too early is caught every second time.
  for (const probe of ['/healthz', '/readyz', '/healthz', '/readyz']) {
    const other = await newPlace();
    const server = launch({ ...other.env, PORT: String(await freePort()) });
    const ask = (path: string, init?: RequestInit) =>
      fetch(`${server.url}${path}`, init).catch(() => undefined);
    // Without a pause: its first moments are what is looked at.
    while ((await ask(probe))?.status !== 200);
    const signedIn = await ask('/api/api/loginAdmin', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    expect(signedIn?.status).toBe(200);
    await stop(server);
    await other.clean();
  }
});

describe('A folder', () => {
  test('in whose place is a file is told', async () => {
    const file = join(place.directory, 'fichier');
    writeFileSync(file, 'x');
    expect(await refusalOf({ DATA_DIR: file })).toBe(
      'DATA_DIR\u202f: un fichier est à la place de ce dossier. Choisissez un autre DATA_DIR.',
    );
    expect(await refusalOf({ DATA_DIR: join(file, 'data') })).toBe(
      'DATA_DIR\u202f: un fichier est à la place d’un de ses dossiers. Choisissez un autre DATA_DIR.',
    );
  });

  test('that cannot be written in is told', async ({ skip }) => {
    const disk = mountDisk(16);
    if (!disk) return skip('a disk of its own needs the right to mount one');
    const said =
      'DATA_DIR\u202f: le site ne peut pas écrire dans ce dossier. Donnez-le au compte qui lance le site.';
    const own = join(disk.directory, 'data');
    const other = await newPlace({ directory: own });
    expect(await stop(await start(other))).toBe(0);
    execFileSync('mount', ['-o', 'remount,ro', disk.directory]);
    expect(await refusalOf({}, other)).toBe(said);
    expect(await refusalOf({ DATA_DIR: join(disk.directory, 'new') }, other)).toBe(said);
    execFileSync('mount', ['-o', 'remount,rw', disk.directory]);
    expect(await stop(await start(other))).toBe(0);
    disk.fill(0);
    const room = { ...other.env, DATA_DIR: join(disk.directory, 'new'), PORT: String(await freePort()) };
    // With PostgreSQL it starts, and shows what there is.
    if (isSqlite) {
      const full = launch(room);
      expect((await full.ended).code).toBe(1);
      expect(full.err().trimEnd()).toBe(
        'DATA_DIR\u202f: le disque est plein. Faites de la place, puis relancez.',
      );
    }
    disk.remove();
    await other.clean();
  });

  test('where the file of erasures is a folder is told', async () => {
    const path = join(place.directory, 'effacements.jsonl');
    rmSync(path, { force: true });
    mkdirSync(path);
    expect(await refusalOf()).toBe(
      `Configuration\u202f: ${path} est un dossier, et non le fichier des effacements.`,
    );
    rmSync(path, { recursive: true });
    expect(await stop(await start(place))).toBe(0);
  });
});

describe('A database file', () => {
  const DAMAGED =
    'DATA_DIR\u202f: passerelle.db est abîmé, ou n’est pas une base de données. Remettez une sauvegarde (verrou.db, lui, s’efface sans perte).';
  const path = () => join(place.directory, 'passerelle.db');

  test.runIf(isSqlite).each([
    ['is something else', () => writeFileSync(path(), 'Ceci n’est pas une base. '.repeat(500))],
    ['is cut short', () => truncateSync(path(), 4096 + 100)],
    [
      'has a page of zeros',
      () => {
        const bytes = readFileSync(path());
        // What says which tables there are.
        bytes.fill(0, 100, 4096);
        writeFileSync(path(), bytes);
      },
    ],
  ])('that %s is told', async (_, damage) => {
    copyFileSync(path(), `${path()}.whole`);
    damage();
    expect(await refusalOf()).toBe(DAMAGED);
    renameSync(`${path()}.whole`, path());
    expect(await stop(await start(place))).toBe(0);
  });

  test.runIf(isSqlite)('that another program holds is told', async () => {
    const other = new SQLite(path());
    other.exec('begin immediate');
    const server = launch({ ...place.env, PORT: String(await freePort()) });
    expect((await server.ended).code).toBe(1);
    expect(server.err().trimEnd()).toBe(
      'DATA_DIR\u202f: un autre programme tient passerelle.db. Arrêtez-le, puis relancez.',
    );
    other.exec('rollback');
    other.close();
    expect(await stop(await start(place))).toBe(0);
  });
});
