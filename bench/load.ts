import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Sending, Sent } from './support/director.ts';
import { FAMILY_PASSWORD, startWithFamily } from './support/family.ts';
import { type Asked, openLines } from './support/line.ts';
import { median, p99, quantile } from './support/numbers.ts';
import { type Answered, paced } from './support/pace.ts';
import { type Row, tell } from './support/result.ts';

/*
 * The evening on which all families come: small photos at a constant pace, first alone, then while photos of 8 MB arrive
 * and families sign in, sixty of them behind one address. What is sent comes from this machine as well. Nobody is to be
 * told to wait without reason. The whole of it takes 900 seconds.
 *
 *   node bench/load.ts [seconds of each half] [small photos a second] [photos sent a second] [sign-ins a second]
 */

const SECONDS = Number(process.argv[2] ?? 60);
const PER_SECOND = Number(process.argv[3] ?? 1_000);
const SENT_PER_SECOND = Number(process.argv[4] ?? 500 / 900);
const SIGN_INS = Number(process.argv[5] ?? 50);
const BEHIND_ONE = 60;
const CONNECTIONS = 100;
const MB = 1024 * 1024;

const site = await startWithFamily({ TRUST_PROXY: '1' });
const { base, stageId, family, bearer, thumbnails } = site;

const small = (index: number): Asked => ({
  path: thumbnails[index % thumbnails.length] ?? '',
  headers: family,
});
const body = JSON.stringify({ stageId, password: FAMILY_PASSWORD });
const signIn = (index: number): Asked => {
  // The first sixty of each hundred come from one address, the others each from one of their own.
  const from =
    index % 100 < BEHIND_ONE
      ? '203.0.113.9'
      : `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  return { method: 'POST', path: `${new URL(base).pathname}/auth/login`, headers, body };
};

let highest = 0;
const memory = setInterval(() => {
  highest = Math.max(highest, site.memory());
}, 100);
const pace = { perSecond: PER_SECOND, seconds: SECONDS };
const lines = openLines(base, CONNECTIONS);
const alone = await paced(lines, pace, small);

const sending: Sending = {
  ...{ base, stageId, headers: bearer, perSecond: SENT_PER_SECOND },
  count: Math.max(1, Math.round(SENT_PER_SECOND * SECONDS)),
};
const director = new Worker(new URL('./support/director.ts', import.meta.url), { workerData: sending });
await once(director, 'message');
director.postMessage('begin');
const sent = once(director, 'message');
const [busy, signIns] = await Promise.all([
  paced(lines, pace, small),
  paced(openLines(base, CONNECTIONS), { perSecond: SIGN_INS, seconds: SECONDS }, signIn),
]);
const [{ bytes, slowestMs }] = (await sent) as [Sent];
clearInterval(memory);
await site.close();

const times = (answers: Answered[]) => answers.map(({ ms }) => ms);
const without = (answers: Answered[], status: number) =>
  answers.filter((answer) => answer.status !== status).length;
const refused = signIns.filter(({ status }) => status === 429).length;

function rowsOf(when: string, answers: Answered[]): Row[] {
  const ms = times(answers);
  return [
    { work: `small photos ${when}, p50`, unit: 'ms', measured: median(ms) },
    {
      ...{ work: `small photos ${when}, p95`, unit: 'ms', measured: quantile(ms, 0.95) },
      aim: { of: 'measured', atMost: 150 },
    },
    {
      ...{ work: `small photos ${when}, p99`, unit: 'ms', measured: p99(ms) },
      aim: { of: 'measured', atMost: 400 },
    },
    {
      ...{ work: `small photos ${when} that failed`, unit: 'requests', measured: without(answers, 200) },
      aim: { of: 'measured', atMost: 0 },
    },
  ];
}

/** The p99 of each second. */
function bySecond(answers: Answered[]): [number, number][] {
  const seconds = Map.groupBy(answers, ({ at }) => Math.floor(at));
  return [...seconds].sort(([a], [b]) => a - b).map(([second, those]) => [second, p99(times(those))]);
}

tell({
  title: 'All families at once',
  text: [
    `${PER_SECOND} photos of 20 KB a second for ${SECONDS} s, each checked anew, on ${CONNECTIONS} connections; then as`,
    `long again while ${sending.count} photos of ${(bytes / 1e6).toFixed(1)} MB arrive and are prepared, and`,
    `${signIns.length} families sign in, ${BEHIND_ONE} % of them from one address. Times count from the instant at which a`,
    'request was planned. Whoever asks runs on this machine too.',
  ],
  rows: [
    ...rowsOf('alone', alone),
    ...rowsOf('while photos arrive', busy),
    {
      ...{ work: 'small photos, p99 while photos arrive', unit: 'ms', measured: p99(times(busy)) },
      beside: { name: 'alone', measured: p99(times(alone)) },
      aim: { of: 'ratio', atMost: 2 },
    },
    {
      ...{ work: 'sign-ins meanwhile, p99', unit: 'ms', measured: p99(times(signIns)) },
      aim: { of: 'measured', atMost: 1_000 },
    },
    {
      ...{ work: 'sign-ins told to wait (429)', unit: 'requests', measured: refused },
      aim: { of: 'measured', atMost: 0 },
    },
    {
      ...{
        work: 'sign-ins that failed otherwise',
        unit: 'requests',
        measured: without(signIns, 200) - refused,
      },
      aim: { of: 'measured', atMost: 0 },
    },
    { work: 'slowest photo to arrive', unit: 'ms', measured: slowestMs },
    {
      ...{ work: 'memory of all this', unit: 'MB', measured: highest / MB },
      aim: { of: 'measured', atMost: 600 },
    },
  ],
  curves: [
    {
      ...{ title: 'Small photos, second by second', x: 'seconds', y: 'p99, ms', isLogarithmic: false },
      lines: [
        { name: 'alone', points: bySecond(alone) },
        { name: 'while photos arrive', points: bySecond(busy) },
        { name: 'sign-ins', points: bySecond(signIns) },
      ],
    },
  ],
});
