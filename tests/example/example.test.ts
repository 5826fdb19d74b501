import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { genreOf, ITEM_KINDS, KINDS, partners, titleOf } from '#features/content/shared/kinds.ts';
import { EXAMPLE } from '#features/example/server/items.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import { form, picture } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import { passDays, type TestSite, wrapSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOTAL = EXAMPLE.length;

/** JSON of an answer; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
type Json = any;

const admin = async (site: TestSite) => ({ token: await site.tokenOf('admin') });
const state = async (site: TestSite): Promise<Json> =>
  (await site.call('GET /exemple', await admin(site))).json;
const until = (site: TestSite, etat: string) =>
  expect.poll(async () => (await state(site)).etat, { interval: 100 }).toBe(etat);
const list = async (site: TestSite, genre: string): Promise<Json[]> =>
  (await site.call(`GET /${genre}?tout=1`, await admin(site))).json;

type Everything = Awaited<ReturnType<typeof everything>>;
/** Every row, file and record that content leaves; `largeurs` come later, by jobs. */
async function everything(site: TestSite) {
  const { db } = site.services.database;
  const root = join(site.directory, 'files');
  const onDisk = existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  const rows = await Promise.all(ITEM_KINDS.map((kind) => db.selectFrom(kind.table).selectAll().execute()));
  return {
    rows: Object.fromEntries(ITEM_KINDS.map((kind, index) => [genreOf(kind), rows[index] ?? []])) as Record<
      string,
      Json[]
    >,
    // When each was last read again changes by itself.
    register: (await db.selectFrom('fichiers').selectAll().orderBy('nom').execute()).map(
      ({ verifie_le: _read, ...file }) => file,
    ),
    onDisk: onDisk.map((entry) => entry.name).sort(),
    records: await db.selectFrom('exemples').selectAll().execute(),
  };
}

/** The example once, whole, each picture with the sizes it needs. */
async function expectWhole(site: TestSite): Promise<void> {
  expect(await state(site)).toEqual({ etat: 'present', en_place: TOTAL, total: TOTAL, erreur: null });
  await site.jobs.idle();
  const { register, onDisk, records } = await everything(site);
  expect(records).toHaveLength(TOTAL);
  for (const kind of ITEM_KINDS) {
    const titles = (await list(site, genreOf(kind))).map((item) => titleOf(kind, item));
    expect(new Set(titles).size, kind.table).toBe(titles.length);
    const wanted = EXAMPLE.filter((item) => item.table === kind.table).map((item) =>
      titleOf(kind, item.texts(site.now(), new Map())),
    );
    expect(titles).toEqual(expect.arrayContaining(wanted));
  }
  const registered = register.flatMap(({ nom, largeurs }) => [
    nom,
    ...(largeurs === '' ? [] : largeurs.split(';').map((width) => nom.replace('.webp', `-${width}.webp`))),
  ]);
  expect(onDisk).toEqual(registered.sort());
}

const isSqlite = inject('database') === 'sqlite';

describe.runIf(!isSqlite)('The example content on PostgreSQL', () => {
  test('is whole once it has come, and leaves nothing behind', async () => {
    const site = await openSite({ isFilled: true });
    await expectWhole(site);
    expect((await site.call('DELETE /exemple', await admin(site))).status).toBe(200);
    await until(site, 'absent');
    await site.jobs.idle();
    const { rows, register, onDisk, records } = await everything(site);
    expect([Object.values(rows).flat(), register, onDisk, records]).toEqual([[], [], [], []]);
    await site.close();
  });
});

/** What `all` has beside `before`: the site's own. */
function without(before: Everything, all: Everything): Everything {
  const others = <T extends { id?: unknown; nom?: unknown }>(list: readonly T[], known: readonly T[] = []) =>
    list.filter((one) => !known.some(({ id, nom }) => id === one.id && nom === one.nom));
  return {
    rows: Object.fromEntries(
      Object.entries(all.rows).map(([genre, rows]) => [genre, others(rows, before.rows[genre])]),
    ),
    register: others(all.register, before.register),
    onDisk: all.onDisk.filter((name) => !before.onDisk.includes(name)),
    records: [],
  };
}

