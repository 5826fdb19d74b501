import { setTimeout as pause } from 'node:timers/promises';
import { STAY_LANE } from '#features/stays/server/signIn.ts';
import { quantile } from './support/numbers.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * Guesses at one stay from many addresses at once, as fast as the site lets them; families sign in meanwhile from addresses
 * of their own, every other one after a typing error.
 *
 *   node bench/guessing.ts [seconds of each crowd]
 */

const SECONDS = Number(process.argv[2] ?? 20);
const CROWDS = [12, 100, 1_000];
/** Time, in ms, between two guesses of one address, and between two families. */
const GUESS_EVERY_MS = 400;
const FAMILY_EVERY_MS = 250;

const site = await openSite({ LOG_LEVEL: 'error' });
const { rateLimits } = site.services;
const dotted = (first: number, n: number) => `${first}.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
let families = 0;

/** Looks at a password; what the site answered otherwise. */
async function opens(stay: string, ip: string, isRight: boolean): Promise<'open' | 'wrong' | 'refused'> {
  try {
    const found = await rateLimits.check(STAY_LANE, { ip, account: stay }, async () => isRight || undefined);
    return found ? 'open' : 'wrong';
  } catch {
    return 'refused';
  }
}

const rows: Row[] = [];
for (const [index, crowd] of CROWDS.entries()) {
  const stay = String(index + 1);
  const begun = performance.now();
  const end = begun + SECONDS * 1_000;
  let looked = 0;
  const guessing = Array.from({ length: crowd }, async (_, n) => {
    await pause((n / crowd) * GUESS_EVERY_MS);
    while (performance.now() < end) {
      if ((await opens(stay, dotted(10 + index, n), false)) === 'wrong') looked++;
      await pause(GUESS_EVERY_MS);
    }
  });
  const waits: number[] = [];
  let refused = 0;
  const coming: Promise<void>[] = [];
  const come = async (number: number) => {
    const ip = dotted(50, number);
    if (number % 2) await opens(stay, ip, false);
    const start = performance.now();
    while ((await opens(stay, ip, true)) !== 'open') {
      refused++;
      await pause(1_000);
    }
    waits.push((performance.now() - start) / 1_000);
  };
  while (performance.now() < end) {
    coming.push(come(families++));
    await pause(FAMILY_EVERY_MS);
  }
  await Promise.all([...guessing, ...coming]);
  const seconds = (performance.now() - begun) / 1_000;
  const of = `${crowd.toLocaleString('en')} addresses`;
  rows.push(
    { work: `longest wait of a family, guesses from ${of}`, unit: 's', measured: Math.max(...waits) },
    { work: `median wait of a family, guesses from ${of}`, unit: 's', measured: quantile(waits, 0.5) },
    { work: `families refused, guesses from ${of}`, unit: 'times', measured: refused },
    { work: `guesses looked at, from ${of}`, unit: 'a second', measured: looked / seconds },
  );
}
await site.close();

tell({
  title: 'Guesses at one stay',
  text: [
    `Each address guesses every ${GUESS_EVERY_MS} ms for ${SECONDS} s; a family comes every ${FAMILY_EVERY_MS} ms, every`,
    'other one after a typing error. A guess has one chance in 2⁶⁰.',
  ],
  rows,
});
