import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { insertAdmin } from '#features/accounts/server/adminsStore.ts';
import { hashPassword } from '#features/accounts/server/passwords.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { openSession } from '#platform/server/sessionsStore.ts';
import type { Call, CallKey } from '#platform/shared/call.ts';
import { ALL_RIGHTS, type Right } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/*
 * Rights of staff: every call of the table, asked by admins who have one right each, and by one who has none. What each
 * right opens is listed here by hand: a call changes its place only together with its reason.
 */

const OPENED_BY: Record<string, readonly CallKey[]> = {
  contenus: [
    'POST /actualites',
    'DELETE /actualites/:id',
    'PUT /actualites/:id',
    'POST /alaune',
    'DELETE /alaune/:id',
    'PUT /alaune/:id',
    'POST /logos',
    'DELETE /logos/:id',
    'PUT /logos/:id',
    'POST /events',
    'DELETE /events/:id',
    'PUT /events/:id',
    'POST /avantage',
    'DELETE /avantage/:id',
    'PUT /avantage/:id',
    'POST /documents',
    'DELETE /documents/:id',
    'GET /documents/:id',
    'PUT /documents/:id',
    'GET /employes',
    'GET /employes/:id',
    'POST /create-employes',
    'PUT /employes/:id',
    'DELETE /employes/:id',
    'GET /corbeille',
    'POST /corbeille/:genre/:id/restaurer',
  ],
  tous: [
    'GET /documents',
    'GET /documents/recherche',
    'GET /verifyToken',
    'POST /admins/moi/preuve',
    'POST /auth/logout',
    'GET /session',
    'POST /admins/moi/mot-de-passe',
    'GET /admins/moi/connexions',
    'DELETE /admins/moi/connexions/:id',
    'DELETE /admins/moi/connexions',
    'GET /admins/moi/appareils',
    'DELETE /admins/moi/appareils/:id',
    'GET /admins/moi/second-facteur',
    'POST /admins/moi/second-facteur',
    'POST /admins/moi/second-facteur/confirmation',
    'POST /admins/moi/second-facteur/arret',
    'POST /admins/moi/codes-secours',
    'POST /admins/moi/cles-acces/defi',
    'POST /admins/moi/cles-acces',
    'DELETE /admins/moi/cles-acces/:id',
    'POST /admins/moi/preuve/cle-acces',
    'GET /tableau-de-bord',
    'GET /recherche',
  ],
  'sejours photos': ['GET /stages-suivi', 'GET /stages/:id', 'GET /get-stagiaires/:id', 'GET /preparation'],
  sejours: [
    'POST /stages',
    'PUT /stages/:id',
    'DELETE /stages/:id',
    'GET /stage-passwords/:id',
    'POST /stage-passwords/:id/regenerer',
    'GET /download-passwords',
    'GET /stages/:id/connexions',
    'DELETE /stages/:id/connexions/:connexion',
    'DELETE /stages/:id/connexions',
    'GET /stages/:id/acces',
    'PUT /stages/:id/acces',
    'GET /stages/:id/liens',
    'POST /stages/:id/liens/couper',
    'POST /stages/:id/liens/nouveau',
    'POST /uploadSejour',
    'POST /upload',
    'POST /uploadDirecteurs',
    'POST /uploadSejour/apercu',
    'POST /upload/apercu',
    'POST /uploadDirecteurs/apercu',
    'GET /modeles-csv/:genre',
    'GET /modeles-excel/:genre',
    'GET /imports/suivi/:cle',
    'GET /imports/:id/laissees',
    'GET /imports/dernier',
    'POST /imports/:id/annuler',
    'GET /formateurs',
    'GET /formateurs/by-stage/:id',
    'GET /formateurs/by-stage/:id/:type',
    'POST /formateurs/add',
    'PUT /formateurs/update/:id',
    'PUT /formateurs/:id',
    'DELETE /formateurs/delete/:id',
    'POST /formateurs/delete',
    'PUT /update/:id',
    'POST /add-stagiaire',
    'GET /stages/:id/enfants',
    'POST /stagiaires/effacer',
    'POST /stagiaires/deplacer',
    'POST /stagiaires/droit-image',
    'DELETE /stagiaire/delete/:id',
    'DELETE /deletePaxBySejour',
    'GET /livrets',
    'GET /livrets-suivi',
    'POST /livrets-upload',
    'DELETE /livrets/:name',
    'GET /stages/:id/bilan',
    'PUT /stages/:id/bilan',
    'GET /rapports',
    'GET /download-rapport',
    'POST /stages/envoi-mots-de-passe/apercu',
    'POST /stages/envoi-mots-de-passe/essai',
    'POST /stages/envoi-mots-de-passe',
    'POST /stages/message/apercu',
    'POST /stages/message/essai',
    'POST /stages/message',
    'GET /envois',
    'GET /envois/refuses',
    'PUT /envois/:id/messages/:n/adresse',
    'GET /envois/:id',
    'POST /envois/:id/relancer',
    'GET /envois/:id/messages/:n',
    'GET /stages/:id/etiquettes',
  ],
  photos: [
    'GET /stages/:id/photos',
    'GET /stages/:id/photos/changements',
    'GET /stages/:id/photos/suivi',
    'POST /stages/:id/horloges',
    'DELETE /stages/:id/horloges/:n',
    'GET /stages/:id/flux',
    'GET /stages/:id/photos.zip',
    'POST /photos/selection',
    'POST /photos/connues',
    'PATCH /photos',
    'PATCH /photos/:id',
    'POST /photos/supprimer',
    'DELETE /photos/:id',
    'POST /photos/retablir',
    'POST /photos/confirmer',
    'POST /photos/effacer',
    'POST /photos/:id/retouche',
    'POST /photos/:id/avant/:n',
    'POST /photos/garder-floutees',
    'POST /photos/:id/retrait',
    'GET /stages/:id/retraits',
    'POST /stages/:id/retraits/lus',
    'POST /stages/:id/attestation',
    'GET /stages/:id/jours',
    'GET /stages/:id/jours/:date',
    'PUT /stages/:id/jours/:date',
    'POST /stages/:id/jours/:date/ordre',
    'DELETE /stages/:id/jours/:date/ordre',
  ],
  'contenus sejours': [
    'GET /messagerie',
    'POST /send-email',
    'GET /contact',
    'PUT /contact/:id',
    'DELETE /contact/:id',
  ],
  // What gathers what several rights open.
  ensemble: [
    'POST /export',
    'GET /export.zip',
    'POST /rgpd',
    'GET /rgpd/export',
    'GET /rgpd/document',
    'POST /rgpd/effacer',
    'GET /rgpd/preuves/:id',
    'GET /rgpd/preuves/:id/document',
  ],
  reglages: [
    'GET /admins',
    'POST /admins',
    'PUT /admins/:id',
    'DELETE /admins/:id',
    'GET /journal',
    'GET /journal/csv',
    'GET /journal/jsonl',
    'GET /journal/choix',
    'GET /reglages',
    'PUT /reglages',
    'PUT /reglages/logo',
    'DELETE /reglages/logo',
    'POST /horloge',
    'GET /exemple',
    'POST /exemple',
    'DELETE /exemple',
  ],
};

