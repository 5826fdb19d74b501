import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { type Nginx, startNginx } from '#tests/support/nginx.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* The proxy of deploy/nginx.conf, in front of a site that says so. */

const PUBLIC_URL = 'https://cse.example';
const METRICS_TOKEN = 'a-token-that-only-tests-use';

let site: TestSite;
let nginx: Nginx;
beforeAll(async () => {
  const env = { PUBLIC_URL, METRICS_TOKEN, TRUST_PROXY: '1', X_ACCEL_PREFIX: '/interne/' };
  site = await openSite({ env, pages: true });
  nginx = await startNginx([site.origin], { files: join(site.directory, 'files') });
});
afterAll(async () => {
  await nginx?.stop();
  await site?.close();
});

/** Asks for a page by HTTP/2, under the name of the site; the headers of the answer. */
async function askByHttp2(version: SecureVersion): Promise<Record<string, unknown>> {
  const { hostname: host, port } = new URL(nginx.origin);
  const place = { host, port: Number(port), servername: 'cse.example', ca: nginx.ca };
  const versions = { minVersion: version, maxVersion: version, ALPNProtocols: ['h2'] };
  const session = connectHttp2(PUBLIC_URL, { createConnection: () => connect({ ...place, ...versions }) });
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject);
      session
        .request({ ':path': '/' })
        .on('response', (headers) => resolve(headers))
        .on('error', reject)
        .resume();
    });
  } finally {
    session.close();
  }
}

describe('The proxy', () => {
  test('speaks HTTP/2 by TLS 1.2 and 1.3, and hands on the headers of the site', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
      expect(await askByHttp2(version)).toMatchObject({
        ':status': 200,
        server: 'nginx',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
        'x-content-type-options': 'nosniff',
      });
  });

  test('in plain text leads a page to https, and refuses a call', async () => {
    const asked = { redirect: 'manual', headers: { connection: 'close' } } as const;
    const page = await fetch(`${nginx.plain}/avantages`, asked);
    expect([page.status, page.headers.get('location')]).toEqual([301, 'https://127.0.0.1/avantages']);
    const call = await fetch(`${nginx.plain}${API_PREFIX}/loginAdmin`, { ...asked, method: 'POST' });
    expect([call.status, call.headers.get('location')]).toEqual([403, null]);
  });

  test('sends a photo by itself once the site has checked who asks, and nothing without that', async () => {
    const body = { nom_stage: 'Étoile', date_debut: '2026-06-15', date_fin: '2026-06-28' };
    const token = await site.tokenOf('admin');
    const { id } = (await site.call('POST /stages', { token, body })).json;
    await site.call(`POST /stages/${id}/attestation`, { token });
    await addPhotos(site.services, id, 1);
    const { nom } = await site.services.database.db
      .selectFrom('fichiers')
      .select('nom')
      .where('dossier', '=', 'photos')
      .executeTakeFirstOrThrow();
    const ask = (path: string, headers = {}) => nginx.fetch(nginx.origin + path, { headers });
    const family = await site.tokenOf('family', id);
    const sent = await ask(PHOTO_FOLDER + nom, { authorization: `Bearer ${family}` });
    expect(sent.status).toBe(200);
    const stored = keyOf('photos', nom);
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(
      readFileSync(join(site.directory, 'files', stored)),
    );
    expect(sent.headers.get('x-robots-tag')).toBe('noindex, noimageindex');
    expect((await ask(PHOTO_FOLDER + nom)).status).toBe(401);
    expect((await ask(`/interne/${stored}`)).status).toBe(404);
  });

  test('tells its state to nobody but this machine', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    for (const path of ['/readyz', '/metrics']) {
      expect((await nginx.fetch(nginx.origin + path, { headers })).status, path).toBe(200);
      const elsewhere = await nginx.fetch(nginx.origin + path, { headers, from: '127.0.0.9' });
      expect(elsewhere.status, path).toBe(403);
    }
  });

  test('keeps no query and no whole address', async () => {
    await nginx.fetch(`${nginx.origin}/recherche?q=lea@exemple.fr`, { from: '127.0.0.7' });
    await expect.poll(() => nginx.log()).toMatch(/^127\.0\.0\.0 \[[^\]]+\] "GET \/recherche" 200 /m);
    expect(nginx.log()).not.toMatch(/exemple\.fr|127\.0\.0\.[1-9]/);
  });
});
