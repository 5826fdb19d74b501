import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ReplyOf } from '#platform/shared/call.ts';
import { median, p99 } from './support/numbers.ts';
import { openCamera, sendPhoto } from './support/photos.ts';
import { startSite } from './support/process.ts';
import { tell } from './support/result.ts';
import { startVisitor } from './support/visitor.ts';

/*
 * Photos of 12 million points, sent and prepared: how many a second, at what price, against Debian's vipsthumbnail
 * making the same five files of each, in one interleaved run; then what many that wait cost in memory, and what other
 * visitors feel meanwhile. On SQLite; on PostgreSQL with DATABASE_URL set to an empty database.
 *
 *   node bench/photos.ts [rounds] [photos that wait] [photos a round]
 */

const ROUNDS = Number(process.argv[2] ?? 3);
const WAITING = Number(process.argv[3] ?? 500);
const A_ROUND = Number(process.argv[4] ?? 12);
const AT_ONCE = 8;
const MB = 1024 * 1024;
const VIPS = '/usr/bin/vipsthumbnail';

const run = promisify(execFile);
const site = await startSite();
const stageId = await site.addStay('Un soir de séjour');
const photograph = await openCamera();

/** Does `work` so many times, a few at once. */
async function times(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let index = 0;
  const next = async () => {
    while (index < count) await work(index++);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

const send = (count: number) =>
  times(count, AT_ONCE, () => sendPhoto(site.base, site.bearer, stageId, photograph()));

async function waiting(): Promise<number> {
  type Tracking = ReplyOf<'GET /stages/:id/photos/suivi'>;
  return (await site.ask<Tracking>(`GET /stages/${stageId}/photos/suivi`)).par_statut.recue ?? 0;
}

interface Measure {
  perSecond: number;
  cpu: number;
}

async function here(count: number): Promise<Measure> {
  const [start, before] = [performance.now(), site.cpu()];
  await send(count);
  while ((await waiting()) > 0) await pause(50);
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: count / seconds, cpu: (site.cpu() - before) / count };
}

/** Two photos at a time, each on one thread, as the site does. */
async function vips(count: number): Promise<Measure> {
  const directory = mkdtempSync(join(tmpdir(), 'vips-'));
  let cpu = 0;
  const start = performance.now();
  await times(count, 2, async (index) => {
    const path = join(directory, `${index}.jpg`);
    await writeFile(path, photograph());
    const one = (side: number, name: string, options: string) =>
      `${VIPS} ${path} -s '${side}x${side}>' --eprofile srgb -o '${path}-${name}[${options},strip]'`;
    const shown = [1920, 960, 480, 320].map((side) => one(side, `${side}.webp`, 'Q=80,effort=1'));
    const commands = [...shown, one(4096, 'keep.jpg', 'Q=85')].join(' && ');
    const { stderr } = await run('bash', ['-c', `TIMEFORMAT='%U %S'; time { ${commands}; }`], {
      env: { PATH: process.env.PATH, VIPS_CONCURRENCY: '1' },
    });
    const [user, system] = stderr.trim().split(/\s+/).slice(-2).map(Number);
    cpu += (user ?? 0) + (system ?? 0);
  });
  const seconds = (performance.now() - start) / 1000;
  rmSync(directory, { recursive: true });
  return { perSecond: count / seconds, cpu: cpu / count };
}

const subjects: [string, (count: number) => Promise<Measure>][] = [
  ['here', here],
  ...(existsSync(VIPS) ? [['vipsthumbnail', vips] as [string, typeof vips]] : []),
];

const results = new Map(subjects.map(([name]) => [name, [] as Measure[]]));
// The threads start with the first one.
await here(2);
for (let round = 0; round < ROUNDS; round++)
  for (const [name, measure] of subjects) results.get(name)?.push(await measure(A_ROUND));

const visitor = () => startVisitor(`${site.base}/stages/${stageId}/photos?limite=120`, site.bearer);

let highest = 0;
const memory = setInterval(() => {
  highest = Math.max(highest, site.memory());
}, 20);
const [whileSending, start] = [visitor(), performance.now()];
await send(WAITING);
const perSecond = WAITING / ((performance.now() - start) / 1000);
const sending = { memory: highest / MB, p99: p99(await whileSending.stop()) };
highest = 0;
const [left, whilePreparing] = [await waiting(), visitor()];
await pause(20_000);
const preparing = { memory: highest / MB, p99: p99(await whilePreparing.stop()) };
clearInterval(memory);
const middle = (name: string, of: keyof Measure) => median((results.get(name) ?? []).map((one) => one[of]));
const besideVips = (of: keyof Measure) =>
  results.has('vipsthumbnail')
    ? { beside: { name: 'vipsthumbnail', measured: middle('vipsthumbnail', of) } }
    : {};
tell({
  title: 'Photos sent and prepared',
  text: [
    `${ROUNDS} rounds of ${A_ROUND} photos of 12 million points, sent and made into four WebP and one JPEG each.`,
    `Then ${WAITING} sent, ${AT_ONCE} at once, and the first 20 s in which the ${left} that are left are prepared.`,
    ...(results.has('vipsthumbnail') ? [] : ['vipsthumbnail is not installed (Debian: libvips-tools).']),
  ],
  rows: [
    {
      ...{ work: 'photos sent and prepared', unit: 'photos/s', measured: middle('here', 'perSecond') },
      ...besideVips('perSecond'),
      aim: { of: 'measured', atLeast: 2 },
    },
    {
      ...{ work: 'processor for a photo', unit: 's', measured: middle('here', 'cpu') },
      ...besideVips('cpu'),
    },
    {
      ...{ work: 'photos sent while others are prepared', unit: 'photos/s', measured: perSecond },
      aim: { of: 'measured', atLeast: 60 },
    },
    {
      ...{ work: 'memory while photos are sent', unit: 'MB', measured: sending.memory },
      aim: { of: 'measured', atMost: 350 },
    },
    {
      ...{ work: 'memory while photos wait', unit: 'MB', measured: preparing.memory },
      aim: { of: 'measured', atMost: 350 },
    },
    {
      ...{ work: 'list of 120 photos while some are sent, p99', unit: 'ms', measured: sending.p99 },
      aim: { of: 'measured', atMost: 20 },
    },
    {
      ...{
        work: 'list of 120 photos while some are prepared, p99',
        unit: 'ms',
        measured: preparing.p99,
      },
      aim: { of: 'measured', atMost: 20 },
    },
  ],
});

await site.close();
