import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { product } from '#app/server/features.ts';
import { insertAdmin } from '#features/accounts/server/adminsStore.ts';
import { hashPassword } from '#features/accounts/server/passwords.ts';
import { listTroubles } from '#features/dashboard/server/health.ts';
import { openSession } from '#platform/server/sessionsStore.ts';
import { ALL_RIGHTS, type Right } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { addBarePhotos } from '#tests/support/gallery.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { ADMIN, MINUTES_PASSWORD, openSite } from '#tests/support/site.ts';

/*
 * What somebody gets who has taken over an open session of staff, whose last proof is old, or a right that is not theirs
 * to use so. Each of these was open once, by a call that nobody had marked.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let site: TestSite;
/** A session of staff whose last proof is old. */
let stale: string;
let stay: number;
beforeAll(async () => {
  site = await openSite({
    env: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@exemple.fr' },
  });
});
afterAll(() => site?.close());
beforeEach(async () => {
  const token = await site.tokenOf('admin');
  stay = (await done('POST /stages', token, { nom_stage: `Étoile ${++stays}`, ...DATES })).id;
  site.advance(11 * MINUTE);
  stale = token;
});

let stays = 0;
const DATES = { date_debut: '2026-07-06', date_fin: '2026-07-20' };

function expectDone(what: string, { status, json, text }: Answer) {
  expect(status, `${what}: ${text}`).toBeLessThan(300);
  return json;
}

const done = async (what: string, token: string, body?: unknown) =>
  expectDone(what, await site.call(what, { token, body }));

let networks = 0;
const askLost = (stageId: number, email: string) =>
  site.call('POST /auth/code-perdu', {
    body: { stageId, email },
    headers: { 'x-forwarded-for': `203.0.${++networks >> 8}.${networks & 255}` },
  });

/** Addresses to which codes of a stay wait, or have gone. */
async function sentTo(stageId: number): Promise<string[]> {
  await site.jobs.idle();
  const rows = await site.services.database.db
    .selectFrom('envois_messages')
    .select('destinataire')
    .where('stage_id', '=', stageId)
    .execute();
  return rows.map(({ destinataire }) => destinataire);
}

const actionsOf = async (stageId: number) =>
  (
    await site.services.database.db
      .selectFrom('journal')
      .select('action')
      .where('objet', '=', 'stages')
      .where('objet_id', '=', stageId)
      .execute()
  ).map(({ action }) => action);

async function alerts(): Promise<string> {
  const found = await listTroubles(product.checks(site.services));
  return found.map(({ texte }) => texte).join('\n');
}

function expectProofWanted({ status, json, text }: Answer): void {
  expect([status, json.etape], text).toEqual([403, 'preuve']);
}

