import { insertStay } from '#features/stays/server/staysStore.ts';
import { quantile } from './support/numbers.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * What the sign-in of stays tells by its duration, and what guessers elsewhere cost a family.
 *
 *   node bench/sign-in.ts [tries of each kind] [guesses]
 *
 * First: an unknown stay, a wrong password and none at all, one of each in turn, each try from an address of its
 * own. Two kinds are told apart when Welch’s t between them is above 4.5, or their medians 2 ms apart. Then: the
 * guesses come from 500 addresses, fifty at once, and a family signs in from another one during and after them.
 */

const TRIES = Number(process.argv[2] ?? 2_000);
const GUESSES = Number(process.argv[3] ?? 10_000);
const ADDRESSES = 500;
const AT_ONCE = 50;
const PASSWORD = 'K7QF-2MXA-9TRD';
const UNKNOWN = 999_999;

const site = await openSite({ LOG_LEVEL: 'error', TRUST_PROXY: '1' });
const { database, secrets } = site.services;
const today = new Date().toISOString().slice(0, 10);
const stay = { nom_stage: 'Été à Oléron', date_debut: today, date_fin: today };
const stageId = await database.write((transaction) =>
  insertStay(transaction, secrets, stay, new Date(), { stagiaire: PASSWORD }),
);

/** Signs in from an address; how long the answer took, in ms. */
async function signIn(of: number, password: string, from: string, statuses: number[]): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${site.base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ stageId: of, password }),
  });
  await response.arrayBuffer();
  const took = performance.now() - start;
  if (!statuses.includes(response.status)) throw new Error(`${response.status} from ${from}`);
  return took;
}

let addresses = 0;
const freshAddress = () => {
  addresses++;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

const KINDS = {
  unknown: () => signIn(UNKNOWN, PASSWORD, freshAddress(), [401]),
  wrong: () => signIn(stageId, 'K7QF-2MXA-9TRE', freshAddress(), [401]),
  empty: () => signIn(stageId, '', freshAddress(), [401]),
};
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const variance = (values: number[]) => {
  const middle = mean(values);
  return values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (values.length - 1);
};
const welch = (a: number[], b: number[]) =>
  (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);
/** The slowest part says more of the machine than of the sign-in. */
const usual = (values: number[]) => {
  const limit = quantile(values, 0.95);
  return values.filter((value) => value <= limit);
};

const times: Record<Kind, number[]> = { unknown: [], wrong: [], empty: [] };
for (let turn = -100; turn < TRIES; turn++) {
  // Another one begins each time: none always follows the same.
  for (let place = 0; place < kinds.length; place++) {
    const kind = kinds[(turn + 100 + place) % kinds.length] as Kind;
    const took = await KINDS[kind]();
    if (turn >= 0) times[kind].push(took);
  }
}
const rows: Row[] = kinds.map((kind) => ({
  ...{ work: `${kind} password or stay`, unit: 'ms', measured: quantile(times[kind], 0.5) },
}));
for (const [one, other] of [
  ['unknown', 'wrong'],
  ['unknown', 'empty'],
  ['wrong', 'empty'],
] as const) {
  const gap = Math.abs(quantile(times[one], 0.5) - quantile(times[other], 0.5));
  const t = Math.abs(welch(usual(times[one]), usual(times[other])));
  rows.push(
    {
      work: `${one} and ${other}, medians apart`,
      unit: 'ms',
      measured: gap,
      aim: { of: 'measured', atMost: 2 },
    },
    { work: `${one} and ${other}, t`, unit: '', measured: t, aim: { of: 'measured', atMost: 4.5 } },
  );
}

const alone: number[] = [];
for (let turn = 0; turn < 20; turn++) alone.push(await signIn(stageId, PASSWORD, freshAddress(), [200]));

const start = performance.now();
const guessers = Array.from({ length: AT_ONCE }, async (_, guesser) => {
  for (let turn = 0; turn < GUESSES / AT_ONCE; turn++) {
    const index = (guesser + turn * AT_ONCE) % ADDRESSES;
    await signIn(stageId, `FAUX-${turn}`, `172.16.${index >> 8}.${index & 255}`, [401, 429]);
  }
});
let isOver = false;
const guessing = Promise.all(guessers).then(() => {
  isOver = true;
});
const during: number[] = [];
while (!isOver) during.push(await signIn(stageId, PASSWORD, freshAddress(), [200]));
await guessing;
const seconds = (performance.now() - start) / 1_000;
const after = await signIn(stageId, PASSWORD, freshAddress(), [200]);

const beside = { name: 'before the guesses', measured: quantile(alone, 0.5) };
rows.push(
  { work: 'a family’s sign-in during guesses', unit: 'ms', measured: quantile(during, 0.5), beside },
  { work: 'the same, at worst', unit: 'ms', measured: Math.max(...during), beside },
  { work: 'the same, after them', unit: 'ms', measured: after, beside },
);
tell({
  title: 'Signing in to a stay',
  text: [
    `What the sign-in tells by its duration: ${TRIES} tries of each kind. Then ${GUESSES} guesses from ${ADDRESSES}`,
    `addresses, ${AT_ONCE} at once, in ${seconds.toFixed(1)} s, while a family signs in.`,
  ],
  rows,
});

await site.close();
