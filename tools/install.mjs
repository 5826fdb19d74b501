import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, textOf } from './files.mjs';
import { run, Stop } from './process.mjs';

const stamp = join(root, 'node_modules/.passerelle');

function wanted() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** The npm that started us, else the one in PATH; on its own Node, as ours may stand in node_modules. */
export function npm() {
  const cli = process.env.npm_execpath ?? '';
  if (basename(cli) !== 'npm-cli.js') return ['npm'];
  return [process.env.npm_node_execpath ?? process.execPath, cli];
}

/** Installs what package-lock.json says, unless the last complete installation did. */
export async function ensureInstalled() {
  const stampText = wanted();
  if (textOf(stamp) === stampText) return;
  process.stderr.write('Installation des dépendances…\n');
  const [file = 'npm', ...args] = npm();
  // The build needs the development packages, even under NODE_ENV=production. No package needs its
  // install script, and older versions of npm would compile better-sqlite3 for the wrong Node.
  const options = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-engine-strict'];
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund'];
  rmSync(stamp, { force: true });
  const code = await run(file, [...args, 'ci', ...options, ...quiet], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) throw new Stop("L'installation des dépendances a échoué (npm ci).");
  writeFileSync(stamp, stampText);
}

/** The Node that runs everything after the installation: the pinned package, else ours if recent enough. */
export function node24() {
  const pinned = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  if (process.platform === 'linux' && existsSync(pinned)) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new Stop(`Node 24 ou plus récent est nécessaire (ici : ${process.versions.node}).`);
}