describe('The codes of a stay go to no address that a thief of a session adds', () => {
  let thief = '';
  beforeEach(() => {
    thief = `voleur${stays}@exemple.net`;
  });
  const child = { nom: 'Roy', prenom: 'Lou', mailRL: 'famille@exemple.org' };
  const director = { nom: 'Fouquier', prenom: 'Odile', telephone: '01 99 00 00 01', cat: 'sejour' };
  const csv = (lines: string[]) => form({ file: [Buffer.from(`${lines.join('\n')}\n`), 'liste.csv'] });
  const dated = `${DATES.date_debut};${DATES.date_fin}`;
  const nameOfStay = () => `Étoile ${stays}`;
  /** Every way to write one, with the name that it has for the journal of failures. */
  const WAYS: Record<string, () => Promise<unknown>> = {
    'a child': () => done('POST /add-stagiaire', stale, { ...child, mailRL: thief, stageId: stay }),
    'another address of a child': async () => {
      const { id } = await done('POST /add-stagiaire', stale, { ...child, stageId: stay });
      await done(`PUT /update/${id}`, stale, { ...child, email_2: thief });
    },
    'a child of another stay, moved': async () => {
      const other = await done('POST /stages', stale, { nom_stage: `Baleine ${stays}`, ...DATES });
      const body = { ...child, mailRL: thief, stageId: other.id };
      const { id } = await done('POST /add-stagiaire', stale, body);
      site.advance(2 * DAY);
      stale = await site.tokenOf('admin');
      site.advance(11 * MINUTE);
      await done('POST /stagiaires/deplacer', stale, { ids: [id], stageId: stay });
    },
    'a director': () => done('POST /formateurs/add', stale, { ...director, mail: thief, stageId: stay }),
    'another address of a director': async () => {
      const body = { ...director, mail: `odile${stays}@exemple.org`, stageId: stay };
      const { id } = await done('POST /formateurs/add', stale, body);
      await done(`PUT /formateurs/update/${id}`, stale, { ...director, mail: thief });
    },
    'a list of families': () =>
      done(
        'POST /upload',
        stale,
        csv([
          'nom;prenom;email;consentement_image;nom_stage;date_debut;date_fin',
          `Roy;Lou;${thief};oui;${nameOfStay()};${dated}`,
        ]),
      ),
    'a list of directors': () =>
      done(
        'POST /uploadDirecteurs',
        stale,
        csv([
          'nom;prenom;email;telephone;cat;nom_stage;date_debut;date_fin',
          `Voleur;Jean;${thief};01 99 00 00 01;séjour;${nameOfStay()};${dated}`,
        ]),
      ),
  };

  for (const [way, add] of Object.entries(WAYS))
    test(`${way}: a lost code is answered as ever, sent to nobody, and told`, async () => {
      await add();
      expect((await askLost(stay, thief)).status).toBe(200);
      expect(await sentTo(stay)).toEqual([]);
      const refused = 'mot de passe perdu, refusé à une adresse ajoutée depuis moins d’un jour';
      expect(await actionsOf(stay)).toContain(refused);
      expect(await alerts()).toMatch(/demandés? par (une|des) adresses? ajoutées? depuis peu/);
      // Nor does a mailing of theirs take it there.
      const type = way.includes('director') ? 'formateur' : 'stagiaire';
      const body = { type, stageIds: [stay], objet: 'Codes', texte: '' };
      stale = await site.tokenOf('admin');
      site.advance(11 * MINUTE);
      expectProofWanted(await site.call('POST /stages/envoi-mots-de-passe', { token: stale, body }));
      expect(await sentTo(stay)).toEqual([]);
    });

  test('a day later it is sent, and staff are told', async () => {
    await done('POST /add-stagiaire', stale, { ...child, mailRL: thief, stageId: stay });
    site.advance(DAY);
    await askLost(stay, thief);
    expect(await sentTo(stay)).toEqual([thief]);
    expect(await actionsOf(stay)).toContain('mot de passe perdu, envoyé à une adresse ajoutée depuis peu');
  });

  test('an address that is taken away and added again is young again', async () => {
    const { id } = await done('POST /add-stagiaire', stale, { ...child, stageId: stay });
    site.advance(DAY);
    const token = await site.tokenOf('admin');
    site.advance(11 * MINUTE);
    await done(`PUT /update/${id}`, token, { ...child, mailRL: 'autre@exemple.org' });
    await done(`PUT /update/${id}`, token, child);
    await askLost(stay, child.mailRL);
    expect(await sentTo(stay)).toEqual([]);
  });

  test('under a fresh proof it is known at once, and nothing is told', async () => {
    const fresh = await site.tokenOf('admin');
    await done('POST /add-stagiaire', fresh, { ...child, stageId: stay });
    await askLost(stay, child.mailRL);
    expect(await sentTo(stay)).toEqual([child.mailRL]);
    expect((await actionsOf(stay)).filter((action) => action.includes('perdu'))).toEqual([]);
  });

  test('a proof of somebody else meanwhile makes no address of theirs known', async () => {
    await done('POST /add-stagiaire', stale, { ...child, mailRL: thief, stageId: stay });
    const fresh = await site.tokenOf('admin');
    await done('POST /add-stagiaire', fresh, { ...child, prenom: 'Ada', stageId: stay });
    await askLost(stay, thief);
    expect(await sentTo(stay)).toEqual([]);
  });
});

