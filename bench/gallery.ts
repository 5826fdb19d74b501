import { execFile } from 'node:child_process';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { PHOTO_FOLDER, photoFiles } from '#features/photos/shared/terms.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { median } from './support/numbers.ts';
import { addPhotos, addStay, ofBytes } from './support/photos.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * What a family asks of a stay of 5,000 photos: its lists, its page, its files one by one against a bare node:http
 * server, and all of them as a ZIP against `zip -0`, in interleaved runs: only the ratios mean something.
 *
 *   node bench/gallery.ts [rounds] [seconds]
 */

const ROUNDS = Number(process.argv[2] ?? 3);
const SECONDS = Number(process.argv[3] ?? 4);
const PHOTOS = 5_000;
const IN_ZIP = 300;
const CONNECTIONS = 50;
const WRK = '/usr/bin/wrk';
const ZIP = '/usr/bin/zip';
const KB = 1024;
const MB = KB * KB;

const run = promisify(execFile);
const dist = join(import.meta.dirname, '../dist');
const site = await openSite({}, dist);
const { services } = site;
const origin = site.base.slice(0, site.base.indexOf('/', 8));

const large = await addStay(services, 'Cinq mille photos');
await addPhotos(services, large, PHOTOS);
const family = await site.bearerOf('family', large);

interface Asked<T> {
  reply: T;
  ms: number;
  /** Once compressed. */
  bytes: number;
}

async function ask<T>(path: string): Promise<Asked<T>> {
  const start = performance.now();
  const response = await fetch(`${site.base}${path}`, { headers: family });
  const body = Buffer.from(await response.arrayBuffer());
  const ms = performance.now() - start;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
  return { reply: JSON.parse(body.toString()) as T, ms, bytes: gzipSync(body).length };
}

type List = ReplyOf<'GET /stages/:id/photos'>;

/** Asks for every page of the list, one after the other. */
async function wholeList(limit: number) {
  const [start, pages] = [performance.now(), [] as { ms: number; bytes: number }[]];
  let suite: string | null = '';
  while (suite !== null) {
    const { reply, ...page }: Asked<List> = await ask<List>(
      `/stages/${large}/photos?limite=${limit}${suite && `&apres=${encodeURIComponent(suite)}`}`,
    );
    pages.push(page);
    suite = reply.suite;
  }
  return { ms: performance.now() - start, pages };
}

const lists = [];
for (let round = 0; round < 5 * ROUNDS; round++) lists.push(await wholeList(1_000));
const first = [];
for (let round = 0; round < 20 * ROUNDS; round++)
  first.push(await ask<List>(`/stages/${large}/photos?limite=120`));
const since = encodeURIComponent(first[0]?.reply.repere ?? '');
const changes = [];
for (let round = 0; round < 20 * ROUNDS; round++)
  changes.push(await ask(`/stages/${large}/photos/changements?depuis=${since}`));
const middle = (of: { ms: number }[]) => median(of.map((one) => one.ms));
const rows: Row[] = [
  { work: 'first 120 of 5,000 photos', unit: 'ms', measured: middle(first) },
  { work: 'the same, compressed', unit: 'KB', measured: (first[0]?.bytes ?? 0) / KB },
  { work: 'all 5,000, a thousand at a time', unit: 'ms', measured: middle(lists) },
  {
    ...{ work: 'the same, compressed', unit: 'KB' },
    measured: (lists[0]?.pages.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0) / KB,
  },
  { work: 'nothing new among 5,000', unit: 'ms', measured: middle(changes) },
];

const html = await (await fetch(`${origin}/stage-details/${large}`)).text();
const parts = new Set(
  [...html.matchAll(/(\/assets\/[\w.-]+\.(?:js|css))/g)].map(([, address]) => address ?? ''),
);
let scripts = 0;
for (const address of parts)
  scripts += gzipSync(Buffer.from(await (await fetch(`${origin}${address}`)).arrayBuffer())).length;
rows.push({ work: 'scripts and styles of the page of a stay, gzip', unit: 'KB', measured: scripts / KB });

