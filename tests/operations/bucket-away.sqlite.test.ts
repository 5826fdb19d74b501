import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReplyOf } from '#platform/shared/call.ts';
import { form, picture } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openRelay, type Relay, type RelayState } from '#tests/support/relay.ts';
import { type BucketServer, startBuckets } from '#tests/support/s3.ts';
import { openSite } from '#tests/support/site.ts';

/* A bucket that hangs, or cannot be reached: what people, monitoring, the log and staff are told, and that it passes. */

const SECRET_KEY = 'a-key-that-only-tests-use-0123456789';

let buckets: BucketServer;
let relay: Relay;
let site: TestSite;
let token: string;
let address: string;

beforeAll(async () => {
  buckets = await startBuckets();
  const env = await buckets.newBucket('panne');
  relay = await openRelay(env.S3_ENDPOINT);
  site = await openSite({ env: { ...env, SECRET_KEY, S3_ENDPOINT: `http://${relay.host}` } });
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

test.each<RelayState>(['closed', 'hanging'])(
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
