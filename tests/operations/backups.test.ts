import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrateIn } from '#app/migrations/migrate.ts';
import { startServer } from '#app/server/start.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { backUp } from '#operations/copy/backup.ts';
import { openDestination } from '#operations/copy/destination.ts';
import { readConfig } from '#platform/server/config.ts';
import { lockDirectory } from '#platform/server/db/directory.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import {
  clearFolders,
  command,
  type Ended,
  flip,
  type Held,
  type Home,
  holdingsOf,
  homeOf,
  newFolder,
  newHome,
  sumsOf,
} from '#tests/support/commands.ts';
import { mountDisk } from '#tests/support/disk.ts';
import { form, picture } from '#tests/support/forms.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { type TestSite, wrapSite } from '#tests/support/people.ts';
import { killAll, launch } from '#tests/support/process.ts';
import { openSite } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

/* Copies of a site that is filled with the example, put back elsewhere. */

const isSqlite = inject('database') === 'sqlite';
const KEY = 'une-phrase-que-personne-ne-devine-42';
/** What a backup leaves out. */
const LEFT_OUT = [
  'sessions',
  'tentatives',
  'planifications',
  'imports',
  'imports_familles',
  'imports_sejours',
  'imports_directeurs',
  'photos_selections',
  'defis',
  'alertes',
  'rafales',
];
const RESTORED = 'restauration de la sauvegarde du';

let site: TestSite;
let home: Home;
/** A first backup, which tests copy before they spoil it. */
let backups: string;
let made: Ended;

const admin = async () => ({ token: await site.tokenOf('admin') });

beforeAll(async () => {
  site = await openSite({ isFilled: true });
  home = homeOf(site);
  expect((await site.call('GET /exemple', await admin())).json.etat).toBe('present');
  backups = newFolder();
  made = await command('backup', [backups], home.env);
});
afterEach(killAll);
afterAll(async () => {
  await site?.close();
  clearFolders();
});

/** What a site holds but for what a backup leaves out, and for what a restoration has to say to the journal. */
async function kept(where: Home): Promise<Held> {
  const { tables, files } = await holdingsOf(where);
  for (const table of LEFT_OUT) delete tables[table];
  tables.reglages = tables.reglages?.filter((line) => !line.includes(RESTORED)) ?? [];
  return { tables, files };
}

const instantsOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .sort();
const filesOf = (folder: string) => Object.keys(sumsOf(join(folder, 'fichiers')));

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

async function restored(
  folder: string,
  words: string[] = [],
  to?: Home,
  env = {},
): Promise<{ home: Home; ended: Ended }> {
  const target = to ?? (await newHome());
  const ended = await command('restore', [folder, ...words], { ...target.env, ...env });
  return { home: target, ended };
}

/** A copy of the site's own file of erasures, which is there from its first start. */
function erasuresFile(): string {
  const copy = join(newFolder(), 'effacements.jsonl');
  copyFileSync(join(site.directory, 'effacements.jsonl'), copy);
  return copy;
}

/** Starts a site that was put back. */
async function open(where: Home): Promise<TestSite> {
  const config = readConfig({ ...where.env, PORT: '0' });
  const server = await startServer(config, { clock: site.now, log: site.services.log });
  return wrapSite(server, {
    directory: where.directory,
    logLines: [],
    advance: () => {},
    now: site.now,
    cleanUp: where.drop,
  });
}

/** A refusal is one line, and leaves the place as empty as it was. */
async function expectRefused(where: Home, { code, out, err }: Ended, said: string | RegExp): Promise<void> {
  expect(err.trim()).toMatch(said);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(out).toBe('');
  expect(code).toBe(1);
  expect(Object.values((await holdingsOf(where)).tables).flat()).toEqual([]);
  expect(sumsOf(join(where.directory, 'files'))).toEqual({});
  expect(existsSync(join(where.directory, 'effacements.jsonl'))).toBe(false);
  await where.drop();
}

