import { Agent, get } from 'node:http';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Nginx, startNginx } from '#tests/support/nginx.ts';
import { newPlace, type Server, start, stop } from '#tests/support/process.ts';

/* Too much at once: at a site, and at the proxy in front of it. */

let place: Awaited<ReturnType<typeof newPlace>>;
let server: Server;
let nginx: Nginx;

beforeAll(async () => {
  place = await newPlace();
  server = await start({ ...place, env: { ...place.env, TRUST_PROXY: '1' } });
  nginx = await startNginx([server.url]);
});
afterAll(async () => {
  await nginx?.stop();
  if (server) await stop(server);
  await place?.clean();
});

/** Begins a request on a connection of its own, and sends no more of it. */
function begin(from: string, text: string): TLSSocket {
  const { hostname, port } = new URL(nginx.origin);
  const place = { host: hostname, port: Number(port), localAddress: from };
  const socket = connect({ ...place, ca: nginx.ca });
  // Ended by the proxy, whenever that is.
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

const SLOW =
  'POST /api/api/contact HTTP/1.1\r\nHost: cse.example\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{';
/** Each on a connection of its own. */
const ask = (path: string, from: string, init: RequestInit = {}) =>
  nginx.fetch(nginx.origin + path, { ...init, headers: { ...init.headers, connection: 'close' }, from });
const signIn = (from: string) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'inconnue', password: 'faux' });
  return ask('/api/api/loginAdmin', from, { method: 'POST', headers, body });
};

test('a probe is answered before most of two hundred pages that were asked for with it', async () => {
  // Connections that are open already: a new one is accepted in a turn of its own.
  const agents = Array.from({ length: 201 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const read = (path: string, agent: Agent | undefined) =>
    new Promise<number>((resolve, reject) => {
      const asked = get(new URL(path, server.url), { agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      asked.once('error', reject);
    });
  await Promise.all(agents.map((agent) => read('/healthz', agent)));
  let pages = 0;
  const [last, ...others] = agents;
  const flood = others.map(async (agent, index) => {
    expect(await read(`/nulle-part-${index}`, agent)).toBe(404);
    pages++;
  });
  expect(await read('/healthz', last)).toBe(200);
  const before = pages;
  await Promise.all(flood);
  for (const agent of agents) agent.destroy();
  expect(before).toBeLessThan(100);
});

test('850 slow forms of one address leave the site to the others, and to its own visitors', async () => {
  const sockets = Array.from({ length: 850 }, () => begin('127.0.0.2', SLOW));
  try {
    let refused: Response;
    do refused = await signIn('127.0.0.2');
    while (refused.status === 401);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toEqual({
      message: expect.stringMatching(/^Trop de demandes viennent de votre réseau/),
    });
    expect((await ask('/', '127.0.0.2')).status).toBe(200);
    expect((await ask('/', '127.0.0.3')).status).toBe(200);
    expect((await signIn('127.0.0.3')).status).toBe(401);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('a request whose headers do not come, and a form that stands still, are ended', async () => {
  const ended = (socket: TLSSocket) => new Promise((resolve) => socket.once('close', resolve));
  const headers = begin('127.0.0.4', 'GET / HTTP/1.1\r\nHost: cse.exa');
  const body = begin('127.0.0.4', SLOW);
  headers.resume();
  body.resume();
  await Promise.all([ended(headers), ended(body)]);
});

test('a hundred sign-ins at once are let through, a thousand are not', async () => {
  const statuses = (await Promise.all(Array.from({ length: 59 }, () => signIn('127.0.0.5')))).map(
    ({ status }) => status,
  );
  expect(statuses).not.toContain(500);
  const many: number[] = [];
  for (let done = 0; done < 20; done++)
    many.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => signIn('127.0.0.6')))).map(
        ({ status }) => status,
      ),
    );
  expect(many.filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(many).toContain(429);
  expect((await ask('/', '127.0.0.6')).status).toBe(200);
});
