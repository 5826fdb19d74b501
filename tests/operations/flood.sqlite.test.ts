import { readFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Nginx, startNginx } from '#tests/support/nginx.ts';
import { newPlace, type Server, start, stop } from '#tests/support/process.ts';

/*
 * Too much at once: at a site, and at the proxy's file as it is shipped, but for names, ports and certificates, in front of
 * it.
 */

let place: Awaited<ReturnType<typeof newPlace>>;
let server: Server;
let nginx: Nginx;

const PLAIN = 'port-80.example';

/** The file for one process at `url`, on a free port of this machine, without TLS; its port 80 is another host there. */
function shipped(url: string): (port: number) => string {
  const file = readFileSync('deploy/nginx.conf', 'utf8');
  return (port) =>
    file
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('listen [::]:80;', '')
      .replace('server_name cse.example;', `server_name ${PLAIN};`)
      .replace('server 127.0.0.1:3000 ', `server ${new URL(url).host} `)
      .replace('server 127.0.0.1:3001 fail_timeout=2s;', '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} default_server;`)
      .replace('listen [::]:443 ssl http2;', '')
      .replace(/ssl_\w+ [^;]*;/g, '')
      .replace(/access_log \/var[^;]*;/, '');
}

beforeAll(async () => {
  place = await newPlace();
  server = await start({ ...place, env: { ...place.env, TRUST_PROXY: '1' } });
  nginx = await startNginx(shipped(server.url));
});
afterAll(async () => {
  await nginx?.stop();
  if (server) await stop(server);
  await place?.clean();
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Asks through the proxy, from an address of this machine. */
function ask(method: string, path: string, from: string, body?: object, host?: string): Promise<Answer> {
  const { hostname, port } = new URL(nginx.origin);
  return new Promise((resolve, reject) => {
    const headers = { ...(body && { 'content-type': 'application/json' }), ...(host && { host }) };
    const options = { hostname, port, method, path, localAddress: from, headers, agent: false };
    const asked = request(options, async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    });
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

/** Begins a request on a connection of its own, and sends no more of it. */
function begin(from: string, text: string): Socket {
  const { hostname, port } = new URL(nginx.origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  // Ended by the proxy, whenever that is.
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

const SLOW =
  'POST /api/api/contact HTTP/1.1\r\nHost: cse.example\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{';
const signIn = (from: string) =>
  ask('POST', '/api/api/loginAdmin', from, { username: 'inconnue', password: 'faux' });

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
    let refused: Answer;
    do refused = await signIn('127.0.0.2');
    while (refused.status === 401);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(JSON.parse(refused.text).message).toMatch(/^Trop de demandes viennent de votre réseau/);
    expect((await ask('GET', '/', '127.0.0.2')).status).toBe(200);
    expect((await ask('GET', '/', '127.0.0.3')).status).toBe(200);
    expect((await signIn('127.0.0.3')).status).toBe(401);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('a request whose headers do not come, and a form that stands still, are ended', async () => {
  const ended = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
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
  expect((await ask('GET', '/', '127.0.0.6')).status).toBe(200);
});

test('in plain text a page leads to https, and a call is refused', async () => {
  const page = await ask('GET', '/avantages', '127.0.0.1', undefined, PLAIN);
  expect([page.status, page.headers.location]).toEqual([301, `https://${PLAIN}/avantages`]);
  const call = await ask('POST', '/api/api/loginAdmin', '127.0.0.1', { username: 'a', password: 'b' }, PLAIN);
  expect([call.status, call.headers.location]).toEqual([403, undefined]);
});
