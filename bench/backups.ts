import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '#tools/build.mjs';
import { addPhotos, addStay, ofBytes } from './support/photos.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * How long a site of 20,000 photos, five files each, takes to be backed up, backed up again the next night, and put back
 * elsewhere, beside a plain copy of the same files. They are random bytes of a twentieth of what photographs take: the
 * number of files is what counts, and what they weigh is the disk's affair. On SQLite; a backup of PostgreSQL with
 * DATABASE_URL set to an empty database.
 *
 *   node bench/backups.ts [photos] [kilobytes a photo]
 */

const PHOTOS = Number(process.argv[2] ?? 20_000);
const BYTES = Number(process.argv[3] ?? 120) * 1024;
const SIZES = {
  w320: 0.04 * BYTES,
  w480: 0.05 * BYTES,
  w960: 0.16 * BYTES,
  w1920: 0.28 * BYTES,
  jpeg: 0.47 * BYTES,
};
const AT_ONCE = 500;
const MB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
const [backups, elsewhere] = [join(folder, 'sauvegardes'), join(folder, 'ailleurs')];
const site = await openSite();
const { services } = site;
const sizes = Object.fromEntries(
  Object.entries(SIZES).map(([name, bytes]) => [name, Math.round(bytes)]),
) as typeof SIZES;
const stay = await addStay(services, 'Vingt mille photos');
for (let made = 0; made < PHOTOS; made += AT_ONCE)
  await addPhotos(services, stay, Math.min(AT_ONCE, PHOTOS - made), ofBytes(sizes));

interface Spent {
  seconds: number;
  /** The most memory that it held. */
  bytes: number;
}

async function spent(program: string, words: string[], env: Record<string, string> = {}): Promise<Spent> {
  const start = performance.now();
  const child = spawn(program, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let bytes = 0;
  const memory = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    bytes = Math.max(bytes, 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(memory);
  if (code !== 0) throw new Error(`${program} ${words.join(' ')}: ${code}`);
  return { seconds: (performance.now() - start) / 1000, bytes };
}

const command = (name: string, words: string[], env: Record<string, string>) =>
  spent(process.execPath, [builtCommand(name), ...words], env);

const { DATA_DIR, SECRET_KEY = '' } = services.config;
const here = { DATA_DIR, SECRET_KEY };
const copy = await spent('cp', ['-r', join(DATA_DIR, 'files'), join(folder, 'copie')]);
const first = await command('backup', [backups], here);
const next = await command('backup', [backups], here);
const restored = await command('restore', [backups], { DATA_DIR: elsewhere, DATABASE_URL: '', SECRET_KEY });

await site.close();
rmSync(folder, { recursive: true, force: true });

const rowsOf = (work: string, { seconds, bytes }: Spent): Row[] => [
  {
    work,
    unit: 's',
    measured: seconds,
    beside: { name: 'cp -r, which checks nothing', measured: copy.seconds },
  },
  { work: `memory of the ${work}`, unit: 'MB', measured: bytes / MB },
];
tell({
  title: 'Backing up and putting back',
  text: [
    `${PHOTOS} photos of ${BYTES / 1024} KB each, ${4 * PHOTOS} files.`,
    'What is copied, out or back, is held against its SHA-256 and is on the disk at the end.',
  ],
  rows: [
    ...rowsOf('first backup', first),
    ...rowsOf('backup of the next night', next),
    ...rowsOf('restore', restored),
  ],
});