describe('No password is shown without a proof, whichever call shows it', () => {
  test('of the minutes, in the settings', async () => {
    expect((await done('GET /reglages', stale)).comptes_rendus_mot_de_passe).toBeUndefined();
    expectProofWanted(await site.call('GET /reglages?mot_de_passe=oui', { token: stale }));
    const fresh = await site.tokenOf('admin');
    const shown = await done('GET /reglages?mot_de_passe=oui', fresh);
    expect(shown.comptes_rendus_mot_de_passe).toBe(MINUTES_PASSWORD);
  });

  test('of another stay, typed in a line of a list of stays that was left aside', async () => {
    const token = await site.tokenOf('admin');
    const [{ mdp_stagiaire }] = await done(`GET /stage-passwords/${stay}`, token);
    const lines = [
      'nom_stage;date_debut;date_fin;mdp_formateur;mdp_stagiaire',
      `Corail ${stay};2026-08-01;2026-08-09;;`,
      `Récif ${stay};2026-08-01;2026-08-09;;${mdp_stagiaire}`,
    ];
    const body = form({
      file: [Buffer.from(lines.join('\n')), 'liste.csv'],
      corrections: JSON.stringify([{ ligne: 3, cellules: [] }]),
    });
    const { id, laissees } = await done('POST /uploadSejour', token, body);
    expect(laissees).toBe(1);
    const { db } = site.services.database;
    const left = await db.selectFrom('imports_laissees').selectAll().where('import_id', '=', id).execute();
    expect(left.map(({ cellules }) => JSON.parse(cellules))).toEqual([
      { nom_stage: `Récif ${stay}`, date_debut: '2026-08-01', date_fin: '2026-08-09' },
    ]);
  });
});

