import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { genreOf, ITEM_KINDS } from '#features/content/shared/kinds.ts';
import type { TableName } from '#platform/server/db/wholeTables.ts';
import { API_PREFIX, type Call, isCreation, statusOf } from '#platform/shared/call.ts';
import type { Role } from '#platform/shared/roles.ts';
import { bodyOf } from '#tests/support/contents.ts';
import { form } from '#tests/support/forms.ts';
import { addBarePhotos } from '#tests/support/gallery.ts';
import { addFamilies } from '#tests/support/mails.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openRelay, type Relay } from '#tests/support/relay.ts';
import { openSite } from '#tests/support/site.ts';

/* What is created is created once: asked of each creation of the table, over a line that loses answers too. */

let site: TestSite;
let relay: Relay;
let other: string;
let stayId: number;
let photos: number[];
const OTHER = { username: 'Basile', password: 'navet-lanterne-47' };

beforeAll(async () => {
  site = await openSite();
  // What is made or sent of what is created is not looked at here.
  await site.jobs.stop();
  relay = await openRelay(site.origin);
  const token = await site.tokenOf('admin');
  stayId = await newStay();
  photos = await addBarePhotos(site.services, stayId, 2);
  expect((await site.call('POST /admins', { token, body: OTHER })).status).toBe(201);
  other = (await site.call('POST /loginAdmin', { body: OTHER })).json.tokenAdmin;
});
afterAll(async () => {
  await site?.close();
  await relay?.close();
});

let count = 0;
const next = () => ++count;

