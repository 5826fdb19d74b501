import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { command, type Ended, type Home, holdingsOf, homeOf, sumsOf } from '#tests/support/commands.ts';
import { type TestSite, wrapSite } from '#tests/support/people.ts';
import { killAll, launch } from '#tests/support/process.ts';
import { type BucketServer, startBuckets } from '#tests/support/s3.ts';
import { newDatabase, openSite } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

/* A site on SQLite, which runs, moves to PostgreSQL: in the run that has a server of it. */

const MOVING =
  'Le site déménage\u202f: pendant quelques minutes, rien ne peut être enregistré. Réessayez ensuite.';

interface Place {
  url: string;
  drop(): Promise<void>;
}
async function newPlace(): Promise<Place> {
  const made = await newDatabase();
  if (!made) throw new Error('This run has no PostgreSQL');
  return made;
}

/** A file of the variables of the new site; `url`: its database. */
const linesOf = ({ url, ...variables }: { url: string } & Record<string, string>) =>
  Object.entries({ DATABASE_URL: url, ...variables })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

describe.runIf(inject('database') === 'postgres')('A site that runs', () => {
  let site: TestSite;
  let home: Home;
  let token: string;
  let buckets: BucketServer;
  const places: Place[] = [];
  beforeAll(async () => {
    site = await openSite({ engine: 'sqlite', isFilled: true });
    buckets = await startBuckets();
    home = homeOf(site);
    // Before it moves: a sign-in is a write as well.
    token = await site.tokenOf('admin');
  });
  afterEach(killAll);
  afterAll(async () => {
    await site?.close();
    await buckets?.stop();
    for (const place of places) await place.drop();
  });
  async function place(): Promise<Place> {
    const made = await newPlace();
    places.push(made);
    return made;
  }

  const write = () => site.call('PUT /reglages', { token, body: { organisation_nom: 'CSE du Pin' } });
  const expectReads = async () => {
    expect((await site.call('GET /actualites')).status).toBe(200);
    expect((await site.call('GET /stages', { token })).json.length).toBeGreaterThan(0);
  };

  /** Keeps a move in its middle, by what migrations of the target wait for, while `work` is done. */
  async function moving(url: string, work: (kill: () => void) => Promise<void>): Promise<Ended> {
    const gate = openDatabase({ url, directory: '' });
    let move: ReturnType<typeof launch> | undefined;
    try {
      await gate.write(async (transaction) => {
        await sql`select pg_advisory_xact_lock(20261121)`.execute(transaction);
        const started = launch(home.env, [process.execPath, builtCommand('move')], linesOf({ url }));
        move = started;
        while ((await write()).json.message !== MOVING) await pause(20);
        await work(() => started.child.kill('SIGKILL'));
      });
    } finally {
      await gate.close();
    }
    const code = (await move?.ended)?.code ?? null;
    return { code, out: move?.out() ?? '', err: move?.err() ?? '' };
  }

  test('takes writes again when its move is killed', async () => {
    await moving((await place()).url, async (kill) => {
      await expectReads();
      kill();
      await expect.poll(async () => (await write()).status).toBe(200);
    });
  });

  test('takes writes again when its move fails, and nothing has gone', async () => {
    const { url } = await place();
    const { code, err } = await moving(url, async () => {
      // Past the wait for a lock, the move gives up.
      await expect.poll(async () => (await write()).status).toBe(200);
    });
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
    const target = openDatabase({ url, directory: '' });
    expect(await target.db.introspection.getTables()).toEqual([]);
    await target.close();
  });

  const OTHER_KEY = { SECRET_KEY: 'k'.repeat(40) };
  test.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    ['without a database', { DATABASE_URL: '' }, {}, /^DATABASE_URL.* ne dit pas où déménager/],
    ['to another kind of database', { DATABASE_URL: 'mysql://db/x' }, {}, /^DATABASE_URL/],
    ['where a password stands among the words', {}, {}, /^Usage/],
    ['with a key that is not its own', {}, OTHER_KEY, /n’est pas celle de ces données/],
    ['to a site with another key', OTHER_KEY, {}, /n’est pas celle de ces données/],
    ['to half a bucket', { S3_BUCKET: 'ailleurs' }, {}, /^S3_ENDPOINT/],
  ])('does not move %s', async (why, given, env, said) => {
    const lines = linesOf({ url: (await place()).url, ...given });
    const words = why.includes('words') ? ['--to', 'postgres://compte:motdepasse@serveur/base'] : [];
    const { code, err } = await command('move', words, { ...home.env, ...env }, lines);
    expect(err).toMatch(said);
    expect(code).toBe(1);
    expect((await write()).status).toBe(200);
  });

  test('moves whole, its files to a bucket, and takes nothing afterwards', async () => {
    const { url } = await place();
    const bucket = await buckets.newBucket('demenage');
    const before = sumsOf(`${home.directory}/files`);
    const { code, out, err } = await command('move', [], home.env, linesOf({ url, ...bucket }));
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('SECRET_KEY=… la même que jusqu’ici');

    const { host, pathname } = new URL(url);
    const refused = await write();
    expect(refused.status).toBe(503);
    expect(refused.json.message).toContain(
      `Ce site a déménagé vers postgres://${host}${pathname} et s3://demenage`,
    );
    await expectReads();
    const again = await command('move', [], home.env, linesOf({ url: (await place()).url }));
    expect(again.err).toMatch(/^Ce site a déménagé vers/);

    const moved: Home = { ...home, env: { ...home.env, DATABASE_URL: url } };
    const { tables } = await holdingsOf(moved);
    expect(tables).toEqual((await holdingsOf(home)).tables);
    expect(tables.employes?.length).toBeGreaterThan(0);
    expect(tables.sessions?.length).toBeGreaterThan(0);

    await site.stop();
    const server = await startServer(readConfig({ ...moved.env, ...bucket, HOST: '127.0.0.1', PORT: '0' }), {
      clock: site.now,
      log: site.services.log,
    });
    const { directory, advance, now } = site;
    const arrived = wrapSite(server, { directory, advance, now, logLines: [], cleanUp: async () => {} });
    // Whoever was signed in still is, and what was sealed opens.
    const [stay] = (await arrived.call('GET /stages', { token })).json;
    const passwords = await arrived.call(`GET /stage-passwords/${stay.id}`, { token });
    expect(passwords.json[0].mdp_stagiaire).toMatch(/\S/);
    const [shown] = (await arrived.call('GET /actualites')).json;
    expect((await arrived.ask(`GET /api/images_stages/${shown.image_url}`)).status).toBe(200);
    const held: string[] = [];
    for (const folder of ['images', 'images_stages', 'doc_stage_formateur', 'photos'])
      for await (const { key } of server.services.storage.list(folder)) held.push(key);
    expect(held.sort()).toEqual(Object.keys(before).sort());
    // An id is never given twice.
    const body = { nom_stage: 'Après', date_debut: '2026-07-06', date_fin: '2026-07-20' };
    expect((await arrived.call('POST /stages', { token, body })).status).toBe(201);
    await arrived.stop();
  });
});