describe('A backup of a running site', () => {
  test('is said to be done, and where the secret key is not', () => {
    expect(made.err).toBe('');
    expect(made.code).toBe(0);
    const [instant] = instantsOf(backups);
    expect(made.out).toContain(`Sauvegarde faite\u202f: ${join(backups, instant ?? '')}`);
    expect(made.out).toContain('La clé secrète (SECRET_KEY ou secret.key) n’y est pas');
    expect(readdirSync(backups, { recursive: true }).join()).not.toContain('secret.key');
  });

  const engines = isSqlite ? (['sqlite'] as const) : (['postgres', 'sqlite'] as const);
  test.each(engines)('put back on %s has every row and every file', async (engine) => {
    const before = await kept(home);
    const { home: copy, ended } = await restored(
      backups,
      ['--effacements', erasuresFile()],
      await newHome(engine),
    );
    expect(ended.err).toBe('');
    expect(ended.out).toContain('est restaurée');
    const after = await kept(copy);
    expect(after).toEqual(before);
    expect(Object.keys(after.files).length).toBeGreaterThan(100);
    for (const table of ['actualites', 'documents_pages', 'employes', 'photos', 'stagiaires', 'fichiers'])
      expect(after.tables[table]?.length, table).toBeGreaterThan(0);
    expect((await holdingsOf(copy)).tables.sessions).toEqual([]);

    const again = await open(copy);
    try {
      for (const path of ['/actualites', '/events', '/employes'])
        expect((await again.call(`GET ${path}`)).json).toEqual((await site.call(`GET ${path}`)).json);
      const stay = await site.services.database.db
        .selectFrom('photos')
        .select('stage_id')
        .where('statut', '=', 'publiee')
        .executeTakeFirstOrThrow();
      const passwords = await again.call(`GET /stage-passwords/${stay.stage_id}`, {
        token: await again.tokenOf('admin'),
      });
      const { mdp_stagiaire: password } = passwords.json[0];
      const body = { stageId: stay.stage_id, password };
      const signedIn = await again.call('POST /auth/login', { body });
      expect(signedIn.status, signedIn.text).toBe(200);
      // Who opened which photo is told by the number of the sign-in: none is given twice.
      const ids = async (of: TestSite) =>
        (await of.services.database.db.selectFrom('sessions').select('id').execute()).map(({ id }) => id);
      expect(Math.min(...(await ids(again)))).toBeGreaterThan(Math.max(...(await ids(site))));
    } finally {
      await again.close();
    }
  });

  test.runIf(!isSqlite)('made on SQLite is put back on PostgreSQL as well', async () => {
    const { home: small } = await restored(
      backups,
      ['--effacements', erasuresFile()],
      await newHome('sqlite'),
    );
    const folder = newFolder();
    await command('backup', [folder], small.env);
    const { home: back, ended } = await restored(
      folder,
      ['--effacements', erasuresFile()],
      await newHome('postgres'),
    );
    expect(ended.err).toBe('');
    expect(await kept(back)).toEqual(await kept(home));
    await back.drop();
  });
});

test('A backup of an older version is brought up to date where it is put back', async () => {
  const older = await newHome();
  const database = openDatabase({ url: older.env.DATABASE_URL, directory: older.directory });
  await database.write(async (transaction) => {
    await migrateIn(transaction, database.engine, '0008-mails');
    const at = site.now().toISOString();
    await transaction
      .insertInto('stages')
      .values({
        ...{ nom_stage: 'Mer', cle: 'mer', date_debut: '2026-07-06', date_fin: '2026-07-20' },
        ...{ mdp_formateur: '', mdp_stagiaire: '', conservation_jours: null, created_at: at, modifie_le: at },
      })
      .execute();
  });
  await database.close();
  const folder = newFolder();
  expect((await command('backup', [folder], older.env)).err).toBe('');
  expect((await holdingsOf(older)).tables.photos).toBeUndefined();
  const { home: copy, ended } = await restored(folder);
  expect(ended.err).toBe('');
  const { tables } = await holdingsOf(copy);
  expect(tables.stages).toEqual([expect.stringContaining('"prevenu_pour":null')]);
  expect(tables.photos).toEqual([]);
  await older.drop();
  await copy.drop();
});

