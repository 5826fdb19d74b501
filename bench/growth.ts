import { setTimeout as pause } from 'node:timers/promises';
import { product } from '#app/server/features.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { grow } from './support/growth.ts';
import { median } from './support/numbers.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * What calls cost as the database grows: a year of a works council (100 stays, 10,000 photos, 10,000 children), ten of
 * them, a hundred. What is asked for piece by piece must stay as it is, what the specification has whole may grow as its
 * answer does, and no faster. On SQLite; on PostgreSQL with DATABASE_URL set to an empty database.
 *
 *   node bench/growth.ts [rounds] [largest factor: 1, 10 or 100]
 */

const ROUNDS = Number(process.argv[2] ?? 9);
const LARGEST = Number(process.argv[3] ?? 100);
const FACTORS = [1, 10, 100].filter((factor) => factor <= LARGEST);
const LINES = 1_000;
/** Of a time, when the data is ten times as much; above 1 and 10 as far as times of a few ms waver. */
const AIMS = { flat: 2, linear: 13 };
/** Below this, in ms, a time says more of the machine than of the data. */
const NOTHING = 2;

const site = await openSite({ LOG_LEVEL: 'fatal', TRUST_PROXY: '1' });
const { services } = site;
const admin = await site.bearer();
/** Like `admin`, but signed in a moment ago: passwords are read by nobody else. */
let proven = admin;
let filled = await grow(services, FACTORS[0] ?? 1);
const { large } = filled;
const family = await site.bearerOf('family', large);

