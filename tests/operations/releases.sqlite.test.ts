import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { product } from '#app/server/features.ts';
import { VERSION } from '#platform/server/config.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* What a site that was given the address of a changelog says of newer versions. */

const OURS = `${VERSION.replace(/-.*/, '')} — 2020-01-01`;
const asked: string[] = [];
let changelog = '';
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''}`);
  response.statusCode = changelog === '' ? 404 : 200;
  response.end(changelog);
});
const sites: TestSite[] = [];
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve())));
afterAll(async () => {
  for (const site of sites) await site.close();
  server.close();
});

/** What staff read first, what stands in « Santé du site », and what the doctor says. */
async function toldOf(text: string) {
  changelog = text;
  const { port } = server.address() as AddressInfo;
  // An address of its own, as what one has said counts for a day.
  const site = await openSite({ env: { UPDATES_URL: `http://127.0.0.1:${port}/${sites.length}` } });
  sites.push(site);
  const token = await site.tokenOf('admin');
  const { json } = await site.call('GET /tableau-de-bord', { token });
  const board = json as { alertes: { texte: string }[]; sante: { parties: { conseil: string }[] } };
  const check = product.checks(site.services).find(({ key }) => key === 'version-nouvelle');
  return {
    first: board.alertes.map(({ texte }) => texte).filter((one) => one.includes('version')),
    health: board.sante.parties.map(({ conseil }) => conseil).filter((one) => one.includes('version')),
    doctor: await check?.operator?.(false),
  };
}

test('a newer version is told in « Santé du site », and by the doctor with what it changes', async () => {
  const text = `# Changelog\n\n## Unreleased\n\n- soon\n\n## 99.1.0 — 2030-01-02\n\n- a bell\u0007 rings\n\n## ${OURS}\n\n- old\n`;
  const { first, health, doctor } = await toldOf(text);
  expect(first).toEqual([]);
  expect(health).toEqual([expect.stringContaining('Une version plus récente du site existe (99.1.0)')]);
  expect(doctor).toMatchObject({
    state: 'à surveiller',
    texte: expect.stringMatching(/99\.1\.0.*\n.*\n {4}- a bell rings/),
  });
  expect(doctor).not.toMatchObject({ texte: expect.stringContaining('soon') });
  expect(asked).toEqual(['GET /0 ']);
});

test('one that mends a weakness is told first, also where another one came after it', async () => {
  const { first, doctor } = await toldOf(
    '## 99.2.0 — 2030-02-01\n- x\n## 99.1.1 — 2030-01-02 — security\n- y\n',
  );
  expect(first).toEqual([expect.stringContaining('99.2.0, qui répare une faille de sécurité')]);
  expect(doctor).toMatchObject({ texte: expect.stringContaining('faille de sécurité') });
});

test('where there is none, and where nothing answers, staff read nothing', async () => {
  const none = await toldOf('## 0.1.0 — 2020-01-01\n- x\n');
  expect([none.first, none.health, none.doctor]).toEqual([[], [], expect.objectContaining({ state: 'ok' })]);
  const lost = await toldOf('');
  expect([lost.first, lost.health]).toEqual([[], []]);
  expect(lost.doctor).toMatchObject({ texte: expect.stringContaining('UPDATES_URL') });
});