/** Those who may make a call: staff with one of these rights, or with all; undefined: all staff may; empty: none may. */
function rightsFor(key: CallKey): readonly Holder[] | undefined {
  const [rights = ''] = Object.entries(OPENED_BY).find(([, keys]) => keys.includes(key)) ?? [];
  return rights === 'tous' ? undefined : (rights.split(' ').filter(Boolean) as Holder[]);
}

let site: TestSite;
type Holder = Right | 'ensemble';
const tokens = new Map<Holder | 'nobody', string>();

/** A session of an admin who has these rights and no others. */
async function tokenWith(name: string, rights: readonly Right[]): Promise<string> {
  const hash = await hashPassword('girafe-boussole-71');
  const now = site.now();
  return site.services.database.write(async (db) => {
    const { id } = await insertAdmin(db, name, hash, now, { rights });
    return openSession(db, { role: 'admin', adminId: id }, now, new Date(now.getTime() + 3_600_000));
  });
}

beforeAll(async () => {
  site = await openSite();
  for (const right of ALL_RIGHTS) tokens.set(right, await tokenWith(right, [right]));
  tokens.set('nobody', await tokenWith('nobody', []));
  tokens.set('ensemble', await tokenWith('ensemble', ALL_RIGHTS));
});
afterAll(() => site?.close());

/** The least body of a call's kind. */
function bodyOf({ body }: Call): unknown {
  if (!body) return undefined;
  if (body.as === 'json') return {};
  return body.as === 'form' ? new URLSearchParams() : form({ rien: '' });
}

