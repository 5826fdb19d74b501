import { execFile } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openSiteDatabase } from '#app/server/siteDatabase.ts';
import { beginChain, journal, verifyChain } from '#features/audit/server/journal.ts';
import { forgetChain } from '#features/audit/server/store.ts';
import { SITE } from '#platform/server/actor.ts';
import { makeSecrets, WRONG_KEY } from '#platform/server/secrets.ts';
import { passDays, type TestSite } from '#tests/support/people.ts';
import { openSite, TEST_KEY } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ env: { SECRET_KEY: TEST_KEY } });
  await site.schedule.tick();
});
afterAll(() => site?.close());
beforeEach(async () => {
  const { database, secrets } = site.services;
  await database.write(async (transaction) => {
    await transaction.deleteFrom('journal').execute();
    await forgetChain(transaction);
    await beginChain(transaction, secrets);
  });
  await write('zéro');
});

const db = () => site.services.database.db;
const lines = () => db().selectFrom('journal').selectAll().orderBy('id').execute();
const verify = () => verifyChain(db(), site.services.secrets);

/** Writes a line for each name, in a write of its own. */
async function write(...names: string[]): Promise<void> {
  for (const name of names) {
    await site.services.database.write((transaction) =>
      journal(transaction, { username: 'Alice' }, site.now(), name, { table: 'stages', id: 7 }),
    );
  }
}

/** Does in the database what no program of the site does, and has it written by nobody. */
async function tamper(work: (id: (place: number) => number) => Promise<unknown>): Promise<void> {
  const ids = (await lines()).map(({ id }) => id);
  await work((place) => ids.at(place) ?? 0);
}

const set = (id: number, change: object) =>
  site.services.database.write((transaction) =>
    transaction.updateTable('journal').set(change).where('id', '=', id).execute(),
  );
const remove = (...ids: number[]) =>
  site.services.database.write((transaction) =>
    transaction.deleteFrom('journal').where('id', 'in', ids).execute(),
  );