describe('One by one is counted like many at once', () => {
  async function addChildren(count: number): Promise<number[]> {
    const token = await site.tokenOf('admin');
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      const body = { nom: `Roy ${n}`, prenom: 'Lou', mailRL: `f${n}.${stay}@exemple.org`, stageId: stay };
      ids.push((await done('POST /add-stagiaire', token, body)).id);
    }
    site.advance(11 * MINUTE);
    return ids;
  }
  const left = async () =>
    (
      await site.services.database.db
        .selectFrom('stagiaires')
        .select('id')
        .where('stage_id', '=', stay)
        .execute()
    ).length;

  test('ten children are erased one by one, the eleventh asks for a proof, and so do all at once', async () => {
    const ids = await addChildren(13);
    const token = await site.tokenOf('admin');
    site.advance(11 * MINUTE);
    for (const id of ids.slice(0, 10)) await done(`DELETE /stagiaire/delete/${id}`, token);
    expectProofWanted(await site.call(`DELETE /stagiaire/delete/${ids[10]}`, { token }));
    const named = { sejour: `Étoile ${stays}`, dateDebut: DATES.date_debut, dateFin: DATES.date_fin };
    expectProofWanted(await site.call('DELETE /deletePaxBySejour', { token, body: named }));
    expectProofWanted(await site.call('POST /stagiaires/effacer', { token, body: { ids: ids.slice(10) } }));
    expect(await left()).toBe(3);
    expect((await actionsOf(stay)).filter((action) => action.startsWith('effacement'))).toEqual([]);
    const fresh = await site.tokenOf('admin');
    await done('POST /stagiaires/effacer', fresh, { ids: ids.slice(10) });
    expect(await left()).toBe(0);
  });

  test('an import that erased more than that by its undoing asks as well', async () => {
    const token = await site.tokenOf('admin');
    const lines = Array.from(
      { length: 12 },
      (_, n) => `Roy ${n};Lou;f${n}@exemple.org;oui;Étoile ${stays};${DATES.date_debut};${DATES.date_fin}`,
    );
    const text = ['nom;prenom;email;consentement_image;nom_stage;date_debut;date_fin', ...lines].join('\n');
    await done('POST /upload', token, form({ file: [Buffer.from(text), 'liste.csv'] }));
    const { dernier } = await done('GET /imports/dernier?genre=familles', token);
    site.advance(11 * MINUTE);
    expectProofWanted(await site.call(`POST /imports/${dernier.id}/annuler`, { token }));
    expect(await left()).toBe(12);
  });

  test('a hundred people are read, the next asks for a proof; the same ones again count once', async () => {
    await addChildren(60);
    const first = stay;
    stay = (await done('POST /stages', await site.tokenOf('admin'), { nom_stage: `Lune ${stays}`, ...DATES }))
      .id;
    await addChildren(60);
    const token = await site.tokenOf('admin');
    site.advance(11 * MINUTE);
    for (let again = 0; again < 5; again++) await done(`GET /get-stagiaires/${first}`, token);
    expectProofWanted(await site.call(`GET /get-stagiaires/${stay}`, { token }));
    // A file takes ten.
    expectProofWanted(await site.call(`GET /stages/${first}/enfants`, { token }));
    expect(
      (await site.call(`GET /get-stagiaires/${stay}`, { token: await site.tokenOf('admin') })).status,
    ).toBe(200);
  });

  test('photos thrown away in two calls are counted together, and staff are told', async () => {
    const photos = await addBarePhotos(site.services, stay, 150);
    const token = await site.tokenOf('admin');
    site.advance(11 * MINUTE);
    await done('POST /photos/supprimer', token, { ids: photos.slice(0, 40) });
    expectProofWanted(await site.call('POST /photos/supprimer', { token, body: { ids: photos.slice(40) } }));
    expectProofWanted(await site.call('POST /photos/effacer', { token, body: { ids: photos.slice(0, 1) } }));
    const fresh = await site.tokenOf('admin');
    await done('POST /photos/supprimer', fresh, { ids: photos.slice(40) });
    expect(await alerts()).toContain('150 photos supprimées ou floutées par une même personne');
  });

  test('a stay is deleted under a proof alone', async () => {
    expectProofWanted(await site.call(`DELETE /stages/${stay}`, { token: stale }));
  });
});

