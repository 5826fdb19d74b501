import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPlace, type Place, start, stop } from '#tests/support/process.ts';
import { builtCommand } from '#tools/build.mjs';

/* The command of an installed site, `passerelle …`: as its account, with its variables. */

const ROOT = join(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;
/** An account other than the one of the tests, where it may read the sources and reach the temporary folder. */
const NOBODY = 65_534;
const needs = ['-r', join(ROOT, 'package.json'), '-a', '-x', tmpdir()];
const canRead = isRoot && spawnSync('test', needs, { uid: NOBODY }).status === 0;
const account = canRead ? { name: 'nobody', uid: NOBODY } : { name: '', uid: process.getuid?.() ?? 0 };

let place: Place;
let folder: string;
beforeAll(async () => {
  place = await newPlace();
  folder = mkdtempSync(join(tmpdir(), 'passerelle-command-'));
  chmodSync(folder, 0o711);
  expect(await stop(await start(place))).toBe(0);
  if (!canRead) return;
  for (const entry of readdirSync(place.directory, { recursive: true, encoding: 'utf8' }))
    chownSync(join(place.directory, entry), account.uid, account.uid);
  chownSync(place.directory, account.uid, account.uid);
});
afterAll(async () => {
  await place?.clean();
  rmSync(folder, { recursive: true, force: true });
});

function variables(lines: string): string {
  const path = join(folder, 'passerelle.env');
  writeFileSync(path, lines, { mode: 0o600 });
  return path;
}

interface How {
  /** The file of the variables of the service. */
  file?: string;
  as?: number | undefined;
  /** Variables that are there already. */
  given?: Record<string, string>;
}

function run(
  words: string[],
  { file = variables(''), as = process.getuid?.(), given = {} }: How = {},
): Promise<{ code: number; out: string; err: string }> {
  const env = {
    ...given,
    ...{ PATH: process.env.PATH, PASSERELLE_ENV: file, PASSERELLE_DATA: place.directory },
    ...(account.name && { PASSERELLE_ACCOUNT: account.name }),
    ...(isRoot && !account.name && { PASSERELLE_ACCOUNT: 'root' }),
  };
  const options = { cwd: ROOT, env, ...(as !== process.getuid?.() && { uid: as }) };
  return new Promise((resolve) => {
    const command = [builtCommand('passerelle'), ...words];
    execFile(process.execPath, command, options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
    );
  });
}

describe('The command of an installed site', () => {
  test('works on its data, and what it writes is the site’s own', async () => {
    const made = await run(['admin', 'create', 'Zoé']);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain('Administrateur «\u00a0Zoé\u00a0» créé');
    const { out } = await run(['admin', 'list']);
    expect(out).toContain('Zoé\tjamais connecté');
    const backups = join(place.directory, 'sauvegardes');
    expect((await run(['backup', backups])).code).toBe(0);
    expect((await run(['backup', '--verifier', backups])).out).toContain('intacte');
    expect(statSync(join(backups, 'destination.json')).uid).toBe(account.uid);
    // The words after its name are the command's own.
    expect((await run(['doctor', '--rien'])).err).toMatch(/^Usage :\n {2}passerelle doctor/);
  });

  test('takes the variables of the service as systemd reads them', async () => {
    const key = 'a#key with spaces = and "quotes" that only tests use';
    const file = variables(
      `# comment\n\nDATA_DIR=/nowhere\nSECRET_KEY='${key}'\nLOG_LEVEL="silent"\nDATA_DIR=${place.directory}\n`,
    );
    const { out } = await run(['doctor'], { file });
    // The site has a key of its own: this one was read whole, and opens nothing.
    expect(out).toContain('SECRET_KEY\u202f: ');
    expect(out).not.toContain('Aucun site');
  });

  test.runIf(canRead || !isRoot)(
    'is that of a container too, whose variables and account are there',
    async () => {
      const inContainer = {
        file: join(folder, 'none'),
        as: account.uid,
        given: { DATA_DIR: place.directory },
      };
      expect(await run(['admin', 'list'], inContainer)).toMatchObject({
        ...{ code: 0, err: '', out: expect.stringContaining('Zoé') },
      });
    },
  );

  test('says what is missing: the word, the file, the account, the right to read', async () => {
    for (const words of [[], ['tout'], ['../../etc/passwd'], ['demo']]) {
      const { code, out, err } = await run(words);
      const [word] = words;
      const said = word === undefined ? 'Usage :' : `«\u00a0${word}\u00a0» n’est pas une commande.`;
      expect([code, out, err.split('\n')[0]]).toEqual([1, '', said]);
    }
    if (isRoot) expect((await run(['doctor'], { file: join(folder, 'none') })).err).toContain('n’existe pas');
    if (canRead)
      expect((await run(['doctor'], { as: NOBODY })).err).toContain(
        'tapez «\u00a0sudo passerelle doctor\u00a0»',
      );
  });
});

test('The page of incidents names commands that there are, with words that they know', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const commands = [...read('docs/incidents.md').matchAll(/^sudo passerelle (\w+)(.*)$/gm)];
  expect(commands.length).toBeGreaterThan(7);
  for (const [line, command = '', words = ''] of commands) {
    const usage = /USAGE = `([^`]*)`/.exec(read(`operations/cli/${command}.ts`))?.[1] ?? '';
    for (const word of words.match(/(?<= )(--)?[a-z][a-z-]+(?= |$)/g) ?? [])
      expect(usage, line).toContain(word);
  }
});
