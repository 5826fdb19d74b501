import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { filesBelow, root, textOf } from './files.mjs';
import { node24 } from './install.mjs';
import { run, Stop } from './process.mjs';

/** What sites run. */
export const SERVER = 'dist/site/main.js';

/** The folder of `passerelle` and its commands, a file each. */
export const COMMANDS = 'dist/commands';

const sources = [
  ...['app', 'features', 'operations', 'platform', 'vite.config.ts', 'vite.server.config.ts', 'package.json'],
  ...['package-lock.json', 'tools/build.mjs', 'tools/browsers.mjs'],
];
const dist = join(root, 'dist');
const fresh = join(dist, '.new');
const stamp = join(dist, '.stamp');

const isText = /\.(html|js|mjs|css|svg|json|webmanifest|txt|xml)$/;
const worthCompressing = 1024;

function sourceHash() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesBelow)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The path of a server that was built from these sources, for tests and measurements; throws without one. */
export const builtServer = () => built(SERVER);

/** The path of a command that was built from these sources; throws without one. @param {string} name */
export const builtCommand = (name) => built(`${COMMANDS}/${name}.js`);

/** @param {string} file */
function built(file) {
  if (textOf(stamp) === sourceHash()) return join(root, file);
  throw new Stop(
    'Le site n’est pas construit, ou d’autres sources\u202f: lancez «\u00a0npm run build\u00a0».',
  );
}

/** Builds the browser's files, the server's rendering and the server, unless dist/ was built from these sources. */
export async function ensureBuilt() {
  const hash = sourceHash();
  if (textOf(stamp) === hash) return;
  process.stderr.write('Construction du site…\n');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });

  const entry = join(root, 'app/web/entry-server.tsx');
  const server = join(root, 'vite.server.config.ts');
  const codes = await Promise.all([
    vite(['--outDir', join(fresh, 'client')]),
    vite(['--ssr', entry, '--outDir', join(fresh, 'server')]),
    vite(['--config', server, '--outDir', join(fresh, 'site')]),
    vite(['--config', server, '--mode', 'commands', '--outDir', join(fresh, 'commands')]),
  ]);
  if (codes.some((code) => code !== 0)) throw new Stop('La construction du site a échoué.');
  await compress('dist/.new/client');

  // Built beside and moved at the end: an interrupted build leaves the old site or no stamp.
  rmSync(stamp, { force: true });
  for (const part of ['client', 'server', 'site', 'commands']) {
    rmSync(join(dist, part), { recursive: true, force: true });
    renameSync(join(fresh, part), join(dist, part));
  }
  rmSync(fresh, { recursive: true });
  writeFileSync(stamp, hash);
}

/** @param {string[]} args */
function vite(args) {
  const command = [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'warn',
    '--emptyOutDir',
  ];
  // Without this, NODE_ENV=development around us would build React's slow edition.
  return run(node24(), [...command, ...args], { env: { ...process.env, NODE_ENV: 'production' } });
}

/** Puts .br and .gz files beside the texts, so that the server never compresses them. @param {string} folder */
async function compress(folder) {
  const texts = filesBelow(folder).filter((file) => isText.test(file) && !file.includes('/.vite/'));
  await Promise.all(
    texts.map(async (file) => {
      const content = await readFile(join(root, file));
      if (content.length <= worthCompressing) return;
      // Brotli's default quality is its highest, 11.
      await writeFile(join(root, `${file}.br`), await promisify(brotliCompress)(content));
      await writeFile(join(root, `${file}.gz`), await promisify(gzip)(content, { level: 9 }));
    }),
  );
}