async function ask(
  path: string,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(new URL(path, site.base), { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

const api = (path: string) => new URL(site.base).pathname + path;
const get =
  (path: string, headers: Record<string, string> = {}) =>
  async () =>
    void (await (await ask(api(path), headers)).arrayBuffer());

async function post(path: string, headers: Record<string, string>, body: object): Promise<void> {
  const json = { ...headers, 'content-type': 'application/json' };
  await (await ask(api(path), json, { method: 'POST', body: JSON.stringify(body) })).arrayBuffer();
}

const first = (await (await ask(api(`/stages/${large}/photos?limite=20`), family)).json()) as {
  suite: string;
  repere: string;
};
const [password] = (await (await ask(api(`/stage-passwords/${large}`), admin)).json()) as {
  mdp_stagiaire: string;
}[];
let imports = 0;

/** Looks a small photo up and misses its file, which has never been there. */
async function photo(): Promise<void> {
  const { status } = await fetch(new URL(`${PHOTO_FOLDER}p${large}_1-320.webp`, site.base), {
    headers: family,
  });
  if (status !== 404) throw new Error(`a photo without a file: ${status}`);
}

async function bring(): Promise<void> {
  imports += 1;
  const lines = Array.from(
    { length: LINES },
    (_, index) => `Nouveau-${imports}-${index};Lou;n${index}@example.org;oui;Importé;01/07/2026;15/07/2026`,
  );
  const body = new FormData();
  const head = 'nom;prenom;email;consentement_image;nom_stage;date_debut;date_fin';
  body.append('file', new Blob([[head, ...lines, ''].join('\r\n')]), 'familles.csv');
  await (await ask(api('/upload'), admin, { method: 'POST', body })).arrayBuffer();
}
await post('/stages', admin, { nom_stage: 'Importé', date_debut: '2026-07-01', date_fin: '2026-07-15' });

const forgotten = async (work: () => Promise<void>) => {
  await services.cache.drop('actualites');
  await work();
};

interface Work {
  name: string;
  grows: keyof typeof AIMS;
  run(): Promise<void>;
}
const flat = (name: string, run: () => Promise<void>): Work => ({ name, grows: 'flat', run });
const linear = (name: string, run: () => Promise<void>): Work => ({ name, grows: 'linear', run });

const works: Work[] = [
  linear('all news, fresh', () => forgotten(get('/actualites'))),
  linear('public list of stays', get('/stages')),
  linear('list of stays in the portal', get('/stages-suivi', admin)),
  flat('one stay in the portal', get(`/stages/${large}`, admin)),
  linear('children of a stay that grows too', get(`/get-stagiaires/${large}`, admin)),
  linear('all directors', get('/formateurs', admin)),
  flat('first 20 photos of a stay', get(`/stages/${large}/photos?limite=20`, family)),
  flat(
    'the next 20',
    get(`/stages/${large}/photos?limite=20&apres=${encodeURIComponent(first.suite)}`, family),
  ),
  flat(
    'what is new among photos',
    get(`/stages/${large}/photos/changements?depuis=${encodeURIComponent(first.repere)}`, family),
  ),
  flat('where the photos of a stay are', get(`/stages/${large}/photos/suivi`, admin)),
  flat('may a family see this photo', photo),
  flat('sign-in of a family', () =>
    post('/auth/login', {}, { stageId: large, password: password?.mdp_stagiaire }),
  ),
  linear('dashboard', get('/tableau-de-bord', admin)),
  linear('search in the portal', get('/recherche?q=sejour', admin)),
  linear('export of all passwords', () => get('/download-passwords', proven)()),
  flat(`import of ${LINES} children`, bring),
  flat('what is known of an address', () => post('/rgpd', admin, { email: 'famille7@s7.example.org' })),
  linear('list of mailings', get('/envois', admin)),
  flat('journal, the first page', get('/journal', admin)),
];
const regular = product
  .works(services)
  // It would say of each photo that its file is missing.
  .filter(({ name }) => name !== 'balayage')
  .map(({ name, run }) => linear(`work that comes back: ${name}`, run));
const all = [...works, ...regular];

async function timed({ run }: Work): Promise<number> {
  // What stopped the process meanwhile may have outlasted its connections: they close first.
  await pause(10);
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const times = new Map(all.map(({ name }) => [name, [] as [number, number][]]));
for (const factor of FACTORS) {
  if (factor > filled.factor) filled = await grow(services, factor, filled);
  const rounds = new Map(works.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS + 1; round++) {
    proven = await site.bearer();
    for (const work of works) {
      const ms = await timed(work);
      // The first time reads into memory, and prepares statements.
      if (round > 0) rounds.get(work.name)?.push(ms);
    }
  }
  for (const [name, list] of rounds) times.get(name)?.push([factor, median(list)]);
  for (const work of regular) times.get(work.name)?.push([factor, await timed(work)]);
}
await site.close();

const named = (name: string) => times.get(name) ?? [];
const [before, last] = [FACTORS.at(-2), FACTORS.at(-1)];
const rows = all.map(({ name, grows }): Row => {
  const [low, high] = [named(name).at(-2)?.[1], named(name).at(-1)?.[1] ?? 0];
  const row = { work: name, unit: `ms at ${last}×`, measured: high };
  if (low === undefined) return row;
  const beside = { name: `at ${before}×`, measured: low };
  return high < NOTHING ? { ...row, beside } : { ...row, beside, aim: { of: 'ratio', atMost: AIMS[grows] } };
});

/** The power of the data with which a time grows: 0 not at all, 1 as the data does. */
function slope(points: [number, number][]): string {
  const [[x0, y0], [x1, y1]] = [points.at(-2) ?? [1, 1], points.at(-1) ?? [1, 1]];
  return x0 === x1 ? '' : ` (${(Math.log(y1 / y0) / Math.log(x1 / x0)).toFixed(2)})`;
}

const curveOf = (title: string, chosen: Work[]) => ({
  ...{ title, x: 'years of data', y: 'ms; in brackets the slope of the last step', isLogarithmic: true },
  lines: chosen.map(({ name }) => ({ name: `${name}${slope(named(name))}`, points: named(name) })),
});
tell({
  title: 'Growth',
  text: [
    'A year is 100 stays of 100 photos, 100 children and 100 mails each, 10 news items, 10 directors and 1,000 lines of',
    `the journal; one stay has 50 photos and children a year instead. Measured at ${FACTORS.join(', ')} years, on`,
    `${services.database.engine}, ${ROUNDS} times each, in turn, works that come back once. Times below ${NOTHING} ms have no aim.`,
  ],
  rows,
  curves: [
    curveOf(
      'Calls that must not grow',
      works.filter(({ grows }) => grows === 'flat'),
    ),
    curveOf(
      'Calls that may grow with their answer',
      works.filter(({ grows }) => grows === 'linear'),
    ),
    curveOf('Works that come back', regular),
  ],
});
