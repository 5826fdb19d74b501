import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { importCalls } from '#features/imports/calls.ts';
import { codeCalls, freeMailCalls, lostCodeCalls, mailingCalls, slipCalls } from '#features/mails/calls.ts';
import { ensureLinks, findLinkOf, openLink } from '#features/mails/server/linksStore.ts';
import {
  bookletCalls,
  directorCalls,
  familyCalls,
  reportCalls,
  reviewCalls,
  stayCalls,
  stayPasswordCalls,
} from '#features/stays/calls.ts';
import { findBookletFile } from '#features/stays/server/bookletsStore.ts';
import { findStay, insertStay, openStayPassword, stayKey } from '#features/stays/server/staysStore.ts';
import { COOKIES, endSessions } from '#platform/server/sessionsStore.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { addBarePhotos } from '#tests/support/gallery.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/*
 * Whose stay it is: every call about stays, asked for what belongs to stay A by people of A, people of B and
 * everybody else. What is refused must leave no trace, and what is answered must hold only what its reader may know.
 */

const WHO = ['anonymous', 'reader', 'family A', 'family B', 'director A', 'director B', 'admin'] as const;
type Who = (typeof WHO)[number];

/** Two stays, made anew for each row: a row may delete what it asks for. */
interface World {
  a: number;
  b: number;
  stay: { nom_stage: string; date_debut: string; date_fin: string };
  child: number;
  director: number;
  booklet: string;
  /** The codes of A, sent to its directors, and their message. */
  mailing: number;
  mail: number;
  password: string;
  /** Of A, published: one for each of those who ask, and some more. */
  photos: number[];
  tokens: Record<Who, string | undefined>;
}

interface Row {
  key: CallKey;
  /** What each of `WHO` is answered, in their order. */
  statuses: string;
  /** What stands in the address, instead of the number of A. */
  at?: (world: World) => Record<string, string | number>;
  query?: string | ((world: World) => string);
  body?: (world: World) => unknown;
  /** The photos are in the bin. */
  binned?: true;
  /** Its answer has no end: only its headers are asked for. */
  endless?: boolean;
}

const ANYONE = '200 200 200 200 200 200 200';
const PEOPLE_OF_STAYS = '401 403 200 200 200 200 200';
const OWN_STAY = '401 403 200 404 200 404 200';
const OWN_DIRECTORS = '401 403 403 403 200 404 200';
const staff = (status: number) => `401 403 403 403 403 403 ${status}`;
const families = (status: number) => `401 403 ${status} 404 403 403 403`;

const PERSON = { nom: 'Fouquier', prenom: 'Odile', mail: 'odile@exemple.org', telephone: '01 99 00 00 01' };
const CHILD = { nom: 'Quetzalin', prenom: 'Zoé', mailRL: 'parent@exemple.org' };
const child = ({ child: id }: World) => ({ id });
const director = ({ director: id }: World) => ({ id });
const mailing = ({ mailing: id }: World) => ({ id });
const nextOnes = ({ photos }: World) => ({ ids: [photos.shift()] });
const nextPhoto = ({ photos }: World) => ({ id: photos.shift() ?? 0 });
const csv = (text: string) => () => form({ file: [Buffer.from(text), 'sejours.csv', 'text/csv'] });
const stays = csv('nom_stage;date_debut;date_fin\nÉté;01/07/2026;08/07/2026\n');
const children = ({ a }: World) => csv(`nom;prenom;email;stageId\nRoy;Lou;lou@exemple.org;${a}\n`)();
const directors = csv('nom;prenom;email;telephone\nRoy;Max;max@exemple.org;06 00 00 00 00\n');

