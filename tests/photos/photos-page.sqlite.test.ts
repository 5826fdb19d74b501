import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { cookieOf } from '#platform/server/sessionsStore.ts';
import type { PageData } from '#platform/shared/page.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { AskOptions, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* The pages of stays as the server renders them, and for whom. */

const HOSTILE = '</script><script>alert(1)</script><!-- & "';

let site: TestSite;
let stay: number;
let other: number;
beforeAll(async () => {
  site = await openSite({ pages: true });
  stay = await makeStay(`Étoile ${HOSTILE}`);
  other = await makeStay('Baleine');
  const director = await site.tokenOf('director', stay);
  const today = site.now().toISOString().slice(0, 10);
  const said = await site.call(`PUT /stages/${stay}/jours/${today}`, {
    token: director,
    body: { mot: `Grand soleil ${HOSTILE}` },
  });
  expect(said.status).toBe(200);
  await addPhotos(site.services, stay, 3, () => ({ jour: today }));
  await addPhotos(site.services, stay, 2, () => ({ jour: today, statut: 'a_verifier' }));
  await addPhotos(site.services, other, 2, () => ({ jour: today }));
});
afterAll(() => site?.close());

function makeStay(nom_stage: string): Promise<number> {
  const day = (days: number) => new Date(site.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const dates = { date_debut: day(-5), date_fin: day(5) };
  return site.services.database.write((transaction) =>
    insertStay(transaction, site.services.secrets, { nom_stage, ...dates }, site.now()),
  );
}

const open = (id: number | string, options: AskOptions = {}) => site.ask(`GET /stage-details/${id}`, options);
const openTogether = (cookies: readonly string[], options: AskOptions = {}) =>
  site.ask('GET /mes-sejours', { ...options, cookie: cookies.join('; ') });

function dataOf(html: string): PageData {
  const [, json = ''] = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

/** In which role the page asks of each stay that it was rendered with. */
const ofStays = (html: string) => new Map(dataOf(html).visits?.map(({ stageId, as }) => [stageId, as]));

async function cookie(role: 'family' | 'director' | 'admin', stageId = stay): Promise<string> {
  const name = cookieOf({ role, stageId: role === 'admin' ? null : stageId });
  return `${name}=${await site.tokenOf(role, stageId)}`;
}

async function expectForNobody(options: AskOptions, id: number | string = stay): Promise<void> {
  tellsNothing(await open(id, options));
}

/** What a page that was rendered for nobody tells of a stay: nothing. */
function tellsNothing({ status, text, headers }: Awaited<ReturnType<typeof open>>): void {
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  for (const secret of ['Étoile', 'Baleine', 'Grand soleil', '/api/photos/', 'visit', 'w320'])
    expect(text, secret).not.toContain(secret);
}

describe('The page of a stay', () => {
  test('is rendered for whoever has its cookie, with its first photos, and kept by nobody', async () => {
    const { status, text, headers } = await open(stay, { cookie: await cookie('family') });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('vary')).toContain('cookie');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).toContain('Étoile &lt;/script&gt;');
    expect(text).toContain('Grand soleil &lt;/script&gt;');
    expect(text).toContain('<img src="/api/photos/');
    expect(text).not.toContain('<script>alert');
    const { visits, answers } = dataOf(text);
    expect(visits).toMatchObject([{ stageId: stay, role: 'stagiaire', as: 'stay' }]);
    expect(visits?.[0]?.answers[`GET /stages/:id/photos id=${stay} limite=120`]).toMatchObject({ total: 3 });
    expect(answers).toEqual({});
  });

  test('tells a family neither its token, nor the photos that wait for a person, nor what staff manage', async () => {
    const held = await cookie('family');
    const { text } = await open(stay, { cookie: held });
    expect(text).not.toContain(held.slice(held.indexOf('=') + 1));
    for (const secret of ['a_verifier', 'gestion', 'nom_envoye', 'mdp_'])
      expect(text, secret).not.toContain(secret);
  });

  test('is rendered for its directors as for them', async () => {
    const { text } = await open(stay, { cookie: await cookie('director') });
    expect(dataOf(text).visits).toMatchObject([{ stageId: stay, role: 'formateur' }]);
    expect(text).toContain('Vous voyez la page comme une famille');
  });

  test('is the same as ever for whoever has no cookie, that of another stay, or that of staff', async () => {
    await expectForNobody({});
    await expectForNobody({ cookie: await cookie('family', other) });
    await expectForNobody({ cookie: await cookie('director', other) });
    await expectForNobody({ cookie: await cookie('admin') });
    await expectForNobody({ cookie: `${cookieOf({ role: 'family', stageId: stay })}=${'x'.repeat(43)}` });
    for (const strange of ['0', '1e3', `${stay}%20`, '99999999999999999999'])
      await expectForNobody({ cookie: await cookie('family') }, strange);
  });

  test('is not rendered where the page of another site opens it', async () => {
    const held = await cookie('family');
    await expectForNobody({ cookie: held, headers: { 'sec-fetch-site': 'cross-site' } });
  });

  test('of the stays of siblings is rendered for whoever has their cookies, and kept by nobody', async () => {
    const { text, headers } = await openTogether([await cookie('family'), await cookie('family', other)]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('vary')).toContain('cookie');
    expect(text).toContain('<img src="/api/photos/');
    for (const shown of ['Étoile &lt;/script&gt;', 'Baleine', 'Grand soleil &lt;/script&gt;'])
      expect(text).toContain(shown);
    for (const secret of ['<script>alert', 'a_verifier', 'gestion', 'nom_envoye', 'mdp_'])
      expect(text, secret).not.toContain(secret);
    expect(ofStays(text)).toEqual(
      new Map([
        [stay, `famille-${stay}`],
        [other, `famille-${other}`],
      ]),
    );
  });

  test('of siblings holds no stay whose own cookie is not there, or is another’s', async () => {
    const own = await cookie('family');
    const nameOf = (stageId: number, role: 'family' | 'director' = 'family') => cookieOf({ role, stageId });
    const token = async (stageId: number) => (await cookie('family', stageId)).split('=')[1];
    for (const strange of [
      [],
      [`${nameOf(other)}=${'x'.repeat(43)}`],
      [`${nameOf(other)}=${await token(stay)}`],
      [`${nameOf(stay + 1_000)}=${await token(other)}`],
      [`${nameOf(other, 'director')}=${await token(other)}`],
      [await cookie('director', other)],
      [await cookie('admin')],
    ]) {
      const { text } = await openTogether([own, ...strange]);
      expect([...ofStays(text).keys()], strange.join()).toEqual([stay]);
      expect(text).not.toContain('Baleine');
      tellsNothing(await openTogether(strange));
    }
    tellsNothing(await openTogether([own], { headers: { 'sec-fetch-site': 'cross-site' } }));
  });

  test('of siblings says nothing of a stay whose sign-in has ended, and all of the others', async () => {
    const ended = await site.tokenOf('family', other);
    const cookies = [await cookie('family'), `${cookieOf({ role: 'family', stageId: other })}=${ended}`];
    expect((await site.call('POST /auth/logout', { token: ended })).status).toBe(200);
    const { text } = await openTogether(cookies);
    expect([...ofStays(text).keys()]).toEqual([stay]);
    expect(text).toContain('Grand soleil');
    expect(text).not.toContain('Baleine');
  });

  test('is rendered no longer once the sign-in has ended, nor once the photos are over', async () => {
    const token = await site.tokenOf('family', stay);
    const held = `${cookieOf({ role: 'family', stageId: stay })}=${token}`;
    expect((await open(stay, { cookie: held })).text).toContain('Étoile');
    expect((await site.call('POST /auth/logout', { token })).status).toBe(200);
    await expectForNobody({ cookie: held });
    const late = await cookie('family');
    site.advance(400 * DAY_MS);
    await expectForNobody({ cookie: late });
    tellsNothing(await openTogether([late]));
  });
});
