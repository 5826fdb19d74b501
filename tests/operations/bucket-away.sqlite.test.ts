import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReplyOf } from '#platform/shared/call.ts';
import { form, picture } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { type BucketServer, startBuckets } from '#tests/support/s3.ts';
import { openSite } from '#tests/support/site.ts';

/* A bucket that hangs, or cannot be reached: what people, monitoring, the log and staff are told, and that it passes. */

const SECRET_KEY = 'a-key-that-only-tests-use-0123456789';
type State = 'open' | 'hanging' | 'closed';

let buckets: BucketServer;
let relay: Awaited<ReturnType<typeof openRelay>>;
let site: TestSite;
let token: string;
let address: string;

/** A line to the bucket that can be cut, or accept and never answer. */
async function openRelay(to: string) {
  const { hostname, port } = new URL(to);
  let state: State = 'open';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (state === 'closed') return socket.destroy();
    if (state === 'hanging') return socket.resume();
    const store = connect({ host: hostname, port: Number(port) });
    store.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => store.destroy());
    return socket.pipe(store).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = server.address() as { port: number };
  return {
    endpoint: `http://127.0.0.1:${own.port}`,
    turn(next: State) {
      state = next;
      // Those that are kept for later would still lead to the bucket.
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

beforeAll(async () => {
  buckets = await startBuckets();
  const env = await buckets.newBucket('panne');
  relay = await openRelay(env.S3_ENDPOINT);
  site = await openSite({ env: { ...env, SECRET_KEY, S3_ENDPOINT: relay.endpoint } });
  token = await site.tokenOf('admin');
  const added = await addNews();
  expect(added.status).toBe(201);
  await site.jobs.idle();
  const [news] = (await site.call('GET /actualites?limite=1')).json;
  address = `/api/images_stages/${news.image_url}`;
});
afterAll(async () => {
  relay?.turn('open');
  await site?.close();
  await relay?.close();
  await buckets?.stop();
});
beforeEach(() => relay.turn('open'));

async function addNews() {
  const body = form({ titre: 'Une sortie', description: 'Au lac.', image: await picture() });
  return site.call('POST /actualites', { token, body });
}

const troubles = async () => {
  const board: ReplyOf<'GET /tableau-de-bord'> = (await site.call('GET /tableau-de-bord', { token })).json;
  return board.alertes.map(({ texte }) => texte).filter((texte) => /S3/.test(texte));
};

test.each<State>(['closed', 'hanging'])(
  'that is %s is told by all who are asked, and ends by itself',
  async (state) => {
    expect((await site.ask('GET /readyz')).status).toBe(200);
    expect(await troubles()).toEqual([]);
    relay.turn(state);
    site.logLines.splice(0);
    const read = await site.ask(`GET ${address}`);
    const written = await addNews();
    for (const { status, text, headers } of [read, written]) {
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      expect(text).toContain('Les fichiers du site ne répondent pas pour le moment');
    }
    await expect.poll(async () => (await site.ask('GET /readyz')).status).toBe(503);
    expect(await troubles()).toHaveLength(1);
    expect(site.logLines.join('\n')).toMatch(/the bucket or the database does not answer|not ready/);
    // What needs no file goes on.
    expect((await site.call('GET /actualites?limite=3')).status).toBe(200);
    relay.turn('open');
    await expect.poll(async () => (await site.ask('GET /readyz')).status).toBe(200);
    expect((await site.ask(`GET ${address}`)).status).toBe(200);
    expect(await troubles()).toEqual([]);
  },
);