test('A backup from before photos had a size of 480 is put back, its photos in the sizes that they have', async () => {
  const older = await newHome();
  const database = openDatabase({ url: older.env.DATABASE_URL, directory: older.directory });
  const at = site.now().toISOString();
  await database.write(async (transaction) => {
    await migrateIn(transaction, database.engine, '0028-search-text');
    const { id: stage_id } = await transaction
      .insertInto('stages')
      .values({
        ...{ nom_stage: 'Mer', cle: 'mer', date_debut: '2026-07-06', date_fin: '2026-07-20' },
        ...{ mdp_formateur: '', mdp_stagiaire: '', conservation_jours: null, created_at: at, modifie_le: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const photo = {
      ...{
        stage_id,
        empreinte: 'e',
        statut: 'publiee' as StateWrite,
        version: 'complete' as const,
        nom: 'p',
      },
      ...{ a_jpeg: 1, jour: '2026-07-07', prise_le: at, publiee_le: at, numero: 1 },
      ...{ created_at: at, modifie_le: at },
    };
    // `rang` came later.
    await transaction
      .insertInto('photos')
      .values(photo as typeof photo & { rang: string })
      .execute();
  });
  await database.close();
  const folder = newFolder();
  expect((await command('backup', [folder], older.env)).err).toBe('');
  const { home: copy, ended } = await restored(folder);
  expect(ended.err).toBe('');
  expect((await holdingsOf(copy)).tables.photos).toEqual([expect.stringContaining('"a_480":0')]);
  await older.drop();
  await copy.drop();
});

// The folder of backups is the same for both engines.
describe.runIf(isSqlite)('Backups that follow one another', () => {
  test('copy only what is new', async () => {
    const folder = copyOf(backups);
    const before = sumsOf(join(folder, 'fichiers'));
    const nothing = await command('backup', [folder], home.env);
    expect(nothing.out).toContain('dont 0 nouveaux');
    const body = form({ titre: 'Neuf', description: 'Texte.', image: await picture() });
    const added = await site.call('POST /actualites', { ...(await admin()), body });
    expect(added.status, added.text).toBe(201);
    await site.jobs.idle();
    const { out } = await command('backup', [folder], home.env);
    const after = sumsOf(join(folder, 'fichiers'));
    const fresh = Object.keys(after).filter((name) => !(name in before));
    expect(fresh.length).toBeGreaterThan(0);
    expect(out).toContain(`dont ${fresh.length} nouveaux`);
    expect(instantsOf(folder)).toHaveLength(3);
    await site.call(`DELETE /actualites/${added.json.id}`, await admin());
  });

  test('go after thirty days, with the files that no other names', async () => {
    const folder = copyOf(backups);
    const [first = ''] = instantsOf(folder);
    const old = new Date(Date.now() - 31 * DAY_MS).toISOString().replace(/[:.]/g, '-');
    renameSync(join(folder, first), join(folder, old));
    const stranger = join(folder, 'fichiers/zz');
    cpSync(join(folder, 'fichiers', filesOf(folder)[0] ?? ''), join(stranger, 'zz.webp'));
    const { out } = await command('backup', [folder], home.env);
    expect(out).toContain('Sauvegardes trop anciennes, effacées\u202f: 1.');
    expect(instantsOf(folder)).toHaveLength(1);
    expect(filesOf(folder)).not.toContain('zz/zz.webp');
    const { ended, home: copy } = await restored(folder);
    expect(ended.err).toBe('');
    await copy.drop();
  });

  test('stay as long as they are told to', async () => {
    const folder = copyOf(backups);
    const [first = ''] = instantsOf(folder);
    const old = new Date(Date.now() - 31 * DAY_MS).toISOString().replace(/[:.]/g, '-');
    renameSync(join(folder, first), join(folder, old));
    await command('backup', [folder, '--garder', '40'], home.env);
    expect(instantsOf(folder)).toHaveLength(2);
  });

  /** The folder of a backup that was killed about halfway; on a busy machine some end before that is seen. */
  async function killedBackup(): Promise<string> {
    const half = Object.keys(sumsOf(join(home.directory, 'files'))).length / 2;
    for (;;) {
      const folder = newFolder();
      const files = join(folder, 'fichiers');
      const { child, ended } = launch(home.env, [process.execPath, builtCommand('backup'), folder]);
      while (!existsSync(files) || readdirSync(files, { recursive: true }).length < half) await pause(2);
      child.kill('SIGKILL');
      await ended;
      if (instantsOf(folder).length === 0) return folder;
    }
  }

  test('one that is killed counts for nothing, and the next goes on', async () => {
    const folder = await killedBackup();
    const target = await newHome();
    await expectRefused(target, (await restored(folder, [], target)).ended, 'n’a pas encore de sauvegarde');

    const { out, code } = await command('backup', [folder], home.env);
    expect(code).toBe(0);
    const [, all, fresh] = /(\d+) fichiers dont (\d+) nouveaux/.exec(out) ?? [];
    expect(Number(all)).toBe(Object.keys(sumsOf(join(home.directory, 'files'))).length);
    // Whether a narrower size is whole nothing tells: it is copied again.
    expect(Number(fresh)).toBeLessThan(Number(all));
    const { home: copy } = await restored(folder, ['--effacements', erasuresFile()]);
    expect(await kept(copy)).toEqual(await kept(home));
    await copy.drop();
  });

  test('read what earlier ones brought again within a month, and mend it', async () => {
    const folder = copyOf(backups);
    const files = join(folder, 'fichiers');
    const whole = sumsOf(files);
    const names = Object.keys(whole);
    const spoilt = names.filter((_, index) => index % 3 === 0);
    for (const name of spoilt) flip(join(files, name), 0);
    const destination = await openDestination(folder, undefined, { isNew: false });
    const renewed: string[] = [];
    for (let day = 1; day <= 30; day++) {
      const now = new Date(Date.now() + day * DAY_MS);
      renewed.push(...(await backUp(site.services, destination, now)).renewed);
    }
    expect(renewed).toHaveLength(spoilt.length);
    expect(sumsOf(files)).toMatchObject(whole);
  });

  test('name a file that the site has lost, and end with a failure', async () => {
    const [lost] = await addPhotos(site.services, await stayOfPhotos(), 1);
    const row = await site.services.database.db
      .selectFrom('fichiers')
      .selectAll()
      .where('objet', '=', 'photos')
      .where('objet_id', '=', lost ?? 0)
      .orderBy('nom')
      .executeTakeFirstOrThrow();
    const path = join(site.directory, 'files/photos', row.nom.slice(0, 2), row.nom);
    rmSync(path);
    const folder = newFolder();
    const { code, out } = await command('backup', [folder], home.env);
    expect(code).toBe(1);
    expect(out).toContain(
      `des fichiers manquent au site (1)\u202f: photos/${row.nom.slice(0, 2)}/${row.nom}`,
    );
    const { ended, home: copy } = await restored(folder);
    expect(ended.out).toContain('Fichiers que le site avait déjà perdus\u202f: 1');
    await copy.drop();
    await site.call('POST /photos/effacer', { ...(await admin()), body: { ids: [lost] } });
  });

  test('say in one line that their disk is full, and keep the earlier ones', async ({ skip }) => {
    const disk = mountDisk(60);
    if (!disk) return skip('this account may not mount a disk');
    try {
      const folder = join(disk.directory, 'sauvegardes');
      expect((await command('backup', [folder], home.env)).code).toBe(0);
      const [before] = instantsOf(folder);
      rmSync(join(folder, 'fichiers'), { recursive: true });
      disk.fill(200_000);
      const { code, err } = await command('backup', [folder], home.env);
      expect(code).toBe(1);
      expect(err).toBe(
        `${folder}\u202f: le disque est plein. Cette sauvegarde n’est pas faite\u202f; les précédentes restent.\n`,
      );
      expect(instantsOf(folder)).toEqual([before]);
    } finally {
      disk.remove();
    }
  });

  test('are made one at a time in a folder', async () => {
    const folder = copyOf(backups);
    const unlock = lockDirectory(folder);
    const refused = await command('backup', [folder], home.env);
    unlock();
    expect(refused.err).toContain('Une autre sauvegarde est en cours');
    expect(instantsOf(folder)).toHaveLength(1);
  });

  test('are refused a folder of something else, and leave it alone', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'notes.txt'), 'à moi');
    const { code, err } = await command('backup', [folder], home.env);
    expect(err).toContain('contient autre chose que des sauvegardes');
    expect(code).toBe(1);
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('à moi');
  });
});

