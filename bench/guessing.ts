import { BUDGET, LONGEST_WAIT_MS } from '#features/stays/server/signIn.ts';
import { HttpError } from '#platform/server/http/errors.ts';
import { openRateLimits, STAY_SIGN_IN } from '#platform/server/http/rateLimits.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * A day of guesses at one stay, on a clock of its own: so many, evenly, from as many addresses, each in its turn. Families
 * come all day from addresses of their own, every other one after a typing error, and try again each second.
 *
 *   node bench/guessing.ts [guesses] [addresses]
 */

const GUESSES = Number(process.argv[2] ?? 1_000_000);
const ADDRESSES = Number(process.argv[3] ?? 100_000);
const DAY_S = 24 * 60 * 60;
/** Seconds between two families. */
const FAMILY_EVERY = 300;
const STAY = '12';

const site = await openSite({ LOG_LEVEL: 'error' });
const { database, secrets, metrics } = site.services;
const START = Date.parse('2027-07-12T00:00:00.000Z');
let now = START;
const limits = openRateLimits(database, secrets, () => new Date(now), metrics);

let checked = 0;
/** Whether a password that is right, or not, opens the stay now. */
async function opens(from: string, isRight: boolean): Promise<boolean> {
  const check = async () => {
    if (!isRight) checked++;
    return isRight || undefined;
  };
  try {
    const options = { longestWait: LONGEST_WAIT_MS, budget: BUDGET };
    return (await limits.check(STAY_SIGN_IN, from, STAY, check, options)) ?? false;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}

const dotted = (first: number, n: number) => `${first}.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

let families = 0;
const waits: number[] = [];
async function comeAsFamily(): Promise<void> {
  const from = dotted(11, families++);
  if (families % 2) await opens(from, false);
  for (const start = now; ; now += 1_000) {
    if (!(await opens(from, true))) continue;
    waits.push((now - start) / 1_000);
    return;
  }
}

let next = now;
for (let guess = 0; guess < GUESSES; guess++) {
  now = Math.max(now, START + (guess * DAY_S * 1_000) / GUESSES);
  await opens(dotted(10, guess % ADDRESSES), false);
  if (now < next) continue;
  next += FAMILY_EVERY * 1_000;
  await comeAsFamily();
  await limits.deleteOld();
}
await site.close();

const rows: Row[] = [
  {
    ...{
      work: 'guesses at one stay in a day that are looked at',
      unit: 'of 100',
      measured: (100 * checked) / GUESSES,
    },
    aim: { of: 'measured', atMost: 50 },
  },
  {
    ...{ work: 'longest wait of a family meanwhile', unit: 's', measured: Math.max(...waits) },
    aim: { of: 'measured', atMost: 5 },
  },
];
tell({
  title: 'A day of guesses',
  text: [
    `${GUESSES} guesses at one stay in 24 hours, from ${ADDRESSES} addresses in turn, on a clock of their own; ${families}`,
    'families sign in meanwhile, every other one after a typing error. A guess has one chance in 2⁶⁰.',
  ],
  rows,
});
