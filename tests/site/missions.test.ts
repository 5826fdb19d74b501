import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Headcount } from '#features/site/shared/identity.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ pages: true });
});
afterAll(() => site?.close());

async function choose(effectif: Headcount): Promise<void> {
  const answer = await site.call('PUT /reglages', { token: await site.tokenOf('admin'), body: { effectif } });
  expect([answer.status, answer.json.effectif]).toEqual([200, effectif]);
  expect((await site.call('GET /identite')).json.effectif).toBe(effectif);
}

/** The text of the page of missions, with plain blanks. */
async function missions(): Promise<string> {
  const { status, text } = await site.ask('GET /a-propos');
  expect(status).toBe(200);
  const [main = ''] = /<main.*<\/main>/s.exec(text) ?? [];
  return main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

const ALWAYS = [
  'Ce que le CSE fait pour vous',
  'Nous vous proposons des réductions et des sorties',
  'Nous présentons à l’employeur vos réclamations, personnelles ou collectives',
  'Nous agissons pour la santé, la sécurité et de meilleures conditions de travail.',
  'Nous enquêtons après un accident du travail',
  'danger grave et imminent',
  'cinq jours au moins lors de leur premier mandat',
  'un référent contre le harcèlement sexuel',
  'L2312-5',
];

/** What the law gives a council from fifty employees on only. */
const FROM_FIFTY = [
  'au moins 50 salariés. À cette taille',
  'L’employeur nous consulte régulièrement sur la stratégie de l’entreprise et sur sa situation économique et financière.',
  'L’employeur nous consulte régulièrement sur la politique sociale',
  'Il nous consulte avant d’installer un moyen de contrôler l’activité des salariés.',
  'droit d’alerte économique',
  'Nous gérons les activités sociales et culturelles',
  '0,20 % de la masse salariale brute, et 0,22 % à partir de 2 000 salariés',
  'Le comité peut signer un contrat ou agir en justice',
  'L’employeur préside le comité.',
  'au moins 16 heures par mois',
  'L2312-8',
];

const UNDER_FIFTY = [
  'de 11 à 49 salariés. À cette taille',
  'L’employeur nous reçoit au moins une fois par mois.',
  'Ce que la loi réserve aux CSE d’au moins 50 salariés',
  'Un accord ou un usage peut toutefois nous la confier.',
  'au moins 10 heures par mois',
];

test('until staff choose, the missions are those from fifty employees on, which hold the others', async () => {
  const text = await missions();
  for (const said of [...ALWAYS, ...FROM_FIFTY]) expect(text).toContain(said);
  for (const said of UNDER_FIFTY) expect(text).not.toContain(said);
});

test('of a company of 11 to 49 employees the page promises nothing that the law keeps for larger ones', async () => {
  await choose('11_a_49');
  const text = await missions();
  for (const said of [...ALWAYS, ...UNDER_FIFTY]) expect(text).toContain(said);
  for (const said of FROM_FIFTY) expect(text).not.toContain(said);

  await choose('50_et_plus');
  const again = await missions();
  for (const said of FROM_FIFTY) expect(again).toContain(said);
  for (const said of UNDER_FIFTY) expect(again).not.toContain(said);
});

test('what an employee gains stands before the law, and leads on within the site', async () => {
  const { text } = await site.ask('GET /a-propos');
  const [services = '', law = ''] = text.split('Ce que la loi nous confie');
  expect(services).toContain('Ce que le CSE fait pour vous');
  for (const path of ['/avantages', '/Evenements', '/compte-rendus', '/contact', '/membres'])
    expect(services.slice(services.indexOf('Ce que le CSE fait'))).toContain(`href="${path}"`);
  // Readable without script: details open by themselves.
  expect(law.match(/<details[^>]*>/g)).toHaveLength(3);
  expect(law).not.toMatch(/<details[^>]* open/);
});