const ROWS: Row[] = [
  { key: 'GET /stages', statuses: ANYONE },
  { key: 'GET /unique-sejours', statuses: ANYONE },
  { key: 'GET /stages-names', statuses: ANYONE },
  { key: 'GET /stages-suivi', statuses: staff(200) },
  { key: 'GET /stages/:id', statuses: OWN_STAY },
  { key: 'POST /stages', statuses: staff(201), body: ({ stay }) => ({ ...stay, nom_stage: 'Autre' }) },
  { key: 'PUT /stages/:id', statuses: staff(200), body: ({ stay }) => ({ ...stay, adresse: 'Ailleurs' }) },
  { key: 'DELETE /stages/:id', statuses: staff(200) },
  { key: 'GET /stage-passwords/:id', statuses: staff(200) },
  {
    key: 'POST /stage-passwords/:id/regenerer',
    statuses: staff(200),
    body: () => ({ type: 'stagiaire' }),
  },
  { key: 'GET /download-passwords', statuses: staff(200) },
  { key: 'GET /stages/:id/etiquettes', statuses: staff(200) },
  { key: 'GET /stages/:id/acces', statuses: staff(200) },
  { key: 'PUT /stages/:id/acces', statuses: staff(200), body: () => ({ message_soir: true }) },
  { key: 'GET /stages/:id/liens', statuses: staff(200) },
  {
    key: 'POST /stages/:id/liens/couper',
    statuses: staff(200),
    body: () => ({ type: 'formateur', adresse: PERSON.mail }),
  },
  {
    key: 'POST /stages/:id/liens/nouveau',
    statuses: staff(200),
    body: () => ({ type: 'formateur', adresse: PERSON.mail }),
  },
  {
    key: 'POST /auth/lien',
    statuses: '401 401 401 401 401 401 401',
    body: () => ({ jeton: 'x'.repeat(43) }),
  },
  {
    key: 'POST /auth/login',
    statuses: ANYONE,
    body: ({ a, password }) => ({ stageId: a, password }),
  },
  {
    key: 'POST /auth/code-perdu',
    statuses: ANYONE,
    body: ({ a }) => ({ stageId: a, email: CHILD.mailRL }),
  },
  { key: 'POST /session/reprise', statuses: '401 403 200 200 200 200 403' },

  {
    key: 'POST /photos/connues',
    statuses: OWN_DIRECTORS,
    body: ({ a }) => ({ stageId: a, empreintes: ['0'.repeat(64)] }),
  },

  { key: 'GET /formateurs', statuses: staff(200) },
  { key: 'GET /formateurs/by-stage/:id', statuses: OWN_DIRECTORS },
  {
    key: 'GET /formateurs/by-stage/:id/:type',
    statuses: OWN_DIRECTORS,
    at: ({ a: id }) => ({ id, type: 'sejour' }),
  },
  {
    key: 'POST /formateurs/add',
    statuses: staff(201),
    body: ({ a }) => ({ ...PERSON, mail: 'nouveau@exemple.org', cat: 'centre', stageId: a }),
  },
  {
    key: 'PUT /formateurs/update/:id',
    statuses: staff(200),
    at: director,
    body: () => ({ ...PERSON, telephone: '2' }),
  },
  {
    key: 'PUT /formateurs/:id',
    statuses: staff(200),
    at: director,
    body: ({ b }) => ({ ...PERSON, cat: 'centre', stageIds: [b] }),
  },
  { key: 'DELETE /formateurs/delete/:id', statuses: staff(200), at: director },
  { key: 'POST /formateurs/delete', statuses: staff(200), body: () => PERSON },

  { key: 'GET /get-stagiaires/:id', statuses: OWN_DIRECTORS },
  { key: 'PUT /update/:id', statuses: staff(200), at: child, body: () => ({ ...CHILD, prenom: 'Zoée' }) },
  {
    key: 'POST /add-stagiaire',
    statuses: staff(201),
    body: ({ a }) => ({ ...CHILD, prenom: 'Ana', stageId: a }),
  },
  { key: 'DELETE /stagiaire/delete/:id', statuses: staff(200), at: child },
  { key: 'GET /stages/:id/enfants', statuses: staff(200) },
  { key: 'POST /stagiaires/effacer', statuses: staff(200), body: ({ child }) => ({ ids: [child] }) },
  {
    key: 'POST /stagiaires/deplacer',
    statuses: staff(200),
    body: ({ child, b }) => ({ ids: [child], stageId: b }),
  },
  {
    key: 'POST /stagiaires/droit-image',
    statuses: staff(200),
    body: ({ child }) => ({ ids: [child], consentement_image: 'non' }),
  },
  {
    key: 'DELETE /deletePaxBySejour',
    statuses: staff(200),
    body: ({ stay }) => ({ sejour: stay.nom_stage, dateDebut: stay.date_debut, dateFin: stay.date_fin }),
  },

  { key: 'GET /livrets', statuses: PEOPLE_OF_STAYS },
  { key: 'GET /livrets', statuses: OWN_STAY, query: ({ a }) => `?stageId=${a}` },
  { key: 'GET /livrets-suivi', statuses: staff(200) },
  {
    key: 'POST /livrets-upload',
    statuses: staff(201),
    body: () => form({ livret: [minutesPdf('Autre', ['Rien.']), 'Autre.pdf'] }),
  },
  {
    key: 'POST /livrets-upload',
    statuses: staff(201),
    body: ({ a }) => form({ livret: [minutesPdf('Autre', ['Rien.']), 'Le leur.pdf'], stageId: String(a) }),
  },
  { key: 'DELETE /livrets/:name', statuses: staff(200), at: ({ booklet }) => ({ name: booklet }) },

  { key: 'GET /stages/:id/bilan', statuses: OWN_DIRECTORS },
  {
    key: 'PUT /stages/:id/bilan',
    statuses: OWN_DIRECTORS,
    body: () => ({ sections: [{ code: 'repas', note: 4, commentaire: '' }] }),
  },
  { key: 'GET /stages/:id/evaluation', statuses: families(200) },
  {
    key: 'POST /stages/:id/evaluation',
    statuses: families(201),
    body: () => ({ notes: { repas: 5 }, recommande: true }),
  },
  { key: 'GET /stages/:id/photos', statuses: OWN_STAY },
  { key: 'GET /stages/:id/photos/changements', statuses: OWN_STAY, query: '?depuis=0.0' },
  { key: 'GET /stages/:id/photos/suivi', statuses: OWN_DIRECTORS },
  {
    key: 'POST /photos/connues',
    statuses: OWN_DIRECTORS,
    body: ({ a }) => ({ stageId: a, empreintes: ['0'.repeat(64)] }),
  },
  {
    key: 'PATCH /photos',
    statuses: OWN_DIRECTORS,
    body: ({ photos }) => ({ ids: photos, legende: 'Sur la plage' }),
  },
  {
    key: 'PATCH /photos/:id',
    statuses: OWN_DIRECTORS,
    at: nextPhoto,
    body: () => ({ statut: 'refusee' }),
  },
  {
    key: 'POST /photos/supprimer',
    statuses: OWN_DIRECTORS,
    body: ({ photos }) => ({ ids: [photos.shift()] }),
  },
  { key: 'DELETE /photos/:id', statuses: OWN_DIRECTORS, at: nextPhoto },
  { key: 'POST /photos/retablir', statuses: OWN_DIRECTORS, binned: true, body: nextOnes },
  { key: 'POST /photos/effacer', statuses: staff(200), binned: true, body: nextOnes },
  // It waits for no confirmation.
  { key: 'POST /photos/confirmer', statuses: staff(409), binned: true, body: nextOnes },
  {
    key: 'POST /photos/selection',
    statuses: '401 403 201 404 201 404 201',
    body: ({ a, photos }) => ({ stageId: a, ids: photos }),
  },
  { key: 'GET /stages/:id/photos.zip', statuses: OWN_STAY },
  { key: 'GET /stages/:id/flux', statuses: OWN_STAY, endless: true },
  {
    key: 'POST /photos/:id/retouche',
    // Its file is not the one that was on screen.
    statuses: '401 403 403 403 409 404 409',
    at: nextPhoto,
    body: () => ({ fichier: 'autre.webp', quarts: 1 }),
  },
  {
    key: 'POST /photos/:id/avant/:n',
    statuses: staff(409),
    at: ({ photos }) => ({ id: photos.shift() ?? 0, n: 1 }),
    body: () => ({ fichier: 'autre.webp' }),
  },
  // None was blurred.
  { key: 'POST /photos/garder-floutees', statuses: staff(409), body: nextOnes },
  { key: 'POST /photos/:id/retrait', statuses: OWN_STAY, at: nextPhoto, body: () => ({}) },
  { key: 'GET /stages/:id/retraits', statuses: OWN_STAY },
  { key: 'POST /stages/:id/retraits/lus', statuses: OWN_STAY, body: () => ({ ids: [1] }) },
  { key: 'POST /stages/:id/attestation', statuses: OWN_DIRECTORS },
  {
    key: 'POST /stages/:id/horloges',
    statuses: '401 403 403 403 409 404 409',
    body: ({ photos }) => ({ photo: photos[0], decalage: 0 }),
  },
  {
    key: 'DELETE /stages/:id/horloges/:n',
    statuses: '401 403 403 403 404 404 404',
    at: ({ a: id }) => ({ id, n: 1 }),
  },
  { key: 'GET /stages/:id/jours', statuses: OWN_STAY },
  {
    key: 'GET /stages/:id/jours/:date',
    statuses: OWN_STAY,
    at: ({ a: id }) => ({ id, date: '2026-06-20' }),
  },
  {
    key: 'PUT /stages/:id/jours/:date',
    statuses: OWN_DIRECTORS,
    at: ({ a: id }) => ({ id, date: '2026-06-20' }),
    body: () => ({ mot: 'À la mer.' }),
  },
  {
    key: 'POST /stages/:id/jours/:date/ordre',
    statuses: OWN_DIRECTORS,
    at: ({ a: id }) => ({ id, date: '2026-06-20' }),
    body: ({ photos }) => ({ ids: photos.slice(0, 1), avant: null }),
  },
  {
    key: 'DELETE /stages/:id/jours/:date/ordre',
    statuses: OWN_DIRECTORS,
    at: ({ a: id }) => ({ id, date: '2026-06-20' }),
  },
  { key: 'GET /rapports', statuses: staff(200), query: ({ a, b }) => `?sejours=${a},${b}` },
  {
    key: 'GET /download-rapport',
    statuses: staff(200),
    query: ({ stay }) => `?nomStage=${encodeURIComponent(stay.nom_stage)}`,
  },

  {
    key: 'POST /stages/envoi-mots-de-passe/apercu',
    statuses: staff(200),
    body: ({ a }) => ({ type: 'stagiaire', stageIds: [a] }),
  },
  {
    key: 'POST /stages/envoi-mots-de-passe/essai',
    statuses: staff(201),
    body: ({ a }) => ({ type: 'formateur', stageId: a, email: 'essai@exemple.org' }),
  },
  {
    key: 'POST /stages/envoi-mots-de-passe',
    statuses: staff(201),
    body: ({ a }) => ({ type: 'stagiaire', stageIds: [a] }),
  },
  {
    key: 'POST /stages/message/apercu',
    statuses: staff(200),
    body: ({ a }) => ({ type: 'stagiaire', stageIds: [a], objet: 'Départ', texte: 'À 7 h.' }),
  },
  {
    key: 'POST /stages/message/essai',
    statuses: staff(201),
    body: () => ({ type: 'stagiaire', objet: 'Départ', texte: 'À 7 h.', email: 'essai@exemple.org' }),
  },
  {
    key: 'POST /stages/message',
    statuses: staff(201),
    body: ({ a }) => ({ type: 'stagiaire', stageIds: [a], objet: 'Départ', texte: 'À 7 h.' }),
  },
  { key: 'GET /envois', statuses: staff(200) },
  { key: 'GET /envois/refuses', statuses: staff(200) },
  {
    key: 'PUT /envois/:id/messages/:n/adresse',
    statuses: staff(409),
    at: ({ mailing: id, mail: n }) => ({ id, n }),
    body: () => ({ email: 'autre@exemple.org' }),
  },
  { key: 'GET /envois/:id', statuses: staff(200), at: mailing },
  { key: 'POST /envois/:id/relancer', statuses: staff(409), at: mailing },
  {
    key: 'GET /envois/:id/messages/:n',
    statuses: staff(200),
    at: ({ mailing: id, mail: n }) => ({ id, n }),
  },
  { key: 'GET /messagerie', statuses: staff(200) },
  {
    key: 'POST /send-email',
    statuses: staff(200),
    body: () => new URLSearchParams({ to: 'a@exemple.org', subject: 'Un', message: 'Deux' }),
  },

  { key: 'POST /uploadSejour', statuses: staff(200), body: stays },
  { key: 'POST /uploadSejour/apercu', statuses: staff(200), body: stays },
  { key: 'POST /uploadDirecteurs', statuses: staff(200), body: directors },
  { key: 'POST /uploadDirecteurs/apercu', statuses: staff(200), body: directors },
  { key: 'POST /upload', statuses: staff(200), body: children },
  { key: 'POST /upload/apercu', statuses: staff(200), body: children },
  { key: 'GET /modeles-csv/:genre', statuses: staff(200), at: () => ({ genre: 'familles' }) },
  { key: 'GET /modeles-excel/:genre', statuses: staff(200), at: () => ({ genre: 'familles' }) },
  { key: 'GET /imports/suivi/:cle', statuses: staff(200), at: () => ({ cle: 'x'.repeat(20) }) },
  { key: 'GET /imports/:id/laissees', statuses: staff(404), at: () => ({ id: 999_999 }) },
  { key: 'GET /imports/dernier', statuses: staff(200), query: '?genre=familles' },
  { key: 'POST /imports/:id/annuler', statuses: staff(404), at: () => ({ id: 999_999 }) },
];

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