async function stayOfPhotos(): Promise<number> {
  const { stage_id } = await site.services.database.db
    .selectFrom('photos')
    .select('stage_id')
    .executeTakeFirstOrThrow();
  return stage_id;
}

/** One of the files of a folder of backups. */
const someFile = (folder: string) => join(folder, 'fichiers', filesOf(folder)[0] ?? '');
const part = (folder: string, name: string) => join(folder, instantsOf(folder)[0] ?? '', name);

function changeManifest(folder: string, change: (manifest: Record<string, unknown>) => void): void {
  const path = part(folder, 'manifeste.json.gz');
  const manifest = JSON.parse(gunzipSync(readFileSync(path)).toString());
  change(manifest);
  writeFileSync(path, gzipSync(JSON.stringify(manifest)));
}

describe('A damaged file', () => {
  test('is named when backups are read back, which needs no site', async () => {
    const folder = copyOf(backups);
    const nowhere = { DATA_DIR: join(newFolder(), 'nothing') };
    const intact = await command('backup', ['--verifier', folder], nowhere);
    expect([intact.code, intact.err]).toEqual([0, '']);
    const [instant = ''] = instantsOf(folder);
    const unsealed = 'Les sceaux n’ont pas été vérifiés\u202f: il y faut la clé secrète du site.';
    expect(intact.out.trim().split('\n')).toEqual([`${instant}\u202f: intacte.`, unsealed]);
    const { SECRET_KEY = '' } = home.env;
    const sealed = await command('backup', ['--verifier', folder], { ...nowhere, SECRET_KEY });
    expect([sealed.code, sealed.out.trim()]).toEqual([0, `${instant}\u202f: intacte.`]);
    const [photo, table] = [someFile(folder), part(folder, 'photos.jsonl.gz')];
    flip(photo);
    rmSync(table);
    const { code, out } = await command('backup', ['--verifier', join(folder, instant)], nowhere);
    expect(code).toBe(1);
    expect(out.trim().split('\n')).toEqual([
      `${instant}\u202f: ABÎMÉE, 2 fichiers manquent ou ne sont plus ce qui a été écrit.`,
      `- ${table}`,
      `- ${photo}`,
      unsealed,
    ]);
    rmSync(part(folder, 'manifeste.json.gz'));
    const without = await command('backup', ['--verifier', folder], nowhere);
    expect([without.code, without.out]).toEqual([1, expect.stringContaining('manifeste.json.gz manque')]);
    for (const words of [['--verifier'], ['--verifier', folder, '--garder', '3']])
      expect((await command('backup', words, nowhere)).err).toMatch(/^Usage/);
  });

  test('is left out and named where that is asked for, and the rest comes back', async () => {
    const folder = copyOf(backups);
    const photo = someFile(folder);
    flip(photo);
    const { home: back, ended } = await restored(folder, ['--sauf-abimes', '--effacements', erasuresFile()]);
    expect([ended.code, ended.err]).toEqual([1, '']);
    expect(ended.out).toContain('des fichiers abîmés ne sont pas revenus (1)');
    expect(ended.out).toMatch(new RegExp(`^- .*/${basename(photo)}$`, 'm'));
    const there = await kept(back);
    // The row that names the file, or the file that it is a size of, is there: the site tells of it.
    const [id = ''] = basename(photo).split(/[-.]/);
    expect(there.tables.fichiers?.some((line) => line.includes(id))).toBe(true);
    const names = Object.keys(there.files).map((path) => basename(path));
    const missing = filesOf(folder).filter((path) => !names.includes(basename(path)));
    expect(missing.map((path) => basename(path))).toEqual([basename(photo)]);
    await back.drop();
  });
});