describe('A journal that nobody touched', () => {
  test('fits as a whole, and goes on', async () => {
    await write('un', 'deux');
    await site.services.database.write(async (transaction) => {
      for (const name of ['trois', 'quatre', 'cinq']) await journal(transaction, SITE, site.now(), name);
    });
    const all = await lines();
    expect(all.slice(-5).map(({ action }) => action)).toEqual(['un', 'deux', 'trois', 'quatre', 'cinq']);
    expect(new Set(all.map(({ chaine }) => chaine)).size).toBe(all.length);
    expect(await verify()).toEqual({ good: all.length, last: all.at(-1), wrong: undefined, isCut: false });
  });

  test('has no line of a write that came to nothing', async () => {
    const before = await lines();
    const failing = site.services.database.write(async (transaction) => {
      await journal(transaction, SITE, site.now(), 'rien');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await write('après');
    expect((await lines()).slice(before.length).map(({ action }) => action)).toEqual(['après']);
    expect(await verify()).toMatchObject({ wrong: undefined, isCut: false });
  });

  test('has one order, whoever writes at once, and nobody waits for somebody who waits for them', async () => {
    // Two programs, where two can write at the same time.
    const other =
      inject('database') === 'postgres' ? await openSiteDatabase(site.services.config) : undefined;
    const databases = [site.services.database, other?.database ?? site.services.database];
    const writes = Array.from({ length: 60 }, (_, turn) =>
      databases[turn % 2]?.write(async (transaction) => {
        const note = () => journal(transaction, SITE, site.now(), `ligne ${turn}`);
        // Some before a row that others change too, some after: were the journal locked at once, they would wait in a ring.
        const isFirst = turn % 4 < 2;
        if (isFirst) await note();
        const row = { cle: `essai ${turn % 3}`, valeur: `${turn}`, modifie_le: '' };
        await transaction
          .insertInto('reglages')
          .values(row)
          .onConflict((clash) => clash.column('cle').doUpdateSet(row))
          .execute();
        if (!isFirst) await note();
      }),
    );
    await Promise.all(writes);
    await other?.database.close();
    const all = await lines();
    expect(all.filter(({ action }) => action.startsWith('ligne'))).toHaveLength(60);
    expect(await verify()).toMatchObject({ good: all.length, wrong: undefined, isCut: false });
  });

  test('is walked whole while lines come', async () => {
    await site.services.database.write(async (transaction) => {
      for (let turn = 0; turn < 2_500; turn++) await journal(transaction, SITE, site.now(), `ligne ${turn}`);
    });
    const [found] = await Promise.all([verify(), write('pendant', 'encore')]);
    expect(found).toMatchObject({ wrong: undefined, isCut: false });
    expect(found.good).toBeGreaterThanOrEqual(2_501);
  });
});

describe('A journal that somebody changed is found out:', () => {
  beforeEach(() => write('un', 'deux', 'trois', 'quatre'));
  const wrong = async () => (await verify()).wrong?.action;

  test('any field of a line', async () => {
    const [, line] = await lines();
    if (!line) throw new Error('no line');
    const { id, ...words } = line;
    const changes = [
      { instant: '2026-06-20T09:00:00.001Z' },
      { acteur: 'Alicf' },
      { action: 'um' },
      { objet: 'stage' },
      { objet: null },
      { objet_id: 8 },
      { objet_id: null },
      { ip: '' },
      { chaine: `${line.chaine.slice(0, -1)}${line.chaine.endsWith('A') ? 'E' : 'A'}` },
    ];
    for (const change of changes) {
      await set(id, change);
      expect((await verify()).wrong?.id, JSON.stringify(change)).toBe(id);
      await set(id, words);
    }
    expect(await verify()).toMatchObject({ good: 5, wrong: undefined, isCut: false });
  });

  test('a line taken away, at the beginning or in between', async () => {
    await tamper((id) => remove(id(2)));
    expect(await verify()).toMatchObject({ good: 2, wrong: { action: 'trois' } });
    await tamper((id) => remove(id(0)));
    expect(await verify()).toMatchObject({ good: 0, wrong: { action: 'un' } });
  });

  test('the last lines taken away, however the head was mended', async () => {
    const [first] = await lines();
    await tamper((id) => remove(id(-1)));
    expect(await verify()).toMatchObject({ good: 4, wrong: undefined, isCut: true });
    await site.services.database.write((transaction) =>
      transaction
        .updateTable('journal_tete')
        .set({ suite: (_) => _.selectFrom('journal').select('chaine').where('action', '=', 'trois') })
        .execute(),
    );
    expect((await verify()).isCut).toBe(true);
    // Nor is it hidden by the lines that come after.
    await write('après');
    expect(await wrong()).toBe('après');
    await tamper((id) => remove(...[1, 2, 3, 4].map(id)));
    expect(await verify()).toMatchObject({ good: 1, last: first, isCut: true });
  });

  test('all lines taken away', async () => {
    await tamper((id) => remove(...[0, 1, 2, 3, 4].map(id)));
    expect(await verify()).toEqual({ good: 0, last: undefined, wrong: undefined, isCut: true });
  });

  test('a line added, at the end or by its number in between', async () => {
    const [, , line] = await lines();
    if (!line) throw new Error('no line');
    const { id, ...forged } = line;
    await site.services.database.write((transaction) =>
      transaction.insertInto('journal').values(forged).execute(),
    );
    expect(await verify()).toMatchObject({ good: 5, wrong: forged });
    await write('après');
    expect(await verify()).toMatchObject({ good: 5, wrong: forged });
  });

  test('two lines whose words, or whose numbers, changed places', async () => {
    const [, first, second] = await lines();
    if (!first || !second) throw new Error('no lines');
    const { id: one, ...firstWords } = first;
    const { id: two, ...secondWords } = second;
    await set(one, secondWords);
    await set(two, firstWords);
    expect((await verify()).wrong?.id).toBe(one);
    await set(one, firstWords);
    await set(two, secondWords);
    expect(await wrong()).toBe(undefined);
  });

  test('a chain made with another key', async () => {
    const other = makeSecrets(`${TEST_KEY}x`);
    await site.services.database.write(async (transaction) => {
      await forgetChain(transaction);
      await beginChain(transaction, other);
    });
    expect(await wrong()).toBe('zéro');
    await expect(openSiteDatabase(site.services.config)).rejects.toThrow(WRONG_KEY);
  });
});

describe('Lines older than a year', () => {
  test('go, and the others go on fitting', async () => {
    await write('vieille');
    await passDays(site, 200);
    await write('jeune');
    await passDays(site, 170);
    const all = await lines();
    expect(all.map(({ action }) => action)).toEqual(['jeune']);
    expect(await verify()).toMatchObject({ good: 1, wrong: undefined, isCut: false });
    await write('après');
    await passDays(site, 400);
    expect(await lines()).toEqual([]);
    expect(await verify()).toMatchObject({ good: 0, wrong: undefined, isCut: false });
    await write('enfin');
    expect(await verify()).toMatchObject({ good: 1, wrong: undefined, isCut: false });
  });

  test('are those up to the first one that is not: a clock that was wrong leaves no hole', async () => {
    await write('vieille');
    site.advance(4 * 365 * 86_400_000);
    await write('du futur');
    site.advance(-4 * 365 * 86_400_000 + 86_400_000);
    await write('suivante');
    site.advance(-300 * 86_400_000);
    await write('du passé');
    site.advance(300 * 86_400_000);
    await passDays(site, 200);
    expect((await lines()).map(({ action }) => action)).toContain('du passé');
    expect(await verify()).toMatchObject({ wrong: undefined, isCut: false });
    await passDays(site, 170);
    expect(await lines()).toEqual([]);
    expect(await verify()).toMatchObject({ wrong: undefined, isCut: false });
  });

  test('are found out when they were made older so as to go', async () => {
    await write('compromettante', 'autre');
    await site.services.database.write((transaction) =>
      transaction
        .updateTable('journal')
        .set({ instant: '2020-01-01T00:00:00.000Z' })
        .where('action', '!=', 'autre')
        .execute(),
    );
    await passDays(site, 1);
    expect((await lines()).map(({ action }) => action)).toEqual(['autre']);
    expect(await verify()).toMatchObject({ good: 0, wrong: { action: 'autre' } });
  });
});

test('Lines from before the chain, or from after its key was lost, are chained when the site opens', async () => {
  await write('un');
  const { database, secrets } = site.services;
  await database.write(async (transaction) => {
    await transaction.updateTable('journal').set({ chaine: '' }).execute();
    await forgetChain(transaction);
  });
  await write('deux');
  const again = await openSiteDatabase(site.services.config, { clock: site.services.clock });
  await again.database.close();
  const last = (await lines()).at(-1);
  expect([last?.acteur, last?.action]).toEqual(['le site', 'début de la chaîne du journal (3 lignes)']);
  expect(await verify()).toMatchObject({ good: 4, wrong: undefined, isCut: false });
  expect(await database.write((transaction) => beginChain(transaction, secrets))).toBe(undefined);
});

test('is exported as CSV and as JSON Lines, oldest first, with its links; what is chosen, and never as formulas', async () => {
  const token = await site.tokenOf('admin');
  await write('un', 'deux');
  await site.services.database.write((transaction) =>
    journal(transaction, { username: '=cmd|calc' }, site.now(), 'trois; « quatre »'),
  );
  const jsonl = await site.call('GET /journal/jsonl', { token });
  expect(jsonl.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(jsonl.headers.get('content-disposition')).toMatch(/journal-\d{4}-\d\d-\d\d\.jsonl/);
  const kept = await lines();
  expect(kept.map(({ action }) => action)).toEqual([
    'zéro',
    'un',
    'deux',
    'trois; « quatre »',
    'export du journal',
  ]);
  const told = jsonl.text
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(told).toEqual(kept);

  const csv = await site.call('GET /journal/csv?qui=%3Dcmd%7Ccalc', { token });
  const { id, instant, chaine } = kept[3] ?? {};
  // The byte order mark is taken away by who reads it as text.
  expect(csv.text).toBe(
    'id;instant;acteur;action;objet;objet_id;ip;chaine\r\n' +
      `${id};${instant};"'=cmd|calc";"trois; « quatre »";;;;${chaine}\r\n`,
  );
  const none = await site.call('GET /journal/csv?qui=personne', { token });
  expect(none.text).toBe('id;instant;acteur;action;objet;objet_id;ip;chaine\r\n');
});

describe('The command', () => {
  const run = (...words: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const { DATA_DIR, DATABASE_URL } = site.services.config;
      const env = {
        PATH: process.env.PATH,
        DATA_DIR,
        SECRET_KEY: TEST_KEY,
        ...(inject('database') === 'postgres' && DATABASE_URL ? { DATABASE_URL } : {}),
      };
      execFile(process.execPath, [builtCommand('journal'), ...words], { env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });

  test('counts the lines, names the last one, and knows it again', async () => {
    await write('un', 'deux');
    const { code, out } = await run('verifier');
    const [, count, number = '', link = ''] =
      /^Lignes intactes\u202f: (\d+)\. La dernière\u202f: n° (\d+), maillon ([\w-]{43})$/m.exec(out) ?? [];
    const [line] = (await lines()).slice(-1);
    expect([code, count, number, link]).toEqual([0, '3', String(line?.id), line?.chaine]);
    await write('trois');
    expect((await run('verifier', number, link)).code).toBe(0);
    // As after an older copy of the database was put back.
    const other = await run('verifier', String(Number(number) + 5), link);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('n’est pas celle qui a été notée')]);
  });

  test('fails for a journal that was changed, and names the line', async () => {
    await write('un', 'deux', 'trois');
    const [, , line] = await lines();
    await set(line?.id ?? 0, { acteur: 'Bob' });
    const changed = await run('verifier');
    expect([changed.code, changed.out]).toEqual([1, '']);
    expect(changed.err).toContain(`La ligne n° ${line?.id} (${line?.instant}, Bob, deux)`);
    expect(changed.err).toContain('Lignes intactes avant elle\u202f: 2.');
    await set(line?.id ?? 0, { acteur: 'Alice' });
    await tamper((id) => remove(id(-1)));
    const cut = await run('verifier');
    expect([cut.code, cut.err]).toEqual([
      1,
      expect.stringMatching(/^La fin du journal manque\. Lignes intactes\u202f: 3, jusqu’à la ligne n° \d+/),
    ]);
  });

  test('says how it is used', async () => {
    for (const words of [[], ['autre'], ['verifier', '0', 'x'], ['verifier', '3']]) {
      const { code, err } = await run(...words);
      expect([code, err.startsWith('Usage')], words.join(' ')).toEqual([1, true]);
    }
  });
});
