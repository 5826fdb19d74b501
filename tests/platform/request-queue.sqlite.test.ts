import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_PREFIX } from '#platform/shared/call.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

const METRICS_TOKEN = 'jeton-des-mesures-2026';
const SENTENCE = /Le site est très demandé\s: réessayez dans un instant\./;
/** Seventy-six leave the queue in a turn of forty milliseconds: the last of these have waited too long by then. */
const MANY = 1_500;

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ env: { METRICS_TOKEN } });
});
afterAll(() => site?.close());

const question = (path = `${API_PREFIX}/actualites/123456`, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: site\r\n${headers}\r\n`;

/** A connection that was accepted, on which many questions leave at once: new ones are accepted one at a time. */
async function openConnection() {
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  const answered = (count: number) => expect.poll(() => statuses().length).toBeGreaterThanOrEqual(count);
  socket.write(question('/healthz'));
  await answered(1);
  text = '';
  return { ask: (questions: string) => socket.write(questions), statuses, text: () => text, answered };
}

/** More than the site can answer, until it is ended; settles once the site has refused some. */
async function flood() {
  const { ask, statuses, text, answered } = await openConnection();
  let asked = 0;
  const timer = setInterval(() => {
    if (asked - statuses().length > MANY) return;
    asked += MANY;
    ask(question().repeat(MANY));
  }, 10);
  await expect.poll(text).toContain('HTTP/1.1 503');
  return async () => {
    clearInterval(timer);
    await answered(asked);
    return { statuses: statuses(), text: text() };
  };
}

/** Leaves the process, of which this test is a part, time for little else; what is returned ends it. */
function tire(): () => void {
  let isOver = false;
  const work = () => {
    const end = performance.now() + 40;
    while (performance.now() < end);
    if (!isOver) setImmediate(work);
  };
  work();
  return () => {
    isOver = true;
  };
}

async function countExcess(): Promise<number> {
  const { text } = await site.ask('GET /metrics', { token: METRICS_TOKEN });
  return Number(/^http_requests_total\{call="excess",status="5xx"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

test('many requests at once are all answered', async () => {
  const { ask, statuses, answered } = await openConnection();
  ask(question().repeat(300));
  await answered(300);
  expect(statuses()).toEqual(Array(300).fill(404));
  expect(await countExcess()).toBe(0);
});

test('what is too much is told to come back; staff and probes pass, and afterwards everybody', async () => {
  const token = await site.tokenOf('admin');
  // By now they are known.
  expect((await site.call('GET /admins', { token })).status).toBe(200);
  const visitor = await openConnection();
  const rest = tire();
  const end = await flood();
  const plain = question();
  const unknown = question(undefined, `authorization: Bearer ${'x'.repeat(43)}\r\n`);
  const page = question('/une-details/1', 'accept: text/html,*/*;q=0.8\r\n');
  // Of 76 that leave in a turn, 16 are answered: some of each kind are not.
  visitor.ask((plain + unknown + page).repeat(50));

  const body = new FormData();
  body.set('titre', 'Enregistrée malgré tout');
  body.set('description', 'Pendant que tout le monde regarde.');
  const passing = [
    site.call('POST /actualites', { token, body }),
    site.call('GET /admins', { token }),
    site.ask('GET /healthz'),
    site.ask('GET /readyz'),
    site.ask('GET /metrics', { token: METRICS_TOKEN }),
  ];
  expect((await Promise.all(passing)).map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  await visitor.answered(150);
  const { statuses, text } = await end();
  rest();

  const answers = visitor.text().split('HTTP/1.1 ').slice(1);
  const refusals = [0, 1, 2].map((kind) =>
    answers.filter((answer, index) => index % 3 === kind && answer.startsWith('503')),
  );
  const [[call = ''] = [], [ofUnknown = ''] = [], [ofPage = ''] = []] = refusals;
  expect(ofUnknown).toMatch(SENTENCE);
  expect(JSON.parse(call.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.stringMatching(SENTENCE) });
  expect(call).toMatch(/^content-type: application\/json; charset=utf-8\r$/m);
  expect(call).toMatch(/^cache-control: no-store\r$/m);
  expect(call).toMatch(/^x-request-id: \S+\r$/m);
  expect(call).toMatch(/^x-content-type-options: nosniff\r$/m);
  expect(ofPage).toMatch(/^content-type: text\/html; charset=utf-8\r$/m);
  expect(ofPage).toMatch(SENTENCE);
  const seconds = /^retry-after: (\d)\r$/m.exec(ofPage)?.[1];
  expect(ofPage).toContain(`<meta http-equiv="refresh" content="${seconds}">`);

  expect(new Set(statuses)).toEqual(new Set([404, 503]));
  const refused = statuses.filter((one) => one === 503).length;
  const waits = [...text.matchAll(/^retry-after: (\d+)/gm)].map(([, wait]) => Number(wait));
  expect(waits).toHaveLength(refused);
  expect(new Set(waits)).toEqual(new Set([2, 3, 4, 5]));
  expect(await countExcess()).toBe(refused + refusals.flat().length);
  expect(site.logLines.filter((line) => line.includes('too many requests'))).toHaveLength(1);
  expect((await site.call('GET /actualites/123456')).status).toBe(404);
});
