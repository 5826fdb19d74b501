import type { Measured } from './page.ts';
import { shown } from './result.ts';

/** What a site carries and what it takes to carry more, as a page, from what was measured. */

/** What is not measured, and stands in the page as it is assumed here. */
const ASSUMED = {
  /** Photos of a stay of two weeks. */
  photosOfStay: 300,
  /** What a photo takes in its five files, in MB. */
  mbOfPhoto: 3.3,
  familiesOfStay: 30,
  /** Photos that a family looks at in an evening, and requests that each costs: small, large, what comes with them. */
  photosLookedAt: 40,
  requestsOfPhoto: 1.5,
  /** Part of a machine that is planned with: the rest is for what nobody planned. */
  planned: 0.5,
  /** Part of all families that look within the busiest hour. */
  atOnce: 0.1,
  /** Hours of an evening in which the photos of the day arrive. */
  eveningHours: 3,
  /** Days for which photos are kept after a stay, and days of the summer. */
  keptDays: 60,
  summerDays: 60,
};
const ORGANISATIONS = 1_000;
const STAYS = 100;
/** Memory of a process at work, in MB: as measured while photos are sent. */
const WORKING_MB = 450;
/** What the machines of many organisations are counted in. */
const MACHINE = { cores: 16, gb: 64 };

