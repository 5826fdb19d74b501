import { ALL_RIGHTS, type Role } from '#platform/shared/roles.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { form } from '#tests/support/forms.ts';
import { addBarePhotos } from '#tests/support/gallery.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { ADMIN, MINUTES_PASSWORD } from '#tests/support/site.ts';

/** Two stays with all that a stay may have: one whose people ask, another that is not theirs. */
export interface World {
  own: number;
  other: number;
  /** Numbers and names of what is there, to stand in addresses and bodies. */
  known: readonly unknown[];
  tokens: Record<Actor, string | undefined>;
}

export const ACTORS = ['anonymous', 'reader', 'family', 'director', 'admin'] as const;
export type Actor = (typeof ACTORS)[number];

let worlds = 0;

export async function makeWorld(site: TestSite): Promise<World> {
  // What one address may send in a while has passed.
  site.advance(HOUR_MS);
  // Staff who took their own rights away, or made a second factor compulsory, have all again.
  const rights = { droits: ALL_RIGHTS.join(';'), facteur_avant: null };
  await site.services.database.write((db) => db.updateTable('admins').set(rights).execute());
  const token = await site.tokenOf('admin');
  const [own, other] = [await furnishedStay(site, token), await furnishedStay(site, token)];
  const tokenOf = (role: Role) => site.tokenOf(role, own.stay);
  return {
    own: own.stay,
    other: other.stay,
    known: [...(await addItems(site, token)), ...[own, other].flatMap((one) => Object.values(one).flat())],
    tokens: {
      anonymous: undefined,
      reader: await tokenOf('reader'),
      family: await tokenOf('family'),
      director: await tokenOf('director'),
      admin: token,
    },
  };
}

async function did(site: TestSite, what: string, body: unknown, token: string) {
  const { status, json, text } = await site.call(what, { token, body });
  if (status > 201) throw new Error(`${what}: ${text}`);
  return json;
}

/** An item of most kinds, and what opens the site. */
async function addItems(site: TestSite, token: string): Promise<unknown[]> {
  const add = async (path: string, values: Record<string, string>) =>
    (await did(site, `POST ${path}`, form(values), token)).id;
  const name = `Livret ${worlds}.pdf`;
  const livret = form({ livret: [minutesPdf('Livret', ['Rien.']), name] });
  await did(site, 'POST /livrets-upload', livret, token);
  const person = { nom: 'Roy', prenom: 'Ada', poste: 'Accueil', role: 'Employé', email: 'a@exemple.org' };
  const article = { titre: 'Un', resume: 'Deux', description: 'Trois', lien_article: '' };
  const event = { title: 'Un', location: 'Paris', summary: 'Deux', article: 'Trois' };
  return [
    await add('/actualites', { titre: 'Une', description: 'Deux' }),
    await add('/alaune', article),
    await add('/events', { ...event, date: '2026-07-01T18:00' }),
    await add('/avantage', article),
    await add('/create-employes', person),
    ...[name, MINUTES_PASSWORD, ADMIN.username, ADMIN.password],
  ];
}

async function furnishedStay(site: TestSite, token: string) {
  worlds += 1;
  const add = async (what: string, body: unknown, as = token) => (await did(site, what, body, as)).id;
  // Its last day is today: families may answer the questionnaire.
  const day = (days: number) => new Date(site.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const dates = { date_debut: day(-10), date_fin: day(0) };
  const name = `Étoile ${worlds}`;
  const stay = await add('POST /stages', { nom_stage: name, ...dates });
  const person = { nom: 'Fouquier', prenom: 'Odile', telephone: '01 99 00 00 01' };
  const mail = `odile${worlds}@exemple.org`;
  const director = await add('POST /formateurs/add', { ...person, mail, cat: 'sejour', stageId: stay });
  const child = { nom: 'Roy', prenom: 'Lou', mailRL: 'lou@exemple.org', stageId: stay };
  const children = [await add('POST /add-stagiaire', child)];
  await add(`PUT /stages/${stay}/bilan`, { sections: [{ code: 'repas', note: 4, commentaire: 'Bon' }] });
  const family = await site.tokenOf('family', stay);
  await add(`POST /stages/${stay}/evaluation`, { notes: { repas: 5 }, recommande: true }, family);
  const photos = await addBarePhotos(site.services, stay, 4);
  await add(`PUT /stages/${stay}/jours/${dates.date_debut}`, { mot: 'À la mer.' });
  await add(`POST /photos/${photos[0]}/retrait`, { mot: 'Mon enfant' }, family);
  await add(`POST /stages/${stay}/attestation`, undefined);
  const [codes] = await did(site, `GET /stage-passwords/${stay}`, undefined, token);
  const passwords = [codes.mdp_stagiaire, codes.mdp_formateur];
  return { stay, director, children, photos, name, mail, days: Object.values(dates), passwords };
}

/** Tables whose rows are of a stay, and the column that says of which. */
const OF_STAYS = [
  ...['affectations', 'stagiaires', 'bilans', 'evaluations', 'photos', 'photos_flux', 'photos_effacees'],
  'photos_reponses',
  'photos_horloges',
  ...['jours', 'attestations', 'envois_messages', 'photos_selections'],
] as const;

/** Every row of a stay. */
export async function rowsOf(site: TestSite, stay: number): Promise<unknown> {
  const { db } = site.services.database;
  const photos = db.selectFrom('photos').select('id').where('stage_id', '=', stay);
  return Promise.all([
    db.selectFrom('stages').selectAll().where('id', '=', stay).execute(),
    db.selectFrom('photos_retraits').selectAll().where('photo_id', 'in', photos).orderBy('id').execute(),
    db.selectFrom('photos_avant').selectAll().where('photo_id', 'in', photos).orderBy('id').execute(),
    ...OF_STAYS.map((table) =>
      db
        .selectFrom(table as 'photos')
        .selectAll()
        .where('stage_id', '=', stay)
        .execute()
        // Without an order of its own a table gives its rows in any.
        .then((rows) => rows.map((row) => JSON.stringify(row)).sort()),
    ),
  ]);
}
