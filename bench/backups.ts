import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addPhotos, addStay } from './support/photos.ts';
import { openSite } from './support/site.ts';

/*
 * How long a site of 20,000 photos, four files each, takes to be backed up, backed up again the next night, and put back
 * elsewhere. The files are random bytes of a twentieth of what photographs take: the number of files is what counts, and what
 * they weigh is the disk's affair. On SQLite; a backup of PostgreSQL with DATABASE_URL set to an empty database.
 *
 *   node bench/backups.ts [photos] [kilobytes a photo]
 */

const PHOTOS = Number(process.argv[2] ?? 20_000);
const BYTES = Number(process.argv[3] ?? 120) * 1024;
const SIZES = { w320: 0.04 * BYTES, w960: 0.16 * BYTES, w1920: 0.3 * BYTES, jpeg: 0.5 * BYTES };
const AT_ONCE = 500;

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
const [backups, elsewhere] = [join(folder, 'sauvegardes'), join(folder, 'ailleurs')];
const site = await openSite();
const { services } = site;
const sizes = Object.fromEntries(
  Object.entries(SIZES).map(([name, bytes]) => [name, Math.round(bytes)]),
) as typeof SIZES;
const stay = await addStay(services, 'Vingt mille photos');
for (let made = 0; made < PHOTOS; made += AT_ONCE)
  await addPhotos(services, stay, Math.min(AT_ONCE, PHOTOS - made), sizes);

/** Seconds that a command takes, and the most memory that it held. */
async function timed(name: string, words: string[], env: Record<string, string>): Promise<string> {
  const command = [process.execPath, join(import.meta.dirname, `../cli/${name}.ts`), ...words];
  const start = performance.now();
  const { stderr } = await run('/usr/bin/time', ['-f', '%M', ...command], {
    env: { ...process.env, ...env },
  });
  const seconds = (performance.now() - start) / 1000;
  return `${seconds.toFixed(0)} s, ${(Number(stderr) / 1024).toFixed(0)} MB of memory`;
}

const { DATA_DIR, SECRET_KEY = '' } = services.config;
const here = { DATA_DIR, SECRET_KEY };
console.log(`${PHOTOS} photos of ${BYTES / 1024} KB, ${4 * PHOTOS} files`);
console.log(`first backup: ${await timed('backup', [backups], here)}`);
console.log(`next backup: ${await timed('backup', [backups], here)}`);
const there = { DATA_DIR: elsewhere, DATABASE_URL: '', SECRET_KEY };
console.log(`restore: ${await timed('restore', [backups], there)}`);

await site.close();
rmSync(folder, { recursive: true, force: true });
