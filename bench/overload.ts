import { setTimeout as pause } from 'node:timers/promises';
import { startWithFamily } from './support/family.ts';
import { type Asked, openLines } from './support/line.ts';
import { median, p99 } from './support/numbers.ts';
import { paced } from './support/pace.ts';
import { tell } from './support/result.ts';

/*
 * A step: first as much as the site can do, then five times that. What becomes of those that are too many, whether staff
 * can still save, and how long families wait once it is over.
 *
 *   node bench/overload.ts [seconds] [requests a second that the site can do: measured otherwise]
 */

const SECONDS = Number(process.argv[2] ?? 30);
const TIMES = 5;
/** Enough for all who wait, and for all who are told to come back meanwhile. */
const CONNECTIONS = 4_000;
/** Those that find out how much the site can do, and for how many seconds. */
const PEAK = { connections: 50, seconds: 5 };
/** What a family is used to. */
const USUAL_MS = 150;
const MB = 1024 * 1024;

const site = await startWithFamily();
const { base, family, bearer, thumbnails } = site;
const small = (index: number): Asked => ({
  path: thumbnails[index % thumbnails.length] ?? '',
  headers: family,
});

async function save(): Promise<{ ms: number; status: number }> {
  const body = new FormData();
  body.set('titre', 'Une actualité');
  body.set('description', 'Enregistrée pendant que tout le monde regarde.');
  const start = performance.now();
  const response = await fetch(`${base}/actualites`, { method: 'POST', headers: bearer, body });
  await response.arrayBuffer();
  return { ms: performance.now() - start, status: response.status };
}

/** Requests a second when each connection asks again as soon as it was answered. */
async function measurePeak(): Promise<number> {
  const end = performance.now() + PEAK.seconds * 1000;
  let count = 0;
  const lines = openLines(base, PEAK.connections);
  await Promise.all(
    lines.map(async (line) => {
      for (; performance.now() < end; count++) await line.ask(small(count));
      line.close();
    }),
  );
  return count / PEAK.seconds;
}

let [isOver, highest] = [false, 0];
const memory = setInterval(() => {
  highest = Math.max(highest, site.memory());
}, 100);
const before = await save();
const peak = Number(process.argv[3] ?? (await measurePeak()));
const lines = openLines(base, CONNECTIONS);
// At a pace that the site can hold each connection is opened: the event loop accepts one a turn.
const usual = { perSecond: 0.6 * peak, seconds: CONNECTIONS / (0.6 * peak) };
await paced(lines, usual, small);
const saving = (async () => {
  const saves = [];
  while (!isOver) {
    saves.push(await save());
    await pause(500);
  }
  return saves;
})();
const perSecond = Math.round(TIMES * peak);
const answers = await paced(lines, { perSecond, seconds: SECONDS, patience: 0 }, small);
const start = performance.now();
isOver = true;

/** Until ten in a row are as usual. */
async function recover(): Promise<number> {
  for (let usual = 0; usual < 10; ) {
    const asked = performance.now();
    const response = await fetch(new URL(thumbnails[usual] ?? '', base), { headers: family });
    await response.arrayBuffer();
    usual = response.ok && performance.now() - asked < USUAL_MS ? usual + 1 : 0;
  }
  return (performance.now() - start) / 1000;
}

const recovery = await recover();
const saves = await saving;
clearInterval(memory);
await site.close();

const served = answers.filter(({ status }) => status === 200);
const refused = answers.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
const unanswered = answers.filter(({ status }) => status === 0);
const others = answers.length - served.length - refused.length - unanswered.length;
const share = (part: number) => (100 * part) / answers.length;
tell({
  title: 'Five times too many',
  text: [
    `${perSecond} photos of 20 KB a second for ${SECONDS} s, on ${CONNECTIONS} connections, which is ${TIMES} times what the`,
    'site can do; somebody of the staff saves a news item twice a second meanwhile. Those that have no answer at the end',
    'are given up. Whoever asks runs on this machine too.',
  ],
  rows: [
    {
      ...{ work: 'served', unit: 'req/s', measured: served.length / SECONDS },
      beside: { name: 'at most without the excess', measured: peak },
    },
    { work: 'served, of all', unit: '%', measured: share(served.length) },
    { work: 'told to come back (503 with Retry-After)', unit: '%', measured: share(refused.length) },
    {
      ...{ work: 'still waiting at the end', unit: '%', measured: share(unanswered.length) },
      aim: { of: 'measured', atMost: 5 },
    },
    { work: 'answered otherwise', unit: '%', measured: share(others), aim: { of: 'measured', atMost: 0 } },
    { work: 'those served, median', unit: 'ms', measured: median(served.map(({ ms }) => ms)) },
    { work: 'those served, p99', unit: 'ms', measured: p99(served.map(({ ms }) => ms)) },
    { work: 'those told to come back, median', unit: 'ms', measured: median(refused.map(({ ms }) => ms)) },
    {
      ...{ work: 'saves of staff meanwhile', unit: 'ms', measured: median(saves.map(({ ms }) => ms)) },
      beside: { name: 'before', measured: before.ms },
    },
    { work: 'the slowest of them', unit: 'ms', measured: Math.max(...saves.map(({ ms }) => ms)) },
    {
      ...{ work: 'saves that did not pass', unit: 'saves' },
      measured: saves.filter(({ status }) => status !== 201).length,
      aim: { of: 'measured', atMost: 0 },
    },
    {
      ...{ work: 'until families wait as usual again', unit: 's', measured: recovery },
      aim: { of: 'measured', atMost: 5 },
    },
    { work: 'memory of all this', unit: 'MB', measured: highest / MB },
  ],
});
