import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeServices, openServices } from '#app/server/start.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { readConfig } from '#platform/server/config.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { kill, killAll, newPlace, start, stop } from '#tests/support/process.ts';
import { openSite } from '#tests/support/site.ts';

/* Files are read again within a week: what a disk forgot is told, and only that. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STAY = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };

let site: TestSite;
beforeEach(async () => {
  site = await openSite();
  // The works of its start are over: late, they would read the files before these are damaged.
  await site.schedule.tick();
});
afterEach(() => site.close());

async function addStay(services: TestSite['services']): Promise<number> {
  return services.database.write((transaction) =>
    insertStay(transaction, services.secrets, STAY, services.clock()),
  );
}

const register = () => site.services.database.db.selectFrom('fichiers').selectAll().orderBy('nom').execute();
const pathOf = ({ dossier, nom }: { dossier: string; nom: string }) =>
  join(site.directory, 'files', keyOf(dossier, nom));
const damaged = async () =>
  (await register()).flatMap(({ nom, abime_le }) => (abime_le === null ? [] : [nom]));

async function pass(ms: number): Promise<void> {
  site.advance(ms);
  await site.schedule.tick();
}

async function told(): Promise<string[]> {
  const token = await site.tokenOf('admin');
  const { alertes } = (await site.call('GET /tableau-de-bord', { token })).json;
  return alertes.flatMap(({ texte }: { texte: string }) => (texte.includes('abîmé') ? [texte] : []));
}

function flipOneBit(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

describe('Files that are read again', () => {
  test('with one bit changed in each of a hundred, a hundred are found, and told until they are put back', async () => {
    await addPhotos(site.services, await addStay(site.services), 40);
    const files = await register();
    expect(files).toHaveLength(200);
    await pass(HOUR);
    expect([await damaged(), await told()]).toEqual([[], []]);

    const chosen = files.slice(30, 130);
    const copies = chosen.map((file) => [pathOf(file), readFileSync(pathOf(file))] as const);
    for (const [path] of copies) flipOneBit(path);
    await pass(HOUR);
    // Read an hour ago: they rest.
    expect(await damaged()).toEqual([]);
    await pass(3 * DAY);
    expect(await damaged()).toEqual(chosen.map(({ nom }) => nom));
    const [first, second] = chosen.map(({ dossier, nom }) => keyOf(dossier, nom));
    expect(await told()).toEqual([
      `100 fichiers du site sont abîmés ou ont disparu (${first}, ${second} et 98 autres)\u202f: ` +
        'prévenez la personne qui héberge le site, qui répare cela avec une sauvegarde.',
    ]);
    const logged = () => site.logLines.filter((line) => line.includes('damaged or missing'));
    expect(logged()).toHaveLength(100);
    // Said once, and not each hour.
    await pass(HOUR);
    expect(logged()).toHaveLength(100);

    for (const [path, bytes] of copies) writeFileSync(path, bytes);
    await pass(HOUR);
    expect([await damaged(), await told()]).toEqual([[], []]);
  });

  test('one that is cut short, longer, gone or not a file is told like a damaged one', async () => {
    await addPhotos(site.services, await addStay(site.services), 2);
    const files = await register();
    const [cut, grown, gone] = files.map(pathOf) as [string, string, string];
    truncateSync(cut, 100);
    writeFileSync(grown, 'x', { flag: 'a' });
    renameSync(gone, `${gone}.aside`);
    await pass(HOUR);
    expect(await damaged()).toEqual(files.slice(0, 3).map(({ nom }) => nom));
    rmSync(cut);
    renameSync(`${gone}.aside`, gone);
    await pass(HOUR);
    expect(await damaged()).toEqual(files.slice(0, 2).map(({ nom }) => nom));
  });

  test('a damaged one is still shown, and one that is erased is told no longer', async () => {
    const id = await addStay(site.services);
    const [photo] = await addPhotos(site.services, id, 1);
    const files = await register();
    for (const file of files) flipOneBit(pathOf(file));
    await pass(HOUR);
    expect(await damaged()).toHaveLength(5);
    const token = await site.tokenOf('admin');
    const shown = await site.ask(`GET /api/photos/${files[0]?.nom}`, { token });
    expect(shown.status).toBe(200);
    await site.call('POST /photos/effacer', { token, body: { ids: [photo] } });
    expect([await register(), await told()]).toEqual([[], []]);
  });

  test('each is read within a week, however the clock jumps', async () => {
    await addPhotos(site.services, await addStay(site.services), 3);
    const oldest = async () => {
      const read = (await register()).map(({ verifie_le }) => Date.parse(verifie_le));
      return site.now().getTime() - Math.min(...read);
    };
    for (const jump of [HOUR, 400 * DAY, -400 * DAY, -2 * DAY]) {
      site.advance(jump);
      for (let day = 0; day < 8; day++) await pass(DAY);
      expect(await oldest()).toBeLessThan(7 * DAY);
      expect(await oldest()).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('A site killed while it reads files again', () => {
  afterEach(killAll);

  test('goes on where it was, and answers meanwhile', async () => {
    const place = await newPlace();
    const opened = async <T>(work: (services: Awaited<ReturnType<typeof openServices>>) => Promise<T>) => {
      const services = await openServices(readConfig(place.env));
      try {
        return await work(services);
      } finally {
        await closeServices(services);
      }
    };
    const readings = () =>
      opened(async ({ database }) => {
        // Its turn would come within the hour.
        await database.write((db) => db.deleteFrom('planifications').execute());
        const rows = await database.db.selectFrom('fichiers').select(['nom', 'verifie_le']).execute();
        return new Map(rows.flatMap(({ nom, verifie_le }) => (verifie_le === '' ? [] : [[nom, verifie_le]])));
      });
    await opened(async (services) => addPhotos(services, await addStay(services), 500));
    const all = 500 * 5;

    const first = await start(place);
    const services = await openServices(readConfig(place.env));
    const countRead = async () =>
      (
        await services.database.db
          .selectFrom('fichiers')
          .select('nom')
          .where('verifie_le', '!=', '')
          .execute()
      ).length;
    while ((await countRead()) === 0)
      expect((await fetch(`${first.url}/api/api/actualites`)).status).toBe(200);
    await kill(first);
    await closeServices(services);
    const before = await readings();
    expect(before.size).toBeGreaterThan(0);
    expect(before.size).toBeLessThan(all);

    const second = await start(place);
    await expect.poll(async () => (await readings()).size).toBe(all);
    await stop(second);
    const after = await readings();
    // What was read before the kill is not read twice.
    for (const [nom, instant] of before) expect(after.get(nom)).toBe(instant);
    await place.clean();
  });
});