async function makeStay(name: string): Promise<{ id: number; password: string; stay: World['stay'] }> {
  const { database, secrets } = site.services;
  // Its last day is today: families may answer the questionnaire.
  const stay = { nom_stage: name, date_debut: '2026-06-10', date_fin: '2026-06-20' };
  const id = await database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
  const made = await findStay(database.db, id);
  if (!made) throw new Error('the stay is not there');
  return { id, stay, password: openStayPassword(secrets, made, 'stagiaire').unseen };
}

let worlds = 0;

async function makeWorld(): Promise<World> {
  worlds += 1;
  const admin = await site.tokenOf('admin');
  const ask = async (what: string, body: unknown) => (await site.call(what, { token: admin, body })).json;
  const [a, b] = [await makeStay(`Étoile ${worlds}`), await makeStay(`Baleine ${worlds}`)];
  const booklet = `Livret ${worlds}.pdf`;
  await ask('POST /livrets-upload', form({ livret: [minutesPdf('Livret', ['Rien.']), booklet] }));
  const child = (await ask('POST /add-stagiaire', { ...CHILD, email_2: 'second@exemple.org', stageId: a.id }))
    .id;
  const director = (await ask('POST /formateurs/add', { ...PERSON, cat: 'sejour', stageId: a.id })).id;
  const codes = { type: 'formateur', stageIds: [a.id] };
  const { id: mailing } = await ask('POST /stages/envoi-mots-de-passe', codes);
  const [{ id: mail }] = (await ask(`GET /envois/${mailing}`, undefined)).messages;
  return {
    a: a.id,
    b: b.id,
    stay: a.stay,
    password: a.password,
    booklet,
    ...{ child, director, mailing, mail, photos: await addBarePhotos(site.services, a.id, WHO.length) },
    tokens: {
      anonymous: undefined,
      reader: await site.tokenOf('reader'),
      // By the link of their address; those of B by the password that all families share.
      'family A': await openByLink(a.id),
      'family B': await site.tokenOf('family', b.id),
      'director A': await site.tokenOf('director', a.id),
      'director B': await site.tokenOf('director', b.id),
      admin,
    },
  };
}

