// npm run release [-- folder]: passerelle-VERSION.tar.gz in release/ or that folder, a built site that starts without what builds it, and its SHA-256.
// The same sources make the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ensureBuilt, RELEASE } from './build.mjs';
import { manifestsFor } from './dependencies.mjs';
import { root } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { main, run, Stop } from './process.mjs';

/** What is carried as it is. The demonstration and what decodes pictures run from the sources. */
const carried = [
  ...['app', 'features', 'operations', 'platform', 'dist', 'deploy', 'docs', 'sbom'],
  ...['.npmrc', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'tools/node.cjs'],
  ...['build', 'dependencies', 'files', 'install', 'process', 'run', 'start'].map(
    (name) => `tools/${name}.mjs`,
  ),
];

/** Scripts of package.json that an unpacked release can run. @param {[string, string]} script */
const isCarried = ([, command]) => / tools\/(start|run)\.mjs/.test(command);

/** @param {string} folder */
function fill(folder) {
  const { manifest, lock } = manifestsFor('run');
  manifest.scripts = Object.fromEntries(Object.entries(manifest.scripts).filter(isCarried));
  for (const path of carried) cpSync(join(root, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, RELEASE), `${manifest.version}\n`);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
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
  const options = [...same, '--mode=u=rwX,go=rX', '--use-compress-program=gzip -9n', '-cf', `${name}.tar.gz`];
  execFileSync('tar', [...options, name], { cwd: parent });
  return readFileSync(join(parent, `${name}.tar.gz`));
}

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  if ((await run(node24(), ['tools/sbom.mjs'])) !== 0) throw new Stop('La liste des composants a échoué.');
  const { version } = manifestsFor('run').manifest;
  const name = `passerelle-${version}`;
  const temporary = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
  try {
    fill(join(temporary, name));
    const archive = pack(temporary, name);
    const hash = createHash('sha256').update(archive).digest('hex');
    const file = join(resolve(root, process.argv[2] ?? 'release'), `${name}.tar.gz`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, archive);
    writeFileSync(`${file}.sha256`, `${hash}  ${name}.tar.gz\n`);
    process.stdout.write(`${file}\u202f: ${(archive.length / 1e6).toFixed(1)} Mo, SHA-256 ${hash}\n`);
  } finally {
    rmSync(temporary, { recursive: true });
  }
});
