import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownRegistry } from '#tests/support/image.ts';
import { freePort } from '#tests/support/ports.ts';

/*
 * The two commands of the README, on a Debian 12 that has its own Node and npm and nothing else, typed by a user without
 * sudo. For the long run only: it brings some 300 packages of Debian and 500 of npm, in minutes. It needs root (the
 * user of the bare machine is another one), mmdebstrap and bubblewrap.
 */

const REPOSITORY = join(import.meta.dirname, '../..');
const HOME = '/home/camille';
const CLONE = `${HOME}/passerelle`;

const folder = mkdtempSync(join(tmpdir(), 'passerelle-debian-'));
const debian = join(folder, 'root');
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Where this machine gets Debian from. */
function mirror(): string {
  const args = ['indextargets', '--format', '$(SITE)', 'Created-By: Packages', 'Label: Debian'];
  const [site] = execFileSync('apt-get', args, { encoding: 'utf8' }).split('\n');
  if (!site) throw new Error('The sources of apt name no Debian.');
  return site;
}

beforeAll(() => {
  const options = ['--mode=root', '--variant=apt', '--include=nodejs,npm,ca-certificates', '--quiet'];
  execFileSync('mmdebstrap', [...options, 'bookworm', debian, mirror()], { stdio: 'pipe' });
  // What is tracked, and what is new, as it stands here.
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: REPOSITORY, encoding: 'utf8' }).split('\0');
  for (const file of files) {
    const source = join(REPOSITORY, file);
    if (file !== '' && existsSync(source))
      cpSync(source, join(debian, CLONE, file), { verbatimSymlinks: true });
  }
  execFileSync('chroot', [debian, 'useradd', '--uid', '1000', '--home-dir', HOME, 'camille']);
  execFileSync('chown', ['-R', '1000:1000', join(debian, HOME)]);
});

/** Types a command into the clone. `said`: all that it has written so far. */
function type(command: readonly string[], env: Record<string, string> = {}) {
  const readOnly = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl'].flatMap((path) => [
    '--ro-bind',
    path,
    path,
  ]);
  const emptied = ['/tmp', '/dev/shm'].flatMap((path) => ['--perms', '1777', '--tmpfs', path]);
  const own = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME, ...ownRegistry(), ...env };
  const sandbox = [
    ...['--bind', debian, '/', '--proc', '/proc', '--dev', '/dev', ...emptied, ...readOnly],
    ...['--unshare-pid', '--die-with-parent', '--new-session', '--cap-add', 'ALL', '--chdir', CLONE],
    ...['--clearenv', ...Object.entries(own).flatMap(([name, value]) => ['--setenv', name, value])],
    ...['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs', '--bounding-set=-all'],
  ];
  const child = spawn('bwrap', [...sandbox, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said: () => text, ended };
}

test('it is a Debian 12, and who types may do nothing else', async () => {
  const { said, ended } = type(['sh', '-c', 'id -u; node --version; npm --version; command -v sudo']);
  await ended;
  expect(said()).toMatch(/^1000\nv18\..+\n9\..+\n$/);
});

test('npm start installs, builds and serves', async () => {
  const port = await freePort();
  const { child, said, ended } = type(['npm', 'start'], { PORT: String(port) });
  const opened = new Promise<void>((resolve) => {
    child.stdout.on('data', () => said().includes('est ouverte') && resolve());
  });
  await Promise.race([opened, ended]);
  expect(said()).toContain('Passerelle est ouverte');
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</html>')]);
  child.kill('SIGKILL');
  await ended;
});

test('npm run build has nothing left to do, and what the units start is the pinned Node', async () => {
  const build = type(['npm', 'run', 'build']);
  expect(await build.ended, build.said()).toBe(0);
  expect(build.said()).not.toMatch(/Installation|Construction/);
  for (const unit of ['passerelle.service', 'passerelle@.service', 'passerelle-backup.service'])
    expect(readFileSync(join(REPOSITORY, 'deploy', unit), 'utf8')).toMatch(
      /^ExecStart=\/opt\/passerelle\/node_modules\/\.bin\/node /m,
    );
  const node = type(['node_modules/.bin/node', '--version']);
  expect([await node.ended, node.said()]).toEqual([
    0,
    `v${readFileSync(join(REPOSITORY, '.nvmrc'), 'utf8').trim()}\n`,
  ]);
});

test('npm test runs a file of tests', async () => {
  const { said, ended } = type(['npm', 'test', '--', 'tests/platform/time.unit.test.ts']);
  expect(await ended, said()).toBe(0);
  expect(said()).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
});