async function openByLink(stageId: number): Promise<string> {
  const { database, secrets } = site.services;
  const known = { stageId, key: CHILD.mailRL };
  const link = await database.write(async (transaction) => {
    await ensureLinks(transaction, secrets, 'stagiaire', [known], site.now());
    return findLinkOf(transaction, 'stagiaire', known);
  });
  const jeton = link && openLink(secrets, link)?.unseen;
  return (await site.call('POST /auth/lien', { body: { jeton } })).json.token;
}

function ask(row: Row, world: World, who: Who): Promise<Answer> {
  const values = row.at?.(world) ?? { id: world.a };
  const what = row.key.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = typeof row.query === 'function' ? row.query(world) : (row.query ?? '');
  const address = (row.endless ? what.replace('GET', 'HEAD') : what) + query;
  return site.call(address, { token: world.tokens[who], body: row.body?.(world) });
}

const TABLES = [
  'stages',
  'formateurs',
  'affectations',
  'stagiaires',
  'livrets',
  'bilans',
  'evaluations',
  'envois',
  'envois_messages',
  'photos',
  'photos_flux',
  'photos_effacees',
  'photos_retraits',
  'photos_reponses',
  'photos_horloges',
  'photos_avant',
  'photos_selections',
  'jours',
  'attestations',
];