const shown = await addStay(services, 'De vrais fichiers');
const sizes = { w320: 20 * KB, w480: 30 * KB, w960: 90 * KB, w1920: 300 * KB, jpeg: 2 * MB };
const names = await addPhotos(services, shown, IN_ZIP, ofBytes(sizes));
const { authorization } = await site.bearerOf('family', shown);
const files = names.map((nom) => photoFiles(nom, true));
const pathOf = (name: string) => join(services.config.DATA_DIR, 'files', keyOf('photos', name));

const raw = createServer(({ url = '' }, response) => {
  response.writeHead(200, { 'content-type': 'image/webp', 'content-length': sizes.w1920 });
  createReadStream(pathOf(url.slice(1))).pipe(response);
});
await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
const { port } = raw.address() as { port: number };

/** Files of 300 KB, every photo in turn, asked for by a client that is not the bottleneck itself. */
async function requests(base: string): Promise<number> {
  const paths = files.map(({ w1920 }) => JSON.stringify(new URL(`${base}${w1920}`).pathname));
  const script = join(tmpdir(), `passerelle-files-${process.pid}.lua`);
  await writeFile(
    script,
    `local paths = { ${paths.join(', ')} }
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format('GET', paths[at], { authorization = ${JSON.stringify(authorization)} })
end`,
  );
  const options = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${SECONDS}s`, '-s', script];
  const { stdout } = await run(WRK, [...options, base]).finally(() => rmSync(script));
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${base}: ${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

// What is still being written to the disk would slow down what is read of it.
await run('sync');
const results = { raw: [] as number[], here: [] as number[], zip: [] as number[], zip0: [] as number[] };
const missing: string[] = [];
if (existsSync(WRK)) {
  for (let round = 0; round < ROUNDS; round++) {
    results.raw.push(await requests(`http://127.0.0.1:${port}/`));
    results.here.push(await requests(`${origin}${PHOTO_FOLDER}`));
  }
  const [measured, beside] = [median(results.here), { name: 'a bare stream', measured: median(results.raw) }];
  rows.push({
    ...{ work: 'private photos of 300 KB', unit: 'req/s', measured, beside },
    // 4,500 where a bare stream answers 4,900.
    aim: { of: 'ratio', atLeast: 0.92 },
  });
} else missing.push('wrk is not installed (Debian: wrk): photos were not asked for one by one.');

const size = (IN_ZIP * sizes.jpeg) / MB;
async function rate(command: string, args: string[]): Promise<number> {
  const start = performance.now();
  await run(command, args, { maxBuffer: MB });
  return size / ((performance.now() - start) / 1000);
}

let highest = 0;
const memory = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
}, 10);
const before = process.memoryUsage.rss();
const isZipThere = existsSync(ZIP);
if (!isZipThere) missing.push('zip is not installed (Debian: zip): nothing stands beside the archive.');
const keeping = files.map(({ jpeg }) => pathOf(jpeg ?? ''));
for (let round = 0; round < ROUNDS; round++) {
  const address = `${site.base}/stages/${shown}/photos.zip`;
  results.zip.push(
    await rate('curl', ['-sf', '-o', '/dev/null', '-H', `authorization: ${authorization}`, address]),
  );
  if (isZipThere)
    results.zip0.push(await rate('bash', ['-c', 'zip -0 -q -j - "$@" > /dev/null', 'zip', ...keeping]));
}
clearInterval(memory);
rows.push(
  {
    ...{ work: `archive of ${IN_ZIP} photos, ${size} MB`, unit: 'MB/s', measured: median(results.zip) },
    ...(isZipThere ? { beside: { name: 'zip -0', measured: median(results.zip0) } } : {}),
    aim: { of: 'ratio', atLeast: 3 },
  },
  {
    ...{ work: 'memory that archives add', unit: 'MB', measured: (highest - before) / MB },
    aim: { of: 'measured', atMost: 100 },
  },
);
tell({
  title: 'What a family asks of its stay',
  text: [
    `Lists of a stay of ${PHOTOS} photos; files of another one, random bytes, ${CONNECTIONS} connections;`,
    `${ROUNDS} rounds of ${SECONDS} s.`,
    ...missing,
  ],
  rows,
});

raw.close();
await site.close();