describe('Each right of staff opens its calls and no others', () => {
  test('the list names every call that staff may make, once', () => {
    const listed = Object.values(OPENED_BY).flat();
    const ofStaff = calls.filter(
      ({ call: { access } }) =>
        access !== 'anyone' && ['admin', 'tous', ...ALL_RIGHTS].some((one) => access.includes(one as Right)),
    );
    expect(listed.toSorted()).toEqual(ofStaff.map(({ key }) => key).toSorted());
  });

  for (const { key, method, path, call } of calls) {
    if (call.access === 'anyone' || key === 'POST /auth/logout') continue;
    test(`${key}: ${rightsFor(key)?.join(', ') ?? 'all staff'}`, async () => {
      const wanted = rightsFor(key);
      for (const [who, token] of tokens) {
        const address = path.replace(/:genre\b/, 'actualites').replace(/:\w+/g, '999999999');
        const answer = await site.call(`${method} ${address}`, { token, body: bodyOf(call) });
        const isOpen =
          wanted === undefined || wanted.includes(who as Holder) || (who === 'ensemble' && wanted.length > 0);
        if (isOpen) expect([401, 403, 500], `${who}: ${answer.text}`).not.toContain(answer.status);
        else expect(answer.status, who).toBe(403);
      }
    });
  }

  test('a refusal names the right that is missing', async () => {
    const token = tokens.get('photos');
    const { json } = await site.call('GET /journal', { token });
    expect(json.message).toBe('Votre compte n’a pas le droit «\u00a0Comptes et réglages\u00a0».');
  });
});

describe('What all staff may ask shows each what their rights open', () => {
  test('the first page: state of the site and alerts', async () => {
    const board = async (who: Right | 'nobody') =>
      (await site.call('GET /tableau-de-bord', { token: tokens.get(who) })).json;
    expect((await board('contenus')).sante.parties).toEqual([]);
    expect((await board('reglages')).sante.parties).not.toEqual([]);
    for (const one of ['sejours', 'photos', 'nobody'] as const) {
      const { sante, horloge } = await board(one);
      expect({ parties: sante.parties, horloge }, one).toEqual({
        parties: [],
        horloge: null,
      });
    }
    expect((await board('nobody')).alertes).toEqual([]);
  });

  test('the search: a stay by those of stays and of photos, a child by those of stays, a news item by those of contents', async () => {
    const admin = await site.tokenOf('admin');
    const stay = { nom_stage: 'Quetzal', date_debut: '2026-07-04', date_fin: '2026-07-18' };
    const { id } = (await site.call('POST /stages', { token: admin, body: stay })).json;
    const child = { stageId: id, nom: 'Quetzalin', prenom: 'Zoé', mailRL: 'parent@exemple.org' };
    expect((await site.call('POST /add-stagiaire', { token: admin, body: child })).status).toBe(201);
    const news = form({ titre: 'Le quetzal', description: 'Un oiseau.', date_publication: '2026-07-01' });
    const made = await site.call('POST /actualites', { token: admin, body: news });
    expect(made.status, made.text).toBe(201);
    const found = async (who: Right | 'nobody') => {
      const { json } = await site.call('GET /recherche?q=quetzal', { token: tokens.get(who) });
      return json.map(({ genre }: { genre: string }) => genre).toSorted();
    };
    expect(await found('contenus')).toEqual(['actualites']);
    expect(await found('sejours')).toEqual(['enfants', 'stages']);
    expect(await found('photos')).toEqual(['stages']);
    expect(await found('reglages')).toEqual([]);
    expect(await found('nobody')).toEqual([]);
  });

  test('children of a stay: whole with the right to stays, as directors see them with that to photos', async () => {
    const [stay] = (await site.call('GET /stages')).json;
    const ask = (who: Right) => site.call(`GET /get-stagiaires/${stay.id}`, { token: tokens.get(who) });
    expect((await ask('sejours')).json[0].email).toBe('parent@exemple.org');
    expect(Object.keys((await ask('photos')).json[0])).not.toContain('email');
    expect((await ask('photos')).text).not.toContain('Quetzalin');
  });

  test('a photo file opens with the right to photos alone, and is unknown to the others', async () => {
    const [stay] = (await site.call('GET /stages')).json;
    const [photo = 0] = await addPhotos(site.services, stay.id, 1);
    const { nom } = await site.services.database.db
      .selectFrom('fichiers')
      .select('nom')
      .where('objet', '=', 'photos')
      .where('objet_id', '=', photo)
      .executeTakeFirstOrThrow();
    for (const [who, token] of tokens) {
      const { status } = await site.ask(`GET ${PHOTO_FOLDER}${nom}`, { token });
      expect(status, who).toBe(who === 'photos' || who === 'ensemble' ? 200 : 404);
    }
  });

  test('a draft is shown to those of contents alone', async () => {
    const body = form({
      titre: 'Brouillon',
      description: 'Pas encore.',
      date_publication: '2026-07-01',
      brouillon: '1',
    });
    const { json } = await site.call('POST /actualites', { token: await site.tokenOf('admin'), body });
    for (const [who, token] of tokens) {
      const list = await site.call('GET /actualites?tout=1', { token });
      expect(list.status, who).toBe(who === 'contenus' || who === 'ensemble' ? 200 : 403);
      const one = await site.call(`GET /actualites/${json.id}`, { token });
      expect(one.status, who).toBe(who === 'contenus' || who === 'ensemble' ? 200 : 404);
    }
  });
});