/** Every row that a call about stays could write. */
async function everything(): Promise<unknown[]> {
  // What the row before left to a job is not this one's doing.
  await site.jobs.idle();
  const { db } = site.services.database;
  return Promise.all(
    TABLES.map((table) =>
      db
        .selectFrom(table as 'stages')
        .selectAll()
        .execute(),
    ),
  );
}

/** What nobody but staff may read, wherever it stands. */
const SECRETS = [CHILD.nom, CHILD.mailRL, 'second@exemple.org', PERSON.mail, PERSON.telephone, 'v1:'];

describe('A stay is for its own people', () => {
  test.for(ROWS)('$key: $statuses', async (row) => {
    const world = await makeWorld();
    const { photos, tokens } = world;
    if (row.binned) await site.call('POST /photos/supprimer', { token: tokens.admin, body: { ids: photos } });
    const expected = row.statuses.split(' ').map(Number);
    const found: Partial<Record<Who, number>> = {};
    const before = await everything();
    const refused = WHO.filter((_who, index) => (expected[index] ?? 0) >= 400);
    const admitted = WHO.filter((who) => !refused.includes(who));
    for (const who of [...refused, ...admitted]) {
      const answer = await ask(row, world, who);
      found[who] = answer.status;
      if (who !== 'admin')
        expect(
          [...SECRETS, world.password].filter((secret) => answer.text.includes(secret)),
          `${who}: ${answer.text}`,
        ).toEqual([]);
      if (who === refused.at(-1)) expect(await everything()).toEqual(before);
    }
    expect(found).toEqual(Object.fromEntries(WHO.map((who, index) => [who, expected[index]])));
  });

  test('every call about stays, and every call of families and directors, is in the table', () => {
    const asked = new Set<string>(ROWS.map(({ key }) => key));
    const ofStays = {
      ...stayCalls,
      ...stayPasswordCalls,
      ...directorCalls,
      ...familyCalls,
      ...bookletCalls,
      ...reviewCalls,
      ...reportCalls,
      ...importCalls,
      ...codeCalls,
      ...mailingCalls,
      ...freeMailCalls,
      ...lostCodeCalls,
      ...slipCalls,
    };
    // What every role may do, like signing out, is no matter of stays.
    const forStays = calls.filter(
      ({ call: { access } }) =>
        access !== 'anyone' &&
        access.length < ROLES.length &&
        (access.includes('director') || access.includes('family')),
    );
    const all = [...Object.keys(ofStays), ...forStays.map(({ key }) => key)];
    expect(all.filter((key) => !asked.has(key))).toEqual([]);
  });
});