describe('Files that a site has lost, or that are damaged', () => {
  const repair = (where: Home, folder = backups) => command('restore', [folder, '--fichiers'], where.env);
  const NOTHING = /^Tous les fichiers sont là et intacts/;

  test('come back from the backups, and the others stay as they are', async () => {
    const { home: back } = await restored(backups, ['--effacements', erasuresFile()]);
    const folder = join(back.directory, 'files');
    const before = sumsOf(folder);
    const damaged = Object.keys(before).find((path) => path.startsWith('photos/')) ?? '';
    const [lost = '', narrow = ''] = ['.pdf', '-320.webp'].map((end) =>
      Object.keys(before).find((path) => path.endsWith(end)),
    );
    expect((await repair(back)).out).toMatch(NOTHING);
    flip(join(folder, damaged));
    for (const path of [lost, narrow]) rmSync(join(folder, path));
    const mixed = await command('restore', [backups, '--fichiers', '--sauf-abimes'], back.env);
    expect([mixed.code, mixed.err]).toEqual([1, expect.stringMatching(/^Usage/)]);
    expect(await repair(back)).toMatchObject({ code: 0, err: '', out: 'Fichiers remis\u202f: 3.\n' });
    expect(sumsOf(folder)).toEqual(before);
    const { tables } = await holdingsOf(back);
    expect(tables.journal?.join()).toContain('remise de 3 fichiers perdus ou abîmés');
    expect((await repair(back)).out).toMatch(NOTHING);
    await back.drop();
  });

  test('come back while the site runs, which then tells of them no longer', async () => {
    const { database } = site.services;
    const [file] = await database.db
      .selectFrom('fichiers')
      .select('nom')
      .where('dossier', '=', 'photos')
      .execute();
    const folder = join(home.directory, 'files');
    const path = Object.keys(sumsOf(folder)).find((one) => basename(one) === file?.nom) ?? '';
    const { [path]: sum } = sumsOf(folder);
    flip(join(folder, path));
    await database.write((db) =>
      db
        .updateTable('fichiers')
        .set({ abime_le: '2026-01-01T00:00:00.000Z', verifie_le: '' })
        .where('nom', '=', file?.nom ?? '')
        .execute(),
    );
    expect((await repair(home)).out).toBe('Fichiers remis\u202f: 1.\n');
    expect(sumsOf(folder)[path]).toBe(sum);
    const marked = await database.db
      .selectFrom('fichiers')
      .select('nom')
      .where('abime_le', 'is not', null)
      .execute();
    expect(marked).toEqual([]);
  });

  test('are named when the backups have no intact copy, and what was changed there by others stays there', async () => {
    const { home: back } = await restored(backups, ['--effacements', erasuresFile()]);
    const folder = copyOf(backups);
    const files = join(back.directory, 'files');
    const paths = Object.keys(sumsOf(files));
    const [photo = '', narrow = ''] = [/^photos\//, /-320\.webp$/].map((kind) =>
      paths.find((path) => kind.test(path)),
    );
    for (const path of [photo, narrow]) {
      rmSync(join(files, path));
      const copy = filesOf(folder).find((one) => basename(one) === basename(path)) ?? '';
      flip(join(folder, 'fichiers', copy));
    }
    const { code, out } = await repair(back, folder);
    expect([code, out.split('\n')[0], out.split('\n')[1]]).toEqual([
      1,
      'Fichiers remis\u202f: 0.',
      'Sans copie intacte dans ces sauvegardes\u202f: 2.',
    ]);
    for (const path of [photo, narrow]) expect(out).toContain(basename(path));
    expect(Object.keys(sumsOf(files))).not.toContain(photo);
    await back.drop();
  });

  test.runIf(isSqlite)('are not looked for where there is no site', async () => {
    const { code, err } = await repair(await newHome());
    expect([code, err]).toEqual([1, expect.stringMatching(/^Aucun site dans/)]);
  });
});

