// npm run release [-- folder [architecture…]]: in release/ or that folder, an archive for each kind of machine with the
// built site, its packages and its Node, SHA256SUMS and, with RELEASE_KEY (the file of a key of ssh), SHA256SUMS.sig.
// The same sources make the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { foldersFor, manifestsFor } from './dependencies.mjs';
import { root } from './files.mjs';
import { ensureInstalled, node24, npm, removeSpareFiles } from './install.mjs';
import { main, run, Stop } from './process.mjs';

/** As Node names them; package.json pins a Node for each. */
const ARCHITECTURES = ['x64', 'arm64'];

/** What is carried as it is. What decodes pictures, and the example content, run from the sources. */
const carried = [
  ...['app', 'features', 'operations', 'platform', 'dist', 'deploy', 'docs', 'sbom'],
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'],
];

/** @param {string} folder */
function fill(folder) {
  const { manifest, lock } = manifestsFor('run');
  // Nothing is installed or built on a server.
  manifest.scripts = {};
  for (const path of carried) cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync('deploy/install', join(folder, 'install'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/**
 * Puts the packages of a kind of machine into a folder with package.json and its lockfile, and its Node where the units
 * of deploy/ look for it.
 * @param {string} folder @param {string} arch
 */
async function bringPackages(folder, arch) {
  const [file = 'npm', ...args] = npm();
  const machine = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  const options = [
    '--omit=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-engine-strict',
    '--prefer-offline',
  ];
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund'];
  const command = [...args, 'ci', '--prefix', folder, ...machine, ...options, ...quiet];
  if ((await run(file, command, { stdio: ['ignore', 'ignore', 'inherit'] })) !== 0)
    throw new Stop(`Les paquets pour ${arch} n’ont pas pu être installés.`);
  const packages = join(folder, 'node_modules');
  const missing = foldersFor('run', 'linux', arch).filter((path) => !existsSync(join(folder, path)));
  // An npm that does not know these options brings those of this machine.
  if (missing.length > 0)
    throw new Stop(
      `Il manque des paquets pour ${arch} (npm 10 ou plus récent les apporte)\u202f: ${missing.join(', ')}`,
    );
  // npm 9 and 11 differ in these; nothing reads them but the units.
  rmSync(join(packages, '.package-lock.json'), { force: true });
  rmSync(join(packages, '.bin'), { recursive: true, force: true });
  mkdirSync(join(packages, '.bin'));
  symlinkSync(`../node-linux-${arch}/bin/node`, join(packages, '.bin/node'));
  removeSpareFiles(packages, arch);
}

/** The same bytes from the same files: one order, one date, one owner. @param {string} parent @param {string} name */
function pack(parent, name) {
  const date =
    process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root });
  const same = [
    '--sort=name',
    `--mtime=@${String(date).trim()}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
  ];
  const options = [...same, '--mode=u=rwX,go=rX', '--use-compress-program=gzip -6n', '-cf', `${name}.tar.gz`];
  execFileSync('tar', [...options, name], { cwd: parent });
  return join(parent, `${name}.tar.gz`);
}

await main(async () => {
  const [to = 'release', ...wanted] = process.argv.slice(2);
  await ensureInstalled();
  await ensureBuilt();
  if ((await run(node24(), ['tools/sbom.mjs'])) !== 0) throw new Stop('La liste des composants a échoué.');
  const directory = resolve(root, to);
  mkdirSync(directory, { recursive: true });
  const { version } = manifestsFor('run').manifest;
  const sums = join(directory, 'SHA256SUMS');
  writeFileSync(sums, '');
  // Beside the archives, as they are moved there.
  const temporary = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
  try {
    for (const arch of wanted.length > 0 ? wanted : ARCHITECTURES) {
      const name = `passerelle-${version}-linux-${arch}`;
      const folder = join(temporary, name);
      fill(folder);
      await bringPackages(folder, arch);
      writeFileSync(join(folder, 'RELEASE'), `${version} linux-${arch}\n`);
      const archive = readFileSync(pack(temporary, name));
      rmSync(folder, { recursive: true });
      const hash = createHash('sha256').update(archive).digest('hex');
      writeFileSync(join(directory, `${name}.tar.gz`), archive);
      writeFileSync(sums, `${hash}  ${name}.tar.gz\n`, { flag: 'a' });
      process.stdout.write(
        `${name}.tar.gz\u202f: ${(archive.length / 1e6).toFixed(1)} Mo, SHA-256 ${hash}\n`,
      );
    }
  } finally {
    rmSync(temporary, { recursive: true });
  }
  const { RELEASE_KEY: key } = process.env;
  rmSync(`${sums}.sig`, { force: true });
  if (key === undefined) return void process.stdout.write('Sans RELEASE_KEY, rien n’est signé.\n');
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', 'passerelle', sums], { stdio: 'inherit' });
  process.stdout.write('SHA256SUMS.sig\u202f: signé.\n');
});