describe('The people of a stay', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  const asked = async (what: string, who: Who) => (await site.call(what, { token: world.tokens[who] })).json;
  const fields = (row: object) => Object.keys(row).sort();

  test('are told what is theirs to know: visitors a name and dates', async () => {
    for (const who of WHO) {
      const listed = await asked('GET /stages', who);
      expect(fields(listed[0]), who).toEqual(['date_debut', 'date_fin', 'id', 'nom_stage']);
      expect(fields((await asked('GET /unique-sejours', who))[0])).toEqual([
        'dateDebut',
        'dateFin',
        'nomSejour',
      ]);
      expect(fields((await asked('GET /stages-names', who))[0])).toEqual([
        'dateDebut',
        'dateFin',
        'nomStage',
      ]);
    }
  });

  test('where visitors see numbers only, learn no name and no date of a stay, whoever asks but staff', async () => {
    const choose = async (sejours_visiteurs: string) =>
      expect(
        (await site.call('PUT /reglages', { token: world.tokens.admin, body: { sejours_visiteurs } })).status,
      ).toBe(200);
    const open = calls.filter(
      ({ method, path, call }) => method === 'GET' && call.access === 'anyone' && !path.includes(':'),
    );
    const addresses = [
      ...open.map(({ key }) => key),
      `GET /recherche-site?q=${encodeURIComponent(world.stay.nom_stage)}`,
    ];
    const told = [world.stay.nom_stage, world.stay.date_debut, world.stay.date_fin];
    const tells = async (address: string, who: Who) => {
      const { text } = await site.call(address, { token: world.tokens[who] });
      return told.filter((word) => text.includes(word));
    };
    const public_ = ['GET /stages', 'GET /unique-sejours', 'GET /stages-names'];
    for (const address of public_) expect(await tells(address, 'anonymous'), address).toEqual(told);
    await choose('numeros');
    for (const who of WHO.filter((one) => one !== 'admin')) {
      for (const address of addresses) expect(await tells(address, who), `${who} ${address}`).toEqual([]);
      const listed = await asked('GET /stages', who);
      expect(listed).toContainEqual({ id: world.a, nom_stage: '', date_debut: '', date_fin: '' });
      expect(await asked('GET /unique-sejours', who)).toEqual([]);
      expect(await asked('GET /stages-names', who)).toEqual([]);
    }
    for (const page of ['/sitemap.xml', '/', `/connexion?stageId=${world.a}`])
      expect((await site.ask(`GET ${page}`)).text, page).not.toContain(world.stay.nom_stage);
    for (const address of public_) expect(await tells(address, 'admin'), address).toEqual(told);
    await choose('noms_et_dates');
    for (const address of public_) expect(await tells(address, 'anonymous'), address).toEqual(told);
  });

  test('are told what is theirs to know: families and directors how to reach it, not how it is managed', async () => {
    const practical = [
      'adresse',
      'consignes',
      'date_debut',
      'date_fin',
      'horaires',
      'id',
      'lieu',
      'nom_stage',
    ];
    const seen = [...practical, 'photos_jusquau', 'telephone_urgence'];
    for (const who of ['family A', 'director A'] as const)
      expect(fields(await asked(`GET /stages/${world.a}`, who)), who).toEqual(seen);
    expect(fields(await asked(`GET /stages/${world.a}`, 'admin'))).toEqual(
      [...seen, 'conservation_jours', 'directeurs', 'efface_le', 'familles', 'photos', 'version'].sort(),
    );
  });

  test('are told what is theirs to know: directors first names, and no address of anybody', async () => {
    const [child] = await asked(`GET /get-stagiaires/${world.a}`, 'director A');
    expect(child).toEqual({ id: world.child, prenom: 'Zoé', initiale: 'Q', consentement_image: 'inconnu' });
    const [director] = await asked(`GET /formateurs/by-stage/${world.a}`, 'director A');
    expect(director).toEqual({ id: world.director, nom: 'Fouquier', prenom: 'Odile', cat: 'sejour' });
  });

  test('are of the stay that they signed in to, whatever they say of it', async () => {
    const { a, b } = world;
    const token = world.tokens['director B'];
    for (const path of [
      `/stages/${a}`,
      `/get-stagiaires/${a}`,
      `/formateurs/by-stage/${a}`,
      `/stages/${a}/bilan`,
    ]) {
      const inQuery = `?id=${b}&stageId=${b}&stage_id=${b}`;
      expect((await site.call(`GET ${path}${inQuery}`, { token })).status, path).toBe(404);
      const headers = { 'x-stage-id': String(a), 'x-original-url': `/api/api/stages/${b}` };
      expect((await site.call(`GET ${path}`, { token, headers })).status, path).toBe(404);
    }
    const sections = [{ code: 'repas', note: 1, commentaire: 'B' }];
    const body = { id: b, stageId: b, stage_id: b, sections };
    expect((await site.call(`PUT /stages/${a}/bilan`, { token, body })).status).toBe(404);
    for (const id of ['0', '-1', '1e0', `${b}.0`, `0${b}`, `${b}%00`, `${b},${a}`, `[${b}]`, '9'.repeat(20)])
      expect((await site.call(`GET /stages/${id}`, { token })).status, id).toBe(404);
  });

  test('who write cannot set what no form holds', async () => {
    const admin = world.tokens.admin;
    const extra = {
      id: 1,
      version: 1,
      created_at: 'x',
      mdp_stagiaire: 'facile',
      mdp_formateur: 'facile',
      cle: 'x',
    };
    const read = () => findStay(site.services.database.db, world.a);
    const before = await read();
    const answer = await site.call(`PUT /stages/${world.a}`, {
      token: admin,
      body: { ...world.stay, ...extra },
    });
    expect(answer.status).toBe(200);
    const { modifie_le: _changed, ...same } = before ?? {};
    expect(await read()).toMatchObject({ ...same, version: 2, cle: stayKey(world.stay) });
  });
});