async function created(what: string, body: unknown): Promise<number> {
  const answer = await site.call(what, { token: await site.tokenOf('admin'), body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}
const stay = () => ({ nom_stage: `Séjour ${next()}`, date_debut: '2026-06-01', date_fin: '2026-06-20' });
const newStay = () => created('POST /stages', stay());
const child = (stageId: number) => {
  const n = next();
  return {
    nom: 'Petit',
    prenom: `Zoé ${'abcdefghij'[n % 10]}${'klmnopqrst'[n % 7]}`,
    mailRL: `enfant${n}@exemple.fr`,
    stageId,
  };
};
async function stayWithFamily(): Promise<{ id: number; adresse: string }> {
  const id = await newStay();
  const adresse = `famille${next()}@exemple.fr`;
  await addFamilies(site.services, id, [adresse]);
  return { id, adresse };
}

interface Asked {
  path?: string;
  body: unknown;
}
interface Trial {
  /** Where one row more is found when it is made. */
  table: TableName;
  role?: Role;
  asked(): Asked | Promise<Asked>;
}
const pdf = (name: string): [Uint8Array, string, string] => [
  minutesPdf(name, ['Rien.']),
  `${name}.pdf`,
  'application/pdf',
];

/** Of every creation, what makes it: each time something new. */
const TRIALS: Record<string, Trial> = {
  ...Object.fromEntries(
    ITEM_KINDS.filter(({ path }) => path !== '/employes').map((kind) => [
      `POST /${genreOf(kind)}`,
      { table: kind.table, asked: () => ({ body: bodyOf(genreOf(kind), `Titre ${next()}`) }) },
    ]),
  ),
  'POST /create-employes': {
    table: 'employes',
    asked: () => ({
      body: form({ nom: `Petit ${next()}`, prenom: 'Anne', poste: 'Trésorière', email: 'anne@exemple.fr' }),
    }),
  },
  'POST /stages': { table: 'stages', asked: () => ({ body: stay() }) },
  'POST /add-stagiaire': { table: 'stagiaires', asked: () => ({ body: child(stayId) }) },
  'POST /formateurs/add': {
    table: 'affectations',
    asked: () => ({
      body: {
        nom: 'Roux',
        prenom: 'Paul',
        mail: `dir${next()}@exemple.fr`,
        telephone: '0612345678',
        cat: 'sejour',
        stageId: stayId,
      },
    }),
  },
  'POST /livrets-upload': {
    table: 'livrets',
    asked: () => ({ body: form({ livret: pdf(`Livret ${next()}`) }) }),
  },
  'POST /stages/:id/evaluation': {
    table: 'evaluations',
    role: 'family',
    asked: () => ({
      path: `/stages/${stayId}/evaluation`,
      body: { notes: {}, recommande: null, texte: `Bien ${next()}` },
    }),
  },
  'POST /photos/selection': {
    table: 'photos_selections',
    role: 'family',
    asked: () => ({ body: { stageId: stayId, ids: photos.slice(next() % 2) } }),
  },
  'POST /stages/envoi-mots-de-passe': {
    table: 'envois',
    asked: async () => ({ body: { type: 'stagiaire', stageIds: [(await stayWithFamily()).id] } }),
  },
  'POST /stages/envoi-mots-de-passe/essai': {
    table: 'envois',
    asked: () => ({ body: { type: 'stagiaire', stageId: stayId, email: `essai${next()}@exemple.fr` } }),
  },
  'POST /stages/message': {
    table: 'envois',
    asked: async () => ({
      body: {
        type: 'stagiaire',
        stageIds: [(await stayWithFamily()).id],
        objet: `Départ ${next()}`,
        texte: 'À 7 h.',
      },
    }),
  },
  'POST /stages/message/essai': {
    table: 'envois',
    asked: () => ({
      body: { type: 'stagiaire', objet: 'Départ', texte: 'À 7 h.', email: `essai${next()}@exemple.fr` },
    }),
  },
  'POST /stages/:id/liens/nouveau': {
    table: 'envois',
    asked: async () => {
      const { id, adresse } = await stayWithFamily();
      return { path: `/stages/${id}/liens/nouveau`, body: { type: 'stagiaire', adresse } };
    },
  },
  'POST /send-email': {
    table: 'envois',
    asked: () => ({
      body: new URLSearchParams({ to: `a${next()}@exemple.fr`, subject: 'Objet', message: 'Bonjour.' }),
    }),
  },
  'POST /contact': {
    table: 'messages_contact',
    asked: () => ({ body: { nom: 'Anne', email: 'anne@exemple.fr', message: `Bonjour ${next()}` } }),
  },
  'POST /admins': {
    table: 'admins',
    asked: () => ({ body: { username: `compte${next()}`, password: 'panais-lanterne-48' } }),
  },
};

const SIGN_IN = 'opens or ends a session, or asks who somebody is: a second one is no thing made twice';
const READS = 'makes nothing';
const STATE = 'puts what is named into a state: a second time it finds it there';
const CHALLENGE = 'a challenge serves once';
const REREAD = 'lines that are there already change nothing';
const LIMITED = 'mails of it are held back by a limit of its own';
const OTHERS: Record<string, string[]> = {
  [SIGN_IN]: [
    ...[
      '/loginAdmin',
      '/loginAdmin/cle-acces',
      '/cles-acces/defi',
      '/admins/invitation',
      '/auth/login',
      '/auth/lien',
      '/auth/logout',
    ],
    ...['/session/reprise', '/documents/acces', '/admins/moi/preuve', '/admins/moi/preuve/cle-acces'],
  ],
  [CHALLENGE]: ['/admins/moi/cles-acces/defi', '/admins/moi/cles-acces'],
  [READS]: [
    ...['/uploadSejour/apercu', '/upload/apercu', '/uploadDirecteurs/apercu', '/horloge', '/pages-vues'],
    ...[
      '/stages/envoi-mots-de-passe/apercu',
      '/stages/message/apercu',
      '/photos/connues',
      '/rgpd',
      '/export',
    ],
  ],
  [REREAD]: ['/uploadSejour', '/upload', '/uploadDirecteurs', '/exemple'],
  [LIMITED]: ['/auth/code-perdu'],
  [STATE]: [
    ...['/admins/moi/mot-de-passe', '/admins/moi/codes-secours', '/admins/moi/second-facteur'],
    ...['/admins/moi/second-facteur/confirmation', '/admins/moi/second-facteur/arret'],
    ...['/corbeille/:genre/:id/restaurer', '/soirs/arret', '/imports/:id/annuler', '/envois/:id/relancer'],
    ...['/stages/:id/liens/couper', '/stages/:id/horloges', '/photos/supprimer', '/photos/retablir'],
    ...['/photos/confirmer', '/photos/effacer', '/photos/:id/retouche', '/photos/:id/avant/:n'],
    ...[
      '/photos/garder-floutees',
      '/photos/:id/retrait',
      '/stages/:id/retraits/lus',
      '/stages/:id/attestation',
    ],
    ...[
      '/stages/:id/jours/:date/ordre',
      '/rgpd/effacer',
      '/stage-passwords/:id/regenerer',
      '/formateurs/delete',
    ],
    ...['/stagiaires/effacer', '/stagiaires/deplacer', '/stagiaires/droit-image'],
  ],
};

test('every POST is a creation that a key makes once, or it is said why not', () => {
  const posts = calls.filter(({ method }) => method === 'POST');
  const creations = posts.filter(({ method, call }) => isCreation(method, call)).map(({ key }) => key);
  expect(creations.toSorted()).toEqual(Object.keys(TRIALS).toSorted());
  const others = posts.map(({ key }) => key as string).filter((key) => !(key in TRIALS));
  expect(others.toSorted()).toEqual(
    Object.values(OTHERS)
      .flat()
      .map((path) => `POST ${path}`)
      .toSorted(),
  );
});

const sender = async ({ role = 'admin' }: Trial): Promise<string> => site.tokenOf(role, stayId);
const keyed = (key: string) => ({ 'idempotency-key': key });
const rows = async (table: TableName): Promise<number> => {
  const { count } = await site.services.database.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

function send(what: string, { path, body }: Asked, token: string, key: string): Promise<Answer> {
  return site.call(path ? `POST ${path}` : what, { token, body, headers: keyed(key) });
}

/** Sends it over a line that is cut when the answer comes. */
async function sendUnheard(what: string, { path, body }: Asked, token: string, key: string): Promise<void> {
  relay.turn('losing');
  const isJson = !(body instanceof FormData || body instanceof URLSearchParams);
  const sent = fetch(`http://${relay.host}${API_PREFIX}${path ?? what.slice('POST '.length)}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...keyed(key),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: isJson ? JSON.stringify(body) : body,
  });
  await expect(sent).rejects.toThrow('fetch failed');
}

/** Keys of the day, one a creation, with who presented it. */
const used = new Map<string, string>();

describe.each(Object.entries(TRIALS))('%s', (what, trial) => {
  const { table } = trial;

  test('whose answer was lost has made one thing, and answers the same when it is asked again', async () => {
    const token = await sender(trial);
    const asked = await trial.asked();
    const further = await trial.asked();
    const before = await rows(table);
    const key = `perdue-${what}`.replace(' ', '');
    used.set(what, key);
    await sendUnheard(what, asked, token, key);
    const again = await send(what, asked, token, key);
    expect([again.status, again.headers.get('idempotent-replayed')], again.text).toEqual([
      statusOf(calls.find((one) => one.key === what)?.call as Call),
      'true',
    ]);
    const third = await send(what, asked, token, key);
    expect([third.status, third.text]).toEqual([again.status, again.text]);
    expect(await rows(table)).toBe(before + 1);

    const wrong = await send(what, { ...further, path: asked.path ?? what.slice(5) }, token, key);
    expect([wrong.status, wrong.json]).toEqual([
      422,
      { message: 'Cette clé a déjà servi à une autre demande\u202f: rien n’a été fait.' },
    ]);
    expect(await rows(table)).toBe(before + 1);

    const stranger = trial.role ? await sender(trial) : other;
    const theirs = await send(what, further, stranger, key);
    expect([theirs.status, theirs.headers.get('idempotent-replayed')], theirs.text).toEqual([
      again.status,
      null,
    ]);
    expect(await rows(table)).toBe(before + 2);
  });
});

describe('asked twice at once', () => {
  // Messages of contact are counted anew.
  beforeAll(() => site.advance(10 * 60_000));
  test.each(Object.entries(TRIALS))('%s makes one thing, and both hear of it', async (what, trial) => {
    const { table } = trial;
    const token = await sender(trial);
    const asked = await trial.asked();
    const before = await rows(table);
    const key = `ensemble-${what}`.replace(' ', '');
    const both = await Promise.all([1, 2].map(() => send(what, asked, token, key)));
    expect(new Set(both.map(({ status, text }) => `${status} ${text}`)).size, both[1]?.text).toBe(1);
    expect(both[0]?.status).toBeLessThan(300);
    expect(both.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(await rows(table)).toBe(before + 1);
  });
});

test('what was answered stands in the database for nobody to read', async () => {
  const kept = await site.services.database.db.selectFrom('creations').selectAll().execute();
  expect(kept.length).toBeGreaterThan(3 * Object.keys(TRIALS).length - 1);
  for (const { cle, demande, reponse } of kept) {
    expect(reponse).toMatch(/^v1:[0-9a-f]{8}:[\w-]+$/);
    expect([cle, demande]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
  }
});

test('a refused creation has not used its key', async () => {
  const token = await site.tokenOf('admin');
  const key = keyed('refusee-1');
  const refused = await site.call('POST /stages', { token, body: { nom_stage: '' }, headers: key });
  expect(refused.status).toBe(422);
  const good = await site.call('POST /stages', { token, body: stay(), headers: key });
  expect([good.status, good.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('made, but killed before its answer was kept, it is said to be made, and not made again', async () => {
  const token = await site.tokenOf('admin');
  const asked = { body: stay() };
  await send('POST /stages', asked, token, 'tuee-0001');
  const { database } = site.services;
  const before = await rows('stages');
  await database.write((db) => db.updateTable('creations').set({ reponse: null }).execute());
  const again = await send('POST /stages', asked, token, 'tuee-0001');
  expect([again.status, again.json.message]).toEqual([409, expect.stringMatching(/^C’était déjà fait/)]);
  expect(await rows('stages')).toBe(before);
});

test('a key that is none is refused', async () => {
  const token = await site.tokenOf('admin');
  for (const key of ['court', 'x'.repeat(256), 'avec une espace']) {
    const answer = await site.call('POST /stages', { token, body: stay(), headers: keyed(key) });
    expect(answer.status, key).toBe(400);
  }
});

test('after a day a key is forgotten, and makes anew', async () => {
  site.advance(24 * 3_600_000);
  await site.schedule.tick();
  expect(await rows('creations')).toBe(0);
  for (const [what, trial] of Object.entries(TRIALS)) {
    const asked = await trial.asked();
    const before = await rows(trial.table);
    const answer = await send(what, asked, await sender(trial), used.get(what) ?? '');
    expect
      .soft([answer.status < 300, answer.headers.get('idempotent-replayed')], answer.text)
      .toEqual([true, null]);
    expect.soft(await rows(trial.table), what).toBe(before + 1);
  }
});