describe('Nobody is read, overwritten or taken from families by a call beside those', () => {
  const HEADER = 'nom;prenom;email;consentement_image;nom_stage;date_debut;date_fin';
  const dated = () => `Étoile ${stays};${DATES.date_debut};${DATES.date_fin}`;
  const csv = (lines: string[], reponses: object[] = []) =>
    form({ file: [Buffer.from(lines.join('\n')), 'liste.csv'], reponses: JSON.stringify(reponses) });
  let ids: number[] = [];
  beforeEach(async () => {
    const token = await site.tokenOf('admin');
    const lines = Array.from(
      { length: 120 },
      (_, n) => `Nom${n};Lou;s${n}.${stay}@exemple.org;oui;${dated()}`,
    );
    await done('POST /upload', token, csv([HEADER, ...lines]));
    const { db } = site.services.database;
    ids = (await db.selectFrom('stagiaires').select('id').where('stage_id', '=', stay).execute()).map(
      ({ id }) => id,
    );
    stale = await site.tokenOf('admin');
    site.advance(11 * MINUTE);
  });
  const untouched = async () => {
    const { db } = site.services.database;
    const rows = db.selectFrom('stagiaires').select('id').where('email', 'like', `s%.${stay}@exemple.org`);
    return (await rows.where('stage_id', '=', stay).execute()).length;
  };

  test('by conflicts, one after another', async () => {
    const body = { nom: 'X', prenom: 'Y', mailRL: '', version: 99_999 };
    const statuses = [];
    for (const id of ids)
      statuses.push((await site.call(`PUT /update/${id}`, { token: stale, body })).status);
    expect(statuses).toEqual([...Array(100).fill(409), ...Array(20).fill(403)]);
  });

  test('by the search or the journal, of families without an address as of others', async () => {
    const token = await site.tokenOf('admin');
    for (const [n, id] of ids.entries())
      await done(`PUT /update/${id}`, token, { nom: `Inconnu ${n}`, prenom: 'Lou', mailRL: '' });
    const read = async (whats: string[]) => {
      stale = await site.tokenOf('admin');
      site.advance(11 * MINUTE);
      const statuses = [];
      for (const what of whats) statuses.push((await site.call(what, { token: stale })).status);
      return statuses;
    };
    const found = await read(ids.map((_, n) => `GET /recherche?q=inconnu%20${n}`));
    expect(new Set(found)).toEqual(new Set([200, 403]));
    const pages = 'GET /journal?quoi=stagiaires&limite=60';
    expect(await read(Array(4).fill(pages))).toEqual(Array(4).fill(200));
    const named = `${pages}&noms=oui`;
    const { entrees } = await done(named, await site.tokenOf('admin'));
    expect(await read([named, named, `${named}&avant=${entrees.at(-1).id}`])).toEqual([200, 200, 403]);
  });

  test('by the preview of a list that holds their names, nor by the refusal of one', async () => {
    const lines = Array.from({ length: 120 }, (_, n) => `Nom${n};Lou;autre${n}@exemple.net;oui;${dated()}`);
    for (const what of ['POST /upload/apercu', 'POST /upload']) {
      const answer = await site.call(what, { token: stale, body: csv([HEADER, ...lines]) });
      expectProofWanted(answer);
      expect(answer.text).not.toContain(`.${stay}@exemple.org`);
    }
  });

  test('by a list that replaces them, nor by saving them one by one', async () => {
    const lines = Array.from({ length: 120 }, (_, n) => `Nom${n};Lou;autre${n}@exemple.net;oui;${dated()}`);
    const body = csv([HEADER, ...lines], [{ question: 'adresses', reponse: 'remplacer' }]);
    expectProofWanted(await site.call('POST /upload', { token: stale, body }));
    expect(await untouched()).toBe(120);
    for (const id of ids)
      await site.call(`PUT /update/${id}`, {
        token: stale,
        body: { nom: 'X', prenom: `Y${id}`, mailRL: '' },
      });
    expect(await untouched()).toBe(90);
  });

  test('by the end of their stay that is brought nearer, nor by a move to another one', async () => {
    const past = { nom_stage: `Étoile ${stays}`, date_debut: '2020-01-01', date_fin: '2020-01-02' };
    const body = { ...past, conservation_jours: 1 };
    expectProofWanted(await site.call(`PUT /stages/${stay}`, { token: stale, body }));
    const other = await done('POST /stages', stale, { ...past, nom_stage: `Vieux ${stays}` });
    const move = { ids: ids.slice(0, 100), stageId: other.id };
    expectProofWanted(await site.call('POST /stagiaires/deplacer', { token: stale, body: move }));
    expect(await untouched()).toBe(120);
  });

  test('nor are directors taken off all their stays', async () => {
    const token = await site.tokenOf('admin');
    const person = { nom: 'Fouquier', telephone: '01 99 00 00 01', cat: 'sejour', stageId: stay };
    const directors: { id: number; body: object }[] = [];
    for (let n = 0; n < 20; n++) {
      const body = { ...person, prenom: `Odile ${n}`, mail: `odile${n}.${stay}@exemple.org` };
      directors.push({ id: (await done('POST /formateurs/add', token, body)).id, body });
    }
    site.advance(11 * MINUTE);
    for (const { id, body } of directors)
      await site.call(`PUT /formateurs/${id}`, { token: stale, body: { ...body, stageIds: [] } });
    const { db } = site.services.database;
    const left = await db
      .selectFrom('affectations')
      .select('formateur_id')
      .where('stage_id', '=', stay)
      .execute();
    // Each is a change of a person, and the end of an assignment.
    expect(left).toHaveLength(5);
  });

  test('nor are directors renamed by being added again', async () => {
    const token = await site.tokenOf('admin');
    const person = { nom: 'Fouquier', prenom: 'Odile', telephone: '01 99 00 00 01', cat: 'sejour' };
    const mails = Array.from({ length: 40 }, (_, n) => `odile${n}.${stay}@exemple.org`);
    const put = (mail: string, as: string, nom = 'Fouquier') =>
      site.call('POST /formateurs/add', { token: as, body: { ...person, nom, mail, stageId: stay } });
    for (const mail of mails) expectDone('a director', await put(mail, token));
    site.advance(11 * MINUTE);
    for (const mail of mails) await put(mail, token, 'Voleur');
    const { db } = site.services.database;
    const renamed = db.selectFrom('formateurs').select('id').where('nom', '=', 'Voleur');
    expect(await renamed.where('mail', 'in', mails).execute()).toHaveLength(30);
  });

  test('nor are contents emptied one after another', async () => {
    const { id } = await done(
      'POST /actualites',
      stale,
      form({ titre: 'Fête', description: 'Le 3 juillet.' }),
    );
    const empty = () =>
      site.call(`PUT /actualites/${id}`, { token: stale, body: form({ description: '.' }) });
    for (let n = 0; n < 50; n++) expectDone('a change', await empty());
    expectProofWanted(await empty());
  });

  test('nor does the preview of a list of stays say which passwords are taken', async () => {
    const body = csv([
      'nom_stage;date_debut;date_fin;mdp_formateur;mdp_stagiaire',
      'Neuf;2027-07-01;2027-07-09;;x',
    ]);
    expectProofWanted(await site.call('POST /uploadSejour/apercu', { token: stale, body }));
  });

  test('nor does the undo of a list of stays bring a former password back', async () => {
    const token = await site.tokenOf('admin');
    const header = 'nom_stage;date_debut;date_fin;mdp_formateur;mdp_stagiaire';
    const body = csv(
      [header, `${dated()};;marmotte-rousse-${stay}-bleue`],
      [{ question: 'mots-de-passe', reponse: 'oui' }],
    );
    const { id, modifier } = await done('POST /uploadSejour', token, body);
    expect(modifier).toBe(1);
    site.advance(11 * MINUTE);
    expectProofWanted(await site.call(`POST /imports/${id}/annuler`, { token }));
  });

  test('nor are photos hidden, published or confirmed for the bin in any number', async () => {
    const photos = await addBarePhotos(site.services, stay, 250);
    await done(`POST /stages/${stay}/attestation`, stale);
    const all = (statut: string) =>
      site.call('PATCH /photos', { token: stale, body: { ids: photos.slice(0, 201), statut } });
    expectProofWanted(await all('retiree'));
    expectProofWanted(await all('publiee'));
    const director = await site.tokenOf('director', stay);
    await done('POST /photos/supprimer', director, { ids: photos });
    expectProofWanted(await site.call('POST /photos/confirmer', { token: stale, body: { ids: photos } }));
  });
});