/** `capacity.md`; undefined while a measurement that it needs is missing. */
export function drawCapacity(measured: readonly Measured[]): string | undefined {
  const found = new Map(
    measured.flatMap(({ name, results }) =>
      results.flatMap(({ rows }) => rows.map((row) => [`${name}: ${row.work}`, row] as const)),
    ),
  );
  const keys = {
    peak: 'overload: served',
    prepared: 'photos: photos sent and prepared',
    cpuOfPhoto: 'photos: processor for a photo',
    mails: 'mails: messages that leave',
    idle: 'start: idle memory',
    nightly: 'backups: backup of the next night',
    dashboard: 'growth: dashboard',
    one: 'processes: photos that one process lets through',
    two: 'processes: photos that two processes let through',
    site: 'processes: processor of a process for one of them',
    database: 'processes: processor of PostgreSQL for one of them',
  } as const;
  const missing = Object.values(keys).filter((key) => !found.has(key));
  if (missing.length > 0) return undefined;
  const of = (name: keyof typeof keys) => found.get(keys[name])?.measured ?? 0;
  // At most, without the excess.
  const peak = found.get(keys.peak)?.beside?.measured ?? of('peak');

  const a = ASSUMED;
  const requestsOfFamily = a.photosLookedAt * a.requestsOfPhoto;
  const familiesAnHour = (peak * a.planned * 3600) / requestsOfFamily;
  const photosAnHour = of('prepared') * a.planned * 3600;
  const gbOfStay = (a.photosOfStay * a.mbOfPhoto) / 1000;
  const photosADay = a.photosOfStay / 14;
  const staysAtOnce = (photosAnHour * a.eveningHours) / photosADay;
  const perCore = 1000 / of('site');
  const perDatabaseCore = 1000 / of('database');

  const stays = ORGANISATIONS * STAYS;
  const photos = stays * a.photosOfStay;
  const families = stays * a.familiesOfStay;
  const requests = (families * a.atOnce * requestsOfFamily) / 3600;
  const siteCores = requests / (perCore * a.planned);
  const databaseCores = requests / (perDatabaseCore * a.planned);
  const photoCores = ((photos / a.summerDays) * of('cpuOfPhoto')) / (a.eveningHours * 3600) / a.planned;
  const terabytes = (photos * a.mbOfPhoto) / 1e6;
  const memory = (ORGANISATIONS * of('idle') + siteCores * WORKING_MB) / 1000;
  const sent = (families * a.photosLookedAt * 0.06) / 1e6;

  const byCores = (siteCores + databaseCores + photoCores) / MACHINE.cores;
  const byMemory = memory / MACHINE.gb;

  const n = (value: number) => shown(Number(value.toPrecision(2)));
  const lines = [
    '# Capacity',
    '',
    '<!-- Written by `npm run bench`: what is typed here is lost. -->',
    '',
    'What one machine carries, when to add what, and what a thousand organisations would take. Written by `npm run bench` from',
    '[what was measured](performance.md) on two cores; numbers are rounded to two digits, as no site is like another. What is',
    'assumed:',
    '',
    '| assumed | |',
    '|---|---|',
    `| a stay | ${a.photosOfStay} photos, ${a.familiesOfStay} families, two weeks |`,
    `| a photo | ${a.mbOfPhoto} MB in its five files |`,
    `| a family in an evening | ${a.photosLookedAt} photos, ${requestsOfFamily} requests |`,
    `| what is planned with | ${100 * a.planned} % of what a machine does at most |`,
    `| the busiest hour | ${100 * a.atOnce} % of all families |`,
    `| photos of a day | arrive within ${a.eveningHours} hours |`,
    '',
    '## One machine of two cores, on SQLite',
    '',
    '| what | carries | from |',
    '|---|---|---|',
    `| families in the busiest hour | ${n(familiesAnHour)} | ${shown(peak)} small photos a second at most |`,
    `| photos an hour, ready to be checked | ${n(photosAnHour)} | ${shown(of('prepared'))} a second |`,
    `| stays under way at the same time | ${n(staysAtOnce)} | the photos of a day within an evening |`,
    `| room for a stay | ${n(gbOfStay)} GB | until its photos are over |`,
    `| codes to families | ${n(of('mails') * 60)} a minute | the provider's limit comes first: one a second for Orange or Free |`,
    `| 10,000 stays kept | portal opens in ${n(of('dashboard'))} ms | a hundred summers of a works council |`,
    `| a night's backup of 20,000 photos | ${n(of('nightly'))} s | what is new is copied |`,
    '',
    'A works council with a hundred stays a summer, fifteen under way at once, uses a few per cent of it: the disk decides, some',
    `${n(STAYS * gbOfStay)} GB.`,
    '',
    '## When to add what',
    '',
    '| what is seen | what to add |',
    '|---|---|',
    '| `passerelle_disk_free_bytes` under a fifth | a larger disk; sending stops at a tenth |',
    '| photos wait in the evening (`passerelle_photos{state="recue"}` grows for an hour) | cores: one photo a core is prepared at once, four at most |',
    '| `http_requests_total{call="excess"}` above 0, or p99 above 400 ms in an evening | first nginx for the files (`X_ACCEL_PREFIX`); then PostgreSQL and a second process |',
    '| `nodejs_eventloop_lag_p99_seconds` above 0.1 | a second process |',
    '| backups take hours | a bucket, which keeps its own copies |',
    '| the machine must be able to fail in July | two machines, PostgreSQL and a bucket of a provider |',
    '',
    '## What breaks first',
    '',
    'Two processes on one PostgreSQL, files in a bucket from which browsers fetch, under all the requests that they take:',
    `${shown(of('one'))} a second by one, ${shown(of('two'))} by two on the same two cores. A request takes ${shown(of('site'))} ms of a`,
    `process and ${shown(of('database'))} ms of PostgreSQL: a core of a process lets ${n(perCore)} photos a second through, a core of`,
    perCore < perDatabaseCore
      ? `PostgreSQL ${n(perDatabaseCore)}. **The processor of the processes is used up first**, and more of them mend it; PostgreSQL`
      : `PostgreSQL ${n(perDatabaseCore)}. **The processor of PostgreSQL is used up first**; the processes`,
    perCore < perDatabaseCore
      ? `follows at ${n(perDatabaseCore / perCore)} processes for each of its cores. Its connections come next: ten for a process, of the hundred that it`
      : `follow. Connections come next: ten for a process, of the hundred that PostgreSQL`,
    'has by itself.',
    '',
    `## ${ORGANISATIONS.toLocaleString('en')} organisations of ${STAYS} stays`,
    '',
    'A site is one organisation: its own database, its own key, its own process at least. What all of them take together:',
    '',
    '| part | takes | cost a month |',
    '|---|---|---|',
    `| processes at rest, and memory for the evenings | ${n(memory)} GB of memory | ${n(memory)} × *price of a GB* |`,
    `| requests of the busiest hour: ${n(requests)} a second | ${n(siteCores)} cores for processes, ${n(databaseCores)} for PostgreSQL | ${n(siteCores + databaseCores)} × *price of a core* |`,
    `| preparing ${n(photos / a.summerDays)} photos a day | ${n(photoCores)} cores in the evenings of the summer | ${n(photoCores)} × *price of a core*, two months a year |`,
    `| ${n(photos)} photos | ${n(terabytes)} TB in the bucket, when all are kept at once | ${n(terabytes)} × *price of a TB* |`,
    `| what families fetch | ${n(sent)} TB a summer | ${n(sent)} × *price of a TB sent* |`,
    `| codes and reminders | ${n((2 * families) / 1e6)} million mails a summer | ${n((2 * families) / 1000)} × *price of a thousand* |`,
    '',
    `On machines of ${MACHINE.cores} cores and ${MACHINE.gb} GB: ${n(byCores)} for the processor, ${n(byMemory)} for the memory, so`,
    `${Math.ceil(Math.max(byCores, byMemory))} in the summer; **the ${byCores > byMemory ? 'processor, for the photos of the evening,' : 'memory of sites at rest'} is used up first**. A PostgreSQL for each hundred`,
    `sites, a database each, and a bucket for each site. In winter the memory of sites at rest is what is left`,
    `(${n((ORGANISATIONS * of('idle')) / 1000)} GB): a process that starts when somebody asks would save it, and is not built.`,
    '',
  ];
  return lines.join('\n');
}
