import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#tests/support/ports.ts';

/* The archive that `npm run release` makes, and a site that starts from it. */

const folder = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a release in a folder; returns its file. */
function release(to: string): string {
  execFileSync(process.execPath, ['tools/release.mjs', to], { stdio: 'pipe' });
  const name = readdirSync(to).find((file) => file.endsWith('.tar.gz'));
  return join(to, name ?? '');
}

let archive: string;
let site: string;
beforeAll(() => {
  archive = release(join(folder, 'one'));
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  site = join(folder, readdirSync(folder).find((name) => name.startsWith('passerelle-')) ?? '');
});

test('the same sources make the same bytes', () => {
  expect(readFileSync(release(join(folder, 'two')))).toEqual(readFileSync(archive));
  expect(
    execFileSync('sha256sum', ['-c', `${archive}.sha256`], { cwd: join(folder, 'one') }).toString(),
  ).toMatch(/: OK$/m);
});

test('it holds what its readers look for, and nothing of tests or of this folder', () => {
  const held = readdirSync(site);
  expect(held).toEqual(
    expect.arrayContaining(['CHANGELOG.md', 'README.md', 'deploy', 'docs', 'package-lock.json']),
  );
  expect(readdirSync(join(site, 'sbom'))).toEqual(['licences.txt', 'passerelle.cdx.json']);
  for (const name of ['data', 'node_modules', 'tests', 'vite.config.ts', '.git'])
    expect(held).not.toContain(name);
  expect(JSON.parse(readFileSync(join(site, 'package.json'), 'utf8')).devDependencies).toBeUndefined();
});

test('npm start installs what a built site needs, compiles nothing, and serves it; its commands work', async () => {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
  };
  const child = spawn('npm', ['start'], {
    cwd: site,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    await expect.poll(() => said, { interval: 100 }).toMatch(/est ouverte|npm error/);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</html>')]);
    expect(said).toContain('Installation des dépendances');
    expect(said).not.toContain('Construction');
    for (const name of ['vite', 'react', 'vitest', 'typescript'])
      expect(existsSync(join(site, 'node_modules', name)), name).toBe(false);
    const list = execFileSync('npm', ['run', '--silent', 'admin', '--', 'list'], {
      cwd: site,
      env,
      encoding: 'utf8',
    });
    expect(list).toMatch(/^admin\t/);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
  }
});