test('a secretary’s day of lists, codes, slips, corrections and an erasure asks for the password once', async () => {
  const token = await site.tokenOf('admin');
  let asked = 0;
  const work = async (minutes: number, what: string, body?: unknown) => {
    site.advance(minutes * MINUTE);
    const answer = await site.call(what, { token, body });
    if (answer.json?.etape !== 'preuve') return expectDone(what, answer);
    asked++;
    await done('POST /admins/moi/preuve', token, { password: ADMIN.password });
    return expectDone(what, await site.call(what, { token, body }));
  };
  const file = (lines: string[]) => form({ file: [Buffer.from(lines.join('\n')), 'liste.csv'] });
  const name = `Comète ${stays}`;
  const dated = `${name};${DATES.date_debut};${DATES.date_fin}`;
  await work(2, 'POST /uploadSejour', file(['nom_stage;date_debut;date_fin', dated]));
  const families = Array.from({ length: 60 }, (_, n) => `Roy ${n};Lou;comete${n}@exemple.org;oui;${dated}`);
  const header = 'nom;prenom;email;consentement_image;nom_stage;date_debut;date_fin';
  await work(2, 'POST /upload', file([header, ...families]));
  const { id } = (await work(0, 'GET /stages-suivi')).find(
    (one: { nom_stage: string }) => one.nom_stage === name,
  );
  const codes = { type: 'stagiaire', stageIds: [id], objet: 'Vos codes', texte: '' };
  await work(2, 'POST /stages/envoi-mots-de-passe/apercu', codes);
  await work(1, 'POST /stages/envoi-mots-de-passe', codes);
  await work(1, `GET /stages/${id}/etiquettes`);
  // Later, a family telephones, then another one.
  const [child, gone] = await work(90, `GET /get-stagiaires/${id}`);
  await work(1, 'GET /recherche?q=Roy');
  const corrected = { nom: child.nom, prenom: child.prenom, mailRL: `juste${stays}@exemple.org` };
  await work(1, `PUT /update/${child.id}`, corrected);
  await work(1, 'POST /stages/envoi-mots-de-passe', { ...codes, seulement: 'non_recus' });
  await work(90, `DELETE /stagiaire/delete/${gone.id}`);
  await work(30, `GET /get-stagiaires/${id}`);
  expect(asked).toBe(1);
});

