import { createServer } from 'node:http';
import autocannon from 'autocannon';
import { median } from './support/numbers.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * Public lists against a bare node:http server sending the same bytes, in one interleaved run: only the ratios
 * mean something. `fresh` drops the kept answer before each request, as a write does.
 *
 *   node bench/lists.ts [rounds] [seconds]
 */

const ROUNDS = Number(process.argv[2] ?? 4);
const SECONDS = Number(process.argv[3] ?? 4);
const ITEMS = 50;
const CONNECTIONS = 50;
const WORDS =
  'séjour montagne veillée randonnée inscription famille salarié permanence réunion cinéma '.split(' ');

const site = await openSite();
const { services, app } = site;

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => WORDS[(index * 7) % WORDS.length]).join(' ');
}

for (let index = 0; index < ITEMS; index++) {
  const at = new Date(Date.UTC(2026, 0, 1 + index)).toISOString();
  const values = {
    titre: `Actualité ${index}`,
    description: words(45),
    image_url: null,
    illustrations: '[]',
    created_at: at,
    modifie_le: at,
    version: 1,
  };
  await services.database.write((db) => db.insertInto('actualites').values(values).execute());
}

const url = `${site.base}/actualites`;
const body = Buffer.from(await (await fetch(url)).arrayBuffer());

const raw = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
const { port: rawPort } = raw.address() as { port: number };

/** Makes every request find nothing kept, as if each came right after a write. */
let isForgetting = false;
app.server.prependListener('request', () => {
  if (isForgetting) services.cache.drop('actualites');
});

interface Measure {
  perSecond: number;
  p99: number;
}

async function measure(url: string): Promise<Measure> {
  // The generator has a thread, and so a core, of its own.
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, workers: 1 });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

const subjects: [name: string, run: () => Promise<Measure>][] = [
  ['raw', () => measure(`http://127.0.0.1:${rawPort}/`)],
  ['kept', () => measure(url)],
  [
    'fresh',
    async () => {
      isForgetting = true;
      const result = await measure(url);
      isForgetting = false;
      return result;
    },
  ],
];

const results = new Map(subjects.map(([name]) => [name, [] as Measure[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of subjects) results.get(name)?.push(await run());
}

const middle = (name: string, of: keyof Measure) => median((results.get(name) ?? []).map((one) => one[of]));
const beside = { name: 'a bare node:http server', measured: middle('raw', 'perSecond') };
const AIMS = { kept: 0.6, fresh: 0.2 };
tell({
  title: 'Public lists',
  text: [
    `${ITEMS} news items, ${body.length} bytes, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s.`,
    'Kept: nothing was written since the answer before. Fresh: each answer as if it came right after a write.',
  ],
  rows: (['kept', 'fresh'] as const).flatMap((name): Row[] => [
    {
      ...{ work: `news list, ${name}`, unit: 'req/s', measured: middle(name, 'perSecond'), beside },
      aim: { of: 'ratio', atLeast: AIMS[name] },
    },
    {
      ...{ work: `news list, ${name}, p99`, unit: 'ms', measured: middle(name, 'p99') },
      beside: { ...beside, measured: middle('raw', 'p99') },
      aim: { of: 'measured', atMost: 5 },
    },
  ]),
});

await site.close();
raw.close();