// The folder of backups is the same for both engines.
describe.runIf(isSqlite)('A backup that somebody without the secret key has changed or renamed', () => {
  /** A stay whose password is another one, with every size and hash made right again. */
  function forge(folder: string): void {
    const table = part(folder, 'stages.jsonl.gz');
    const lines = gunzipSync(readFileSync(table))
      .toString()
      .replaceAll('"nom_stage":"', '"nom_stage":"Faux ');
    writeFileSync(table, gzipSync(lines));
    const bytes = readFileSync(table);
    changeManifest(folder, (manifest) => {
      const { tables } = manifest as { tables: Record<string, object> };
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      Object.assign(tables.stages ?? {}, { taille: bytes.length, sha256 });
    });
  }
  const SAID = /ne porte pas le sceau de cette clé secrète/;

  test('is not put back, unless that is asked for', async () => {
    const folder = copyOf(backups);
    forge(folder);
    const target = await newHome();
    await expectRefused(target, (await restored(folder, [], target)).ended, SAID);
    const checked = await command('backup', ['--verifier', folder], home.env);
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining('SANS SCEAU')]);
    const { home: back, ended } = await restored(folder, ['--sans-sceau']);
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect((await kept(back)).tables.stages?.[0]).toContain('Faux ');
    await back.drop();
  });

  test('is not put back under another instant, with another key, or without its seal', async () => {
    const renamed = copyOf(backups);
    const [instant = ''] = instantsOf(renamed);
    renameSync(join(renamed, instant), join(renamed, '2031-01-01T00-00-00-000Z'));
    const stripped = copyOf(backups);
    rmSync(part(stripped, 'sceau'));
    for (const folder of [renamed, stripped]) {
      const target = await newHome();
      await expectRefused(target, (await restored(folder, [], target)).ended, SAID);
    }
    const other = await newHome();
    const SECRET_KEY = 'z'.repeat(40);
    await expectRefused(other, (await restored(backups, [], other, { SECRET_KEY })).ended, SAID);
  });

  test('is put back where there is no key to tell, and that is said', async () => {
    const { home: back, ended } = await restored(backups, [], undefined, { SECRET_KEY: '' });
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(ended.out).toContain('Le sceau de cette sauvegarde n’a pas été vérifié');
    await back.drop();
  });
});