describe('Booklets', () => {
  test('open for whoever has a stay, by a bearer or by the cookie that their sign-in set', async () => {
    const world = await makeWorld();
    const stored = (await findBookletFile(site.services.database.db, world.booklet)) ?? '';
    for (const name of [encodeURIComponent(world.booklet), stored]) {
      const what = `GET /api/doc_stage_formateur/${name}`;
      const statuses = [];
      for (const who of WHO) statuses.push((await site.ask(what, { token: world.tokens[who] })).status);
      expect(statuses.join(' '), name).toBe(PEOPLE_OF_STAYS);
      for (const who of ['family B', 'director A'] as const) {
        const cookie = `${COOKIES[who === 'family B' ? 'family' : 'director']}=${world.tokens[who]}`;
        expect((await site.ask(what, { cookie })).status, who).toBe(200);
        expect((await site.ask(what, { cookie: cookie.slice(0, -1) })).status, who).toBe(401);
      }
    }
  });

  test('close when the sign-in has ended, run out or been taken back', async () => {
    const world = await makeWorld();
    const what = `GET /api/doc_stage_formateur/${encodeURIComponent(world.booklet)}`;
    const statusOf = async (who: Who) => {
      const token = world.tokens[who];
      const cookie = `${COOKIES.family}=${token}`;
      return [(await site.ask(what, { token })).status, (await site.ask(what, { cookie })).status];
    };
    await site.call('POST /auth/logout', { token: world.tokens['family A'] });
    expect(await statusOf('family A')).toEqual([401, 401]);
    expect(await statusOf('family B')).toEqual([200, 200]);
    const { database } = site.services;
    await database.write((transaction) => endSessions(transaction, { stageId: world.b, role: 'family' }));
    expect(await statusOf('family B')).toEqual([401, 401]);
    expect(await statusOf('director B')).toEqual([200, 200]);
    site.advance(13 * 3_600_000);
    expect(await statusOf('director B')).toEqual([401, 401]);
  });
});
