import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PARTS } from '#features/takeover/server/openFiles.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { clearFolders, command, homeOf, newFolder } from '#tests/support/commands.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* The whole site as open files. */

let site: TestSite;
let folder: string;
let said: Awaited<ReturnType<typeof command>>;
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const json = (name: string) => JSON.parse(read(`${name}.json`));

beforeAll(async () => {
  site = await openSite({ isFilled: true });
  const [stay] = (await site.call('GET /stages')).json;
  await addPhotos(site.services, stay.id, 3);
  const body = { nom: '=1+1', prenom: 'Zoé; "citée"', mailRL: 'zoe@exemple.fr', stageId: stay.id };
  expect((await site.call('POST /add-stagiaire', { token: await site.tokenOf('admin'), body })).status).toBe(
    201,
  );
  folder = join(newFolder(), 'export');
  // While it runs.
  said = await command('export', [folder], homeOf(site).env);
});
afterAll(async () => {
  await site?.close();
  clearFolders();
});

describe('The export', () => {
  test('has each table twice, whole, as CSV and as JSON', async () => {
    expect([said.code, said.err]).toEqual([0, '']);
    const { db } = site.services.database;
    for (const [table, part] of Object.entries(PARTS)) {
      if (typeof part === 'string') continue;
      const [file, , without = []] = part;
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
      const written: Record<string, unknown>[] = json(file);
      expect(written.length, table).toBe(rows.length);
      const names = Object.keys(rows[0] ?? {});
      // No column is left out that is not there.
      if (rows.length > 0) expect(names, table).toEqual(expect.arrayContaining([...without]));
      const kept = names.filter((name) => !without.includes(name));
      const expected = rows.map((row) => JSON.stringify(kept.map((name) => row[name]))).sort();
      expect(written.map((row) => JSON.stringify(kept.map((name) => row[name]))).sort(), table).toEqual(
        expected,
      );

      const text = read(`${file}.csv`);
      expect(text.startsWith('\ufeff'), table).toBe(true);
      const parsed = papaparse.parse<Record<string, string>>(text.slice(1), {
        header: true,
        skipEmptyLines: true,
      });
      expect([parsed.errors, parsed.data.length], table).toEqual([[], rows.length]);
    }
  });

  test('keeps a text a text where a spreadsheet would take it for a formula', () => {
    expect(json('enfants')).toContainEqual(expect.objectContaining({ nom: '=1+1', prenom: 'Zoé; "citée"' }));
    const line = read('enfants.csv')
      .split('\r\n')
      .find((one) => one.includes('zoe@exemple.fr'));
    expect(line).toContain(`'=1+1`);
    expect(line).toContain('"Zoé; ""citée"""');
  });

  test('has every picture, photo and PDF, byte for byte, and once', async () => {
    const files: { dossier: string; nom: string; sha256: string }[] = json('fichiers');
    const there = readdirSync(join(folder, 'fichiers'), { recursive: true, withFileTypes: true }).filter(
      (one) => one.isFile(),
    );
    const sums = new Map(files.map(({ dossier, nom, sha256 }) => [`${dossier}/${nom}`, sha256]));
    for (const entry of there) {
      const path = join(entry.parentPath, entry.name);
      const key = path.slice(join(folder, 'fichiers').length + 1);
      expect(createHash('sha256').update(readFileSync(path)).digest('hex'), key).toBe(sums.get(key));
    }
    const missing = [...sums.keys()].filter((key) => !existsSync(join(folder, 'fichiers', key)));
    expect(missing.every((key) => /^photos\/.*_(320|480|960)\.webp$/.test(key))).toBe(true);
    expect(there.filter(({ name }) => name.endsWith('.pdf')).length).toBeGreaterThan(5);
    expect(there.filter(({ name }) => name.endsWith('_1920.webp')).length).toBeGreaterThan(3);
  });

  test('says what each file is, and holds no secret', async () => {
    const about = read('LISEZMOI.md');
    for (const name of readdirSync(folder)) if (name !== 'LISEZMOI.md') expect(about).toContain(name);
    expect(json('reglages')).toMatchObject({ organisation_nom: expect.any(String) });
    const all = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map(read)
      .join();
    const { db } = site.services.database;
    const { mdp_stagiaire } = await db.selectFrom('stages').select('mdp_stagiaire').executeTakeFirstOrThrow();
    const { mot_de_passe } = await db.selectFrom('admins').select('mot_de_passe').executeTakeFirstOrThrow();
    for (const secret of [mdp_stagiaire, mot_de_passe, 'argon2']) expect(all).not.toContain(secret);
    expect(statSync(folder).mode & 0o077).toBe(0);
    const { acteur } = await db
      .selectFrom('journal')
      .select('acteur')
      .where('action', '=', 'export de tout le site')
      .executeTakeFirstOrThrow();
    expect(acteur).toBe('commande');
  });

  test('of the portal is one ZIP of the same, which a thief of the cookie does not get', async () => {
    const token = await site.tokenOf('admin');
    const known = (await site.call('POST /export', { token })).json;
    const answer = await fetch(`${site.origin}${API_PREFIX}/export.zip`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('content-disposition')).toMatch(/filename=passerelle-[\d-]+\.zip/);
    const at = join(newFolder(), 'site.zip');
    writeFileSync(at, Buffer.from(await answer.arrayBuffer()));
    const unpacked = newFolder();
    // Its checksums are read as well.
    execFileSync('unzip', ['-q', at, '-d', unpacked]);
    const listed = (where: string) =>
      readdirSync(where, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(where.length + 1))
        .sort();
    expect(listed(unpacked)).toEqual(listed(folder));
    const files = listed(folder).filter((name) => name.startsWith('fichiers/'));
    expect(known.fichiers).toBe(files.length);
    for (const name of ['enfants.csv', 'sejours.json', 'reglages.json', ...files])
      expect(readFileSync(join(unpacked, name)).equals(readFileSync(join(folder, name))), name).toBe(true);
    const { db } = site.services.database;
    const lines = await db
      .selectFrom('journal')
      .select('acteur')
      .where('action', '=', 'export de tout le site')
      .execute();
    expect(lines.length).toBe(2);

    site.advance(11 * 60_000);
    for (const key of ['POST /export', 'GET /export.zip'] as const)
      expect(
        (await site.ask(`${key.split(' ')[0]} ${API_PREFIX}${key.split(' ')[1]}`, { token })).status,
      ).toBe(403);
  });

  test('writes over nothing, tells of a run that was killed, and names a file that the site has lost', async () => {
    expect((await command('export', [folder], homeOf(site).env)).err).toContain('n’est pas vide');
    expect((await command('export', [], homeOf(site).env)).err).toMatch(/^Usage :/);
    const inFile = join(folder, 'LISEZMOI.md', 'export');
    expect((await command('export', [inFile], homeOf(site).env)).err).toBe(
      `${inFile}\u202f: ce n’est pas un dossier. Rien n’est exporté.\n`,
    );
    const other = join(newFolder(), 'autre');
    mkdirSync(`${other}.en-cours`);
    expect((await command('export', [other], homeOf(site).env)).err).toContain(
      'reste d’un export interrompu',
    );
    rmSync(`${other}.en-cours`, { recursive: true });
    mkdirSync(other);
    const [lost] = json('fichiers').filter(({ nom }: { nom: string }) => nom.endsWith('.pdf'));
    rmSync(join(site.directory, 'files', keyOf(lost.dossier, lost.nom)));
    const { code, out } = await command('export', [other], homeOf(site).env);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`Le site a perdu ce fichier\u202f: ${keyOf(lost.dossier, lost.nom)}`),
    ]);
    expect(readdirSync(other)).toContain('LISEZMOI.md');
    expect(existsSync(`${other}.en-cours`)).toBe(false);
  });
});