describe('Nothing is written', () => {
  const DAMAGED = /^Cette sauvegarde est abîmée/;
  // Refused before a database is asked.
  test.runIf(isSqlite).each<[string, (folder: string) => void, RegExp]>([
    [
      'of a backup with another byte in a table',
      (folder) => flip(part(folder, 'stagiaires.jsonl.gz')),
      DAMAGED,
    ],
    ['of a backup with another byte in a photo', (folder) => flip(someFile(folder)), DAMAGED],
    [
      'of a backup with another byte in its manifest',
      (folder) => flip(part(folder, 'manifeste.json.gz'), 2_000),
      DAMAGED,
    ],
    ['of a backup with a file cut short', (folder) => truncateSync(someFile(folder), 100), DAMAGED],
    [
      'of a backup with a table cut short',
      (folder) => truncateSync(part(folder, 'photos.jsonl.gz'), 100),
      DAMAGED,
    ],
    ['of a backup without one of its files', (folder) => rmSync(someFile(folder)), DAMAGED],
    ['of a backup without its manifest', (folder) => rmSync(part(folder, 'manifeste.json.gz')), DAMAGED],
    [
      'of a backup that a newer version has made',
      (folder) => changeManifest(folder, (manifest) => Object.assign(manifest, { migration: '0999-demain' })),
      /vient d’une version plus récente \(0999-demain\)/,
    ],
    [
      'of what is no folder of backups',
      (folder) => rmSync(join(folder, 'destination.json')),
      /n’est pas un dossier de sauvegardes/,
    ],
  ])('%s', async (_, spoil, said) => {
    const folder = copyOf(backups);
    spoil(folder);
    const target = await newHome();
    await expectRefused(target, (await restored(folder, [], target)).ended, said);
  });

  test.runIf(isSqlite)('of a damaged table, even where damaged files may be left out', async () => {
    const folder = copyOf(backups);
    flip(part(folder, 'stagiaires.jsonl.gz'));
    const target = await newHome();
    await expectRefused(target, (await restored(folder, ['--sauf-abimes'], target)).ended, DAMAGED);
  });

  test('over a site, or over files of another one', async () => {
    const { home: full } = await restored(backups);
    const before = await holdingsOf(full);
    const again = await command('restore', [backups], full.env);
    expect(again.err).toContain('La base de données d’arrivée n’est pas vide');
    expect(await holdingsOf(full)).toEqual(before);
    await full.drop();

    const target = await newHome();
    cpSync(join(full.directory, 'files'), join(target.directory, 'files'), { recursive: true });
    const other = join(target.directory, 'files/images/zz');
    cpSync(someFile(backups), join(other, 'zz.webp'));
    const files = sumsOf(join(target.directory, 'files'));
    const refused = await command('restore', [backups], target.env);
    expect(refused.err).toContain('Des fichiers d’un autre site sont déjà là (images/zz/zz.webp)');
    expect(sumsOf(join(target.directory, 'files'))).toEqual(files);
    // Without it, what a restoration that was cut off had left.
    rmSync(other, { recursive: true });
    expect((await command('restore', [backups], target.env)).err).toBe('');
    await target.drop();
  });

  test('where a site runs', async () => {
    const { code, err } = await command('restore', [backups], home.env);
    expect(code).toBe(1);
    expect(err).toMatch(/^Un autre serveur utilise déjà le dossier/);
  });
});

// The folder of backups is the same for both engines.
describe.runIf(isSqlite)('A sealed backup', () => {
  let sealed: string;
  beforeAll(async () => {
    sealed = newFolder();
    expect((await command('backup', [sealed], { ...home.env, BACKUP_KEY: KEY })).err).toBe('');
  });

  test('can be read with its key only', async () => {
    const plain = new Set(Object.values(sumsOf(join(home.directory, 'files'))));
    expect(Object.values(sumsOf(sealed)).filter((sum) => plain.has(sum))).toEqual([]);
    expect(() => gunzipSync(readFileSync(part(sealed, 'stagiaires.jsonl.gz')))).toThrow();
    const { home: copy, ended } = await restored(sealed, ['--effacements', erasuresFile()], undefined, {
      BACKUP_KEY: KEY,
    });
    expect(ended.err).toBe('');
    expect(await kept(copy)).toEqual(await kept(home));
    await copy.drop();
  });

  const WRONG = 'une-autre-phrase-que-personne-ne-devine';
  test.each<[string, Record<string, string>, (folder: string) => void, RegExp]>([
    ['with another key', { BACKUP_KEY: WRONG }, () => {}, /^BACKUP_KEY n’est pas la clé/],
    ['without a key', {}, () => {}, /^BACKUP_KEY manque/],
    [
      'with another byte in a table',
      { BACKUP_KEY: KEY },
      (folder) => flip(part(folder, 'stagiaires.jsonl.gz')),
      /^Cette sauvegarde est abîmée/,
    ],
    [
      'with another byte in a photo',
      { BACKUP_KEY: KEY },
      (folder) => flip(someFile(folder)),
      /^Cette sauvegarde est abîmée/,
    ],
    [
      'with the end of a file cut off',
      { BACKUP_KEY: KEY },
      (folder) => truncateSync(someFile(folder), 16 + 64 * 1024 + 16),
      /^Cette sauvegarde est abîmée/,
    ],
    [
      'with a file in the place of another',
      { BACKUP_KEY: KEY },
      (folder) => copyFileSync(part(folder, 'jours.jsonl.gz'), part(folder, 'bilans.jsonl.gz')),
      /^Cette sauvegarde est abîmée/,
    ],
  ])('is refused %s', async (_, env, spoil, said) => {
    const folder = copyOf(sealed);
    spoil(folder);
    const target = await newHome();
    await expectRefused(target, (await restored(folder, [], target, env)).ended, said);
  });

  test('lies in no folder with others that are not', async () => {
    const unsealed = await command('backup', [sealed], home.env);
    expect(unsealed.err).toMatch(/^BACKUP_KEY manque/);
    const mixed = await command('backup', [copyOf(backups)], { ...home.env, BACKUP_KEY: KEY });
    expect(mixed.err).toContain('ne sont pas chiffrées');
  });
});