test('what a request leaves to do is the site’s work, and spends nothing of whoever asked', async () => {
  const filled = await openSite({ isFilled: true });
  try {
    const token = await filled.tokenOf('admin');
    filled.advance(11 * MINUTE);
    expect((await filled.call('DELETE /exemple', { token })).status).toBe(200);
    await filled.jobs.idle();
    const { db } = filled.services.database;
    expect(await db.selectFrom('stages').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('rafales').select('genre').where('genre', '=', 'sejours').execute()).toEqual(
      [],
    );
  } finally {
    await filled.close();
  }
});

describe('What gathers asks for the rights of what it gathers', () => {
  let names = 0;
  async function tokenWith(rights: readonly Right[]): Promise<string> {
    const { database } = site.services;
    const hash = await hashPassword('lanterne-poivron-43');
    return database.write(async (transaction) => {
      const admin = await insertAdmin(transaction, `Droits ${++names}`, hash, site.now(), { rights });
      const until = new Date(site.now().getTime() + DAY);
      return openSession(transaction, { role: 'admin', adminId: admin.id }, site.now(), until);
    });
  }

  test('the whole site and what is known of a person are given to whoever has every right', async () => {
    const body = { email: 'famille@exemple.org' };
    for (const right of ALL_RIGHTS) {
      const token = await tokenWith(ALL_RIGHTS.filter((one) => one !== right));
      const refused = await site.call('POST /export', { token });
      expect([refused.status, refused.json.message]).toEqual([
        403,
        'Cela demande tous les droits, et votre compte n’en a qu’une partie.',
      ]);
      expect((await site.call('POST /rgpd', { token, body })).status).toBe(403);
    }
    const whole = await tokenWith(ALL_RIGHTS);
    expect((await site.call('POST /export', { token: whole })).status).toBe(200);
    expect((await site.call('POST /rgpd', { token: whole, body })).status).toBe(200);
  });

  test('the journal names nobody to whom their list is closed', async () => {
    const child = { nom: 'Roy', prenom: 'Célestine', mailRL: 'c@exemple.org', stageId: stay };
    await done('POST /add-stagiaire', stale, child);
    const read = async (rights: readonly Right[]) =>
      JSON.stringify(await done('GET /journal?noms=oui', await tokenWith(rights)));
    expect(await read(['reglages'])).not.toContain('Célestine');
    expect(await read(['reglages', 'sejours'])).toContain('Célestine');
  });
});
