import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, picture } from './support/forms.ts';
import type { TestSite } from './support/people.ts';
import { openSite } from './support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

test('a news item goes in and comes out', async () => {
  const token = await site.tokenOf('admin');
  const created = await site.call('POST /actualites', {
    token,
    body: form({ titre: 'Été', description: 'Bonjour', image: await picture() }),
  });
  expect(created.status).toBe(201);
  expect((await site.call('GET /actualites')).json).toHaveLength(1);
});