describe('What was erased after a backup', () => {
  let folder: string;
  let stageId: number;
  let ids: number[];
  beforeAll(async () => {
    stageId = await stayOfPhotos();
    ids = await addPhotos(site.services, stageId, 3);
    folder = newFolder();
    // Known to the copy beside the backups.
    await site.call('POST /photos/effacer', { ...(await admin()), body: { ids: [ids[2]] } });
    await command('backup', [folder], home.env);
    const child = { nom: 'Roche', prenom: 'Ana', mailRL: 'ana@exemple.org', stageId };
    await site.call('POST /add-stagiaire', { ...(await admin()), body: child });
    await command('backup', [folder], home.env);
    await site.call('POST /photos/effacer', { ...(await admin()), body: { ids: [ids[0]] } });
    await site.call('POST /rgpd/effacer', {
      ...(await admin()),
      body: { email: 'ana@exemple.org', confirmation: 'ana@exemple.org' },
    });
  });

  async function photosOf(of: TestSite): Promise<Map<number, string>> {
    const rows = await of.services.database.db.selectFrom('photos').select(['id', 'statut']).execute();
    return new Map(rows.map(({ id, statut }) => [id, statut]));
  }
  const childrenOf = (of: TestSite) =>
    of.services.database.db
      .selectFrom('stagiaires')
      .select('id')
      .where('email', '=', 'ana@exemple.org')
      .execute();

  test('is erased again when the file of erasures is given', async () => {
    const { home: copy, ended } = await restored(folder, ['--effacements', erasuresFile()]);
    expect(ended.out).toContain('Ce qui a été effacé depuis cette sauvegarde l’est de nouveau');
    const again = await open(copy);
    const photos = await photosOf(again);
    expect(photos.has(ids[0] ?? 0)).toBe(false);
    expect(photos.get(ids[1] ?? 0)).toBe('publiee');
    expect(await childrenOf(again)).toEqual([]);
    await again.close();
  });

  test('is not known without it: a person looks at every photo again', async () => {
    const { home: copy, ended } = await restored(folder);
    expect(ended.out).toContain('Sans --effacements');
    const again = await open(copy);
    const photos = await photosOf(again);
    expect([photos.get(ids[0] ?? 0), photos.get(ids[1] ?? 0)]).toEqual(['a_verifier', 'a_verifier']);
    expect([...photos.values()]).not.toContain('publiee');
    expect(await childrenOf(again)).toHaveLength(1);
    const family = await again.call(`GET /stages/${stageId}/photos`, {
      token: await again.tokenOf('family', stageId),
    });
    expect(family.json.photos).toEqual([]);
    await again.close();
  });

  test('is erased again as far as the copy beside the backups knows', async () => {
    const first = instantsOf(folder)[0] ?? '';
    await command('backup', [folder], home.env);
    const { home: copy } = await restored(join(folder, first));
    const again = await open(copy);
    expect((await photosOf(again)).has(ids[0] ?? 0)).toBe(false);
    await again.close();
  });

  test('stays erased when an older file of erasures is given: it is refused', async () => {
    const older = join(newFolder(), 'effacements.jsonl');
    writeFileSync(older, '');
    const target = await newHome();
    const { ended } = await restored(folder, ['--effacements', older], target);
    await expectRefused(target, ended, /plus ancien que sa copie/);
  });
});