// What no engine changes, step by step on one: coming takes it a quarter of a minute.
describe.runIf(isSqlite)('The example content', () => {
  let site: TestSite;
  let own: Everything;
  beforeAll(async () => {
    site = await openSite({ isFilled: true });
    const before = await everything(site);
    const body = form({ titre: 'La nôtre', description: 'x', image: await picture() });
    expect((await site.call('POST /actualites', { ...(await admin(site)), body })).status).toBe(201);
    const pdf = minutesPdf('Le nôtre', ['Rien.']);
    const document = form({ nom: 'Le nôtre', date_ajout: '2026-01-01', url: [pdf, 'a.pdf'] });
    expect((await site.call('POST /documents', { ...(await admin(site)), body: document })).status).toBe(201);
    await site.jobs.idle();
    own = without(before, await everything(site));
  });
  afterAll(() => site?.close());

  test('does not come again once it is whole', async () => {
    await expectWhole(site);
    const again = await site.call('POST /exemple', await admin(site));
    expect([again.status, again.json]).toEqual([409, { message: 'Le contenu d’exemple est déjà en place.' }]);
    await expectWhole(site);
  });

  test('is what visitors see, beside the site’s own, with its pictures and its ages', async () => {
    for (const kind of KINDS) {
      const count = EXAMPLE.filter((item) => item.table === kind.table).length;
      const answer = await site.call(`GET ${kind.path}`);
      if (kind.readableBy !== 'anyone') {
        expect(answer.status, kind.table).toBe(401);
        continue;
      }
      expect(answer.json, kind.table).toHaveLength(count + (own.rows[genreOf(kind)]?.length ?? 0));
      for (const { illustrations } of answer.json) {
        for (const { nom } of illustrations)
          expect((await site.ask(`HEAD /api/${kind.folder}/${nom}`)).status).toBe(200);
      }
    }
    const { json: news } = await site.call('GET /actualites');
    expect(news[1]).toMatchObject({
      titre: expect.stringMatching(/^Séjours d’hiver/),
      date_publication: new Date(site.now().getTime() - 2 * DAY_MS).toISOString(),
      illustrations: [
        { texte_alternatif: expect.stringMatching(/^Dessin\u202f: deux adultes et un enfant à raquettes/) },
      ],
    });
    const { json: events } = await site.call('GET /events');
    expect(events[1]).toMatchObject({
      title: expect.stringMatching(/Fabrique tes décors/),
      // The first Wednesday from sixteen days on.
      date: '2026-07-08T14:00:00.000Z',
      fin: '2026-07-08T16:00:00.000Z',
      images: expect.stringMatching(/^[0-9a-f]{32}\.webp$/),
    });
    expect((await site.call(`GET /events/${events[1].id}`)).json).toMatchObject([
      {
        lien_plan: 'https://example.org/plan-melezes',
        lien_inscription: 'https://example.org/atelier-decors',
      },
    ]);
    const { json: chart } = await site.call('GET /employe/orgchart');
    expect(chart).toMatchObject([
      { nom: 'Ferreira', children: { length: 3 } },
      {
        nom: 'Okonkwo',
        email: 'bastien.okonkwo@example.org',
        telephone: null,
        cadrage_x: 45,
        children: [
          { nom: 'Delmas' },
          { nom: 'Vasseur', children: [{ nom: 'Fontanel' }, { nom: 'Tamboura' }] },
        ],
      },
    ]);
    const reader = { token: await site.tokenOf('reader') };
    const { json: minutes } = await site.call('GET /documents', reader);
    const opened = await site.ask(`GET /api/doc_stage_formateur/${minutes[0].url}`, reader);
    expect([opened.status, opened.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  });

  test('is in the journal: who asked for it, and what the site then did', async () => {
    const { entrees } = (await site.call('GET /journal?limite=200', await admin(site))).json;
    const asked = entrees.filter(({ action }: Json) => action === 'mise en place du contenu d’exemple');
    expect(asked).toMatchObject([{ acteur: 'Alice', objet: null }]);
    const done = entrees.filter(({ acteur, action }: Json) => acteur === 'le site' && action === 'création');
    // The settings are none: they are changed.
    expect(done).toHaveLength(TOTAL - 1);
    const changed = entrees.filter(({ action }: Json) => action === 'modification des réglages');
    expect(changed).toMatchObject([{ acteur: 'le site' }]);
  });

  test('does not come twice when its work is done twice', async () => {
    const before = await everything(site);
    const twice = [...EXAMPLE.slice(0, 3), { cle: 'actualites/inconnue' }];
    await site.services.database.write(async (db) => {
      for (const { cle } of twice) await addJob(db, 'example', { cle, isComing: true }, site.now());
    });
    await site.jobs.idle();
    expect(await everything(site)).toEqual(before);
  });

  test('leaves nothing behind but what somebody wrote in, which goes to the bin', async () => {
    const [erased, inBin, edited, editedInBin] = (await list(site, 'actualites')).slice(1);
    const edit = async ({ id }: Json) => {
      const body = form({ titre: `À nous ${id}` });
      expect((await site.call(`PUT /actualites/${id}`, { ...(await admin(site)), body })).status).toBe(200);
    };
    const remove = async ({ id }: Json) =>
      expect((await site.call(`DELETE /actualites/${id}`, await admin(site))).status).toBe(200);
    await remove(erased);
    await passDays(site, 31);
    expect((await everything(site)).rows.actualites?.map(({ id }) => id)).not.toContain(erased.id);
    expect((await state(site)).etat).toBe('present');
    await remove(inBin);
    await edit(edited);
    await edit(editedInBin);
    await remove(editedInBin);
    const visited = (await site.call('GET /logos')).json;
    expect(visited.length).toBeGreaterThan(0);

    const who = await admin(site);
    const both = await Promise.all([site.call('DELETE /exemple', who), site.call('DELETE /exemple', who)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.json).toEqual({
      message: 'Le contenu d’exemple part.',
    });
    await until(site, 'absent');
    await site.jobs.idle();

    const bin = (await site.call('GET /corbeille', who)).json;
    expect(bin.map(({ titre }: Json) => titre).sort()).toEqual(
      [`À nous ${edited.id}`, `À nous ${editedInBin.id}`].sort(),
    );
    const left = await everything(site);
    expect(left.records).toEqual([]);
    const kept = [edited.id, editedInBin.id];
    for (const [genre, rows] of Object.entries(left.rows)) {
      const others = rows.filter((row) => genre !== 'actualites' || !kept.includes(row.id));
      expect(others, genre).toEqual(own.rows[genre]);
    }
    const isKept = ({ objet, objet_id }: Json) => objet === 'actualites' && kept.includes(objet_id);
    expect(left.register.filter((file) => !isKept(file))).toEqual(own.register);
    const names = left.register.map(({ nom }) => nom);
    expect(left.onDisk.filter((name) => !names.includes(name.replace(/-\d+(?=\.webp$)/, '')))).toEqual([]);
    // At once, for visitors too.
    expect((await site.call('GET /logos')).json).toEqual([]);
    expect((await site.call('GET /actualites')).json).toHaveLength(1);

    await site.call(`POST /corbeille/actualites/${edited.id}/restaurer`, who);
    const [{ image_url }] = (await site.call(`GET /actualites/${edited.id}`)).json;
    expect((await site.ask(`GET /api/images_stages/${image_url}`)).status).toBe(200);
    const { entrees } = (await site.call('GET /journal?limite=200', who)).json;
    expect(entrees.filter(({ action }: Json) => action === 'retrait du contenu d’exemple')).toMatchObject([
      { acteur: 'Alice' },
    ]);
  });
});

describe.runIf(isSqlite)('The example content, as it comes', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  /** Without its place for received files the site can put in only what has none. */
  const breakDown = () => rmSync(site.services.staging.directory, { recursive: true });
  const mend = () => mkdirSync(site.services.staging.directory);
  async function giveUp(): Promise<void> {
    for (let tries = 0; tries < 8; tries++) {
      site.advance(HOUR_MS);
      await site.jobs.idle();
    }
  }
  const REASON = 'Une erreur inattendue est survenue\u202f; elle a été notée. Réessayez dans un instant.';
  const inPart = { en_place: expect.toSatisfy((count) => count > 0 && count < TOTAL), total: TOTAL };

  test('is not there at first, and cannot be taken out then', async () => {
    expect(await state(site)).toEqual({ etat: 'absent', en_place: 0, total: TOTAL, erreur: null });
    const refused = await site.call('DELETE /exemple', await admin(site));
    expect([refused.status, refused.json]).toEqual([
      409,
      { message: 'Le contenu d’exemple n’est pas en place.' },
    ]);
  });

  test('comes once, however often it is asked for', async () => {
    breakDown();
    const who = await admin(site);
    const both = await Promise.all([site.call('POST /exemple', who), site.call('POST /exemple', who)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.json).toEqual({
      message: 'Le contenu d’exemple arrive.',
    });
    expect((await state(site)).etat).toBe('arrive');
    for (const what of ['POST /exemple', 'DELETE /exemple']) {
      const refused = await site.call(what, who);
      expect(refused.status, what).toBe(409);
      expect(refused.json.message).toMatch(/en train d’arriver/);
    }
  });

  test('is tried again by itself, then says why it is there in part', async () => {
    await site.jobs.idle();
    expect(await state(site)).toEqual({ etat: 'arrive', ...inPart, erreur: REASON });
    await giveUp();
    expect(await state(site)).toEqual({ etat: 'interrompu', ...inPart, erreur: REASON });
  });

  test('can then be taken out', async () => {
    expect((await site.call('DELETE /exemple', await admin(site))).status).toBe(200);
    await site.jobs.idle();
    expect(await state(site)).toEqual({ etat: 'absent', en_place: 0, total: TOTAL, erreur: null });
    const { rows, register, onDisk, records } = await everything(site);
    expect([Object.values(rows).flat(), register, onDisk, records]).toEqual([[], [], [], []]);
  });

  test('can be asked for again, and then comes whole through a stop and a start', async () => {
    expect((await site.call('POST /exemple', await admin(site))).status).toBe(200);
    await giveUp();
    const { etat, en_place } = await state(site);
    expect(etat).toBe('interrompu');
    mend();
    expect((await site.call('POST /exemple', await admin(site))).status).toBe(200);
    expect(await state(site)).toMatchObject({ etat: 'arrive', erreur: null });
    await expect
      .poll(async () => (await state(site)).en_place, { interval: 20 })
      .toBeGreaterThan(en_place + 2);
    await site.stop();

    const { directory, logLines, advance, now } = site;
    const { config, log } = site.services;
    const again = wrapSite(await startServer(config, { clock: now, log }), {
      directory,
      logLines,
      advance,
      now,
      cleanUp: async () => {},
    });
    expect((await state(again)).etat).toBe('arrive');
    // Cached by the site, long before they come: what a visitor reads has to change all the same.
    const visible = async () => (await again.call('GET /logos')).json.length;
    expect(await visible()).toBe(0);
    await until(again, 'present');
    expect(await visible()).toBe(EXAMPLE.filter(({ table }) => table === partners.table).length);
    await expectWhole(again);
    await again.close();
  });
});
