import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { variablesIn } from '#operations/cli/variables.ts';
import { freePort } from '#tests/support/ports.ts';

/* The archive that `npm run release` makes for this machine, and a site that its `./install` puts into service from it. */

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a release in a folder, signed by a key of ssh; returns its archive. */
function release(to: string): string {
  const env = { ...process.env, RELEASE_KEY: join(folder, 'key') };
  execFileSync(process.execPath, ['tools/release.mjs', to, process.arch], { stdio: 'pipe', env });
  const name = readdirSync(to).find((file) => file.endsWith('.tar.gz'));
  return join(to, name ?? '');
}

let archive: string;
let site: string;
beforeAll(() => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  archive = release(join(folder, 'one'));
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  site = join(folder, readdirSync(folder).find((name) => name.startsWith('passerelle-')) ?? '');
});

test('the same sources make the same bytes, whose sums are signed', () => {
  expect(readFileSync(release(join(folder, 'two'))).equals(readFileSync(archive))).toBe(true);
  const cwd = join(folder, 'one');
  expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd, encoding: 'utf8' })).toMatch(/: OK$/m);
  const signers = join(folder, 'signers');
  writeFileSync(signers, `auteur ${readFileSync(join(folder, 'key.pub'), 'utf8')}`);
  const verify = ['-Y', 'verify', '-f', signers, '-I', 'auteur', '-n', 'passerelle', '-s', 'SHA256SUMS.sig'];
  const verified = (input: string) => spawnSync('ssh-keygen', verify, { cwd, input }).status;
  const sums = readFileSync(join(cwd, 'SHA256SUMS'), 'utf8');
  expect([verified(sums), verified(`${sums}.`)]).toEqual([0, 255]);
});

test('it holds what a machine needs, and nothing of tests, of what builds it or of this folder', () => {
  const held = readdirSync(site);
  expect(held).toEqual(
    expect.arrayContaining(['CHANGELOG.md', 'README.md', 'deploy', 'docs', 'install', 'node_modules']),
  );
  for (const name of ['deploy/install', 'deploy/install.mjs', 'deploy/passerelle.env.example'])
    expect(existsSync(join(site, name)), name).toBe(true);
  expect(readdirSync(join(site, 'sbom'))).toEqual(['licences.txt', 'passerelle.cdx.json']);
  for (const name of ['data', 'tests', 'tools', 'vite.config.ts', '.git']) expect(held).not.toContain(name);
  for (const name of ['vite', 'react', 'vitest', 'typescript'])
    expect(existsSync(join(site, 'node_modules', name)), name).toBe(false);
  const node = execFileSync(join(site, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' });
  expect(node.trim().slice(1)).toBe(readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim());
});

describe('./install', () => {
  let root: string;
  beforeAll(() => {
    root = join(folder, 'root');
    mkdirSync(root);
  });

  /** Types ./install for a machine that is a folder; what it said. */
  function install(...words: string[]): string {
    const { PUBLIC_URL: _url, SMTP_URL: _mail, MAIL_FROM: _from, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(join(site, 'install'), ['--root', root, ...words], {
      ...{ encoding: 'utf8', env },
    });
    expect(status, stdout + stderr).toBe(0);
    return stdout;
  }
  const on = (path: string) => join(root, path);

  test('says what it would do, and does nothing when that is all that is asked', () => {
    const said = install('--essai');
    for (const what of ['/opt/passerelle-', '/etc/passerelle.env', 'passerelle.service', 'recharge nginx'])
      expect(said).toContain(what);
    expect(readdirSync(root)).toEqual([]);
  });

  test('puts a site in its place that answers with its first page', async () => {
    const port = await freePort();
    install(`PORT=${port}`, 'PUBLIC_URL=http://127.0.0.1');
    const env = variablesIn(readFileSync(on('etc/passerelle.env'), 'utf8'));
    expect(env).toEqual({ PORT: String(port), PUBLIC_URL: 'http://127.0.0.1' });
    for (const name of readdirSync(join(ROOT, 'deploy')).filter((one) => /\.(service|timer)$/.test(one)))
      expect(readFileSync(on(`etc/systemd/system/${name}`), 'utf8')).toBe(
        readFileSync(join(ROOT, 'deploy', name), 'utf8'),
      );
    expect(readFileSync(on('usr/local/bin/passerelle'), 'utf8')).toBe(
      readFileSync(join(ROOT, 'deploy/passerelle'), 'utf8'),
    );
    const data = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', LOG_LEVEL: 'warn' };
    const child = spawn(on('opt/passerelle/node_modules/.bin/node'), ['dist/site/main.js'], {
      ...{ cwd: on('opt/passerelle'), env: { ...env, ...data }, stdio: 'ignore' },
    });
    try {
      await expect
        .poll(() => fetch(`http://127.0.0.1:${port}/readyz`).then((got) => got.text(), String))
        .toBe('ok');
      const page = await fetch(`http://127.0.0.1:${port}/`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</html>')]);
    } finally {
      child.kill();
      await new Promise((resolve) => child.once('close', resolve));
    }
  });

  test('writes for nginx what it takes: in plain text to look around, with a certificate for a name', () => {
    const written = readFileSync(on('etc/nginx/conf.d/passerelle.conf'), 'utf8');
    expect(written).not.toMatch(/ssl|443|3001|cse\.example/);
    const outer = join(folder, 'nginx.conf');
    const site = written.replace(/^ +listen .*$/gm, '').replaceAll('/var/log/nginx', folder);
    writeFileSync(outer, `pid ${folder}/pid; events {} http { ${site} }`);
    const { stderr, status } = spawnSync(
      '/usr/sbin/nginx',
      ['-t', '-q', '-p', folder, '-e', `${folder}/error.log`, '-c', outer],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    // No more than a name and the second process is changed of what other tests serve by.
    install('PUBLIC_URL=https://cse.example', 'PORT=3000');
    const lines = (text: string) => text.split('\n').filter((line) => !line.includes('[::]'));
    const shipped = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8').replace(/^.*:3001 .*\n/m, '');
    expect(lines(readFileSync(on('etc/nginx/conf.d/passerelle.conf'), 'utf8'))).toEqual(lines(shipped));
  });

  test('typed again changes nothing, and keeps what somebody changed', () => {
    expect(install()).toContain('Tout est déjà en place.');
    const unit = on('etc/systemd/system/passerelle.service');
    writeFileSync(unit, '# mine\n');
    expect(install()).toContain('a été changé à la main et reste');
    expect(readFileSync(unit, 'utf8')).toBe('# mine\n');
    expect(existsSync(`${unit}.nouveau`)).toBe(true);
  });

  test('is undone by --remove, but for data, settings and backups; and comes back', () => {
    mkdirSync(on('var/lib/passerelle'), { recursive: true });
    const before = readFileSync(on('etc/passerelle.env'), 'utf8');
    install('--remove');
    expect(readdirSync(on('opt'))).toEqual([]);
    expect(readdirSync(on('etc/nginx/conf.d'))).toEqual(['passerelle.conf.avant']);
    expect(existsSync(on('usr/local/bin/passerelle'))).toBe(false);
    expect(existsSync(on('var/lib/passerelle'))).toBe(true);
    expect(existsSync(on('srv/sauvegardes'))).toBe(true);
    expect(readFileSync(on('etc/passerelle.env'), 'utf8')).toBe(before);
    expect(install('--remove')).toContain('Rien n’est installé.');
    install();
    expect(readFileSync(on('etc/passerelle.env'), 'utf8')).toBe(before);
    expect(existsSync(on('opt/passerelle/dist/site/main.js'))).toBe(true);
  });
});
