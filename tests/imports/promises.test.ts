import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openStayPassword } from '#features/stays/server/staysStore.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* What features/imports/README.md promises of every import. */

const site: TestSite = await openSite();
const { database, secrets } = site.services;
let token: string;
let mer: number;
beforeEach(async () => {
  await database.write(async (db) => {
    for (const table of [
      ...(['imports', 'imports_reponses', 'retraits', 'formateurs', 'stages', 'journal'] as const),
      'sessions' as const,
    ])
      await db.deleteFrom(table).execute();
  });
  token = await site.tokenOf('admin');
  mer = await addStay('Mer');
});
afterAll(() => site?.close());

type Answer = [question: string, reponse: string, ligne?: number];

const DOORS = { stays: '/uploadSejour', families: '/upload', directors: '/uploadDirecteurs' };

function send(door: keyof typeof DOORS, lines: readonly string[], answers: Answer[] = [], more = {}) {
  const reponses = JSON.stringify(
    answers.map(([question, reponse, ligne]) => ({ question, reponse, ligne })),
  );
  const body = form({ file: [Buffer.from(lines.join('\n')), 'liste.csv'], reponses, ...more });
  return {
    async seen() {
      return (await site.call(`POST ${DOORS[door]}/apercu`, { token, body })).json;
    },
    async done() {
      const { status, json } = await site.call(`POST ${DOORS[door]}`, { token, body });
      return status === 200 ? [json.creer, json.modifier, json.inchangees, json.laissees] : json.lignes;
    },
  };
}

const families = (lines: readonly string[], ...answers: Answer[]) =>
  send('families', ['nom;prenom;email;droit image;séjour', ...lines], answers);

async function addStay(nom_stage: string, date_debut = '2026-07-06', date_fin = '2026-07-20') {
  const body = { nom_stage, date_debut, date_fin };
  return (await site.call('POST /stages', { token, body })).json.id as number;
}
const ask = async (call: string, body?: object) => (await site.call(call, { token, body })).json;
const children = async (stageId = mer) =>
  (await ask(`GET /get-stagiaires/${stageId}`)).map((child: Record<string, string>) =>
    [child.prenom, child.email, child.email_2, child.consentement_image].join(' '),
  );
const questionsOf = ({ questions }: { questions: { question: string; nombre: number; reponse: string }[] }) =>
  questions.map(({ question, nombre, reponse }) => [question, nombre, reponse]);

const LEA = 'Martin;Léa;lea@example.org;non;Mer';

test('a list of families of which no address is known comes in', async () => {
  const lines = ['nom;prenom;séjour', 'Martin;Léa;Mer'];
  expect(await send('families', lines).done()).toEqual([1, 0, 0, 0]);
  expect(await children()).toEqual(['Léa   inconnu']);
});

describe('Nothing is taken back unseen', () => {
  test('a refusal of the right to one’s image stays until its tick', async () => {
    await families([LEA, 'Roux;Max;max@example.org;oui;Mer']).done();
    const older = ['Martin;Léa;lea@example.org;oui;Mer', 'Roux;Max;max@example.org;non;Mer'];
    const seen = await families(older).seen();
    expect(questionsOf(seen)).toEqual([['refus', 1, '']]);
    expect(seen.questions[0].lignes).toEqual([
      { ligne: 2, texte: 'Léa Martin\u202f: Non → Oui', reponse: '' },
    ]);
    expect(seen.changements).toEqual([
      { ligne: 3, qui: 'Max Roux', valeurs: [{ colonne: 'consentement_image', avant: 'oui', apres: 'non' }] },
    ]);
    expect(await families(older).done()).toEqual([0, 1, 1, 0]);
    expect(await children()).toEqual(['Léa lea@example.org  non', 'Max max@example.org  non']);
    expect(await families(older, ['refus', 'oui'], ['refus', 'non', 3]).done()).toEqual([0, 1, 1, 0]);
    expect(await children()).toEqual(['Léa lea@example.org  oui', 'Max max@example.org  non']);
  });

  test.each<[string, string[]]>([
    ['garder', ['Léa lea@example.org  non']],
    ['remplacer', ['Léa neuve@example.org  non']],
    ['seconde', ['Léa lea@example.org neuve@example.org non']],
    ['homonyme', ['Léa lea@example.org  non', 'Léa neuve@example.org  inconnu']],
  ])('an address is changed as it is answered: %s', async (reponse, left) => {
    await families([LEA]).done();
    const other = ['Martin;LEA;neuve@example.org;;Mer'];
    const seen = await families(other).seen();
    expect(questionsOf(seen)).toEqual([['adresses', 1, '']]);
    expect(seen.questions[0].lignes[0].texte).toBe('LEA Martin\u202f: lea@example.org → neuve@example.org');
    expect(await families(other).done()).toEqual([
      {
        ligne: 2,
        colonne: 'email',
        raison:
          'le site connaît cet enfant à une autre adresse (lea@example.org)\u202f: est-ce le même\u202f?',
      },
    ]);
    await families(other, ['adresses', reponse]).done();
    expect((await children()).map((text: string) => text.replace('LEA', 'Léa'))).toEqual(left);
    // The second time there is nothing to ask any more, or the same again.
    const again = await families(other, ['adresses', reponse]).done();
    expect(again).toEqual([0, 0, 1, 0]);
  });

  test('what people removed comes back with a tick alone: children, directors, stays', async () => {
    const lines = [LEA, 'Roux;Max;max@example.org;oui;Mer'];
    await families(lines).done();
    const [lea] = await ask(`GET /get-stagiaires/${mer}`);
    await ask(`DELETE /stagiaire/delete/${lea.id}`);
    expect(questionsOf(await families(lines).seen())).toEqual([['retires', 1, '']]);
    expect(await families(lines).done()).toEqual([0, 0, 1, 1]);
    expect(await families(lines, ['retires', 'oui']).done()).toEqual([1, 0, 1, 0]);
    await ask('DELETE /deletePaxBySejour', { sejour: 'Mer', dateDebut: '2026-07-06', dateFin: '2026-07-20' });
    expect(await families(lines, ['retires', 'oui', 3]).done()).toEqual([1, 0, 0, 1]);

    const jo = ['nom;prenom;email;tel;séjour', 'Roux;Jo;jo@example.org;06 11 22 33 44;Mer'];
    await send('directors', jo).done();
    const [{ id, sejours: _, version: __, ...person }] = await ask('GET /formateurs');
    await ask(`PUT /formateurs/${id}`, { ...person, cat: 'centre', stageIds: [] });
    expect(await send('directors', jo).done()).toEqual([0, 0, 0, 1]);
    await ask(`DELETE /formateurs/delete/${id}`);
    expect(await send('directors', jo).done()).toEqual([0, 0, 0, 1]);
    expect(await send('directors', jo, [['retires', 'oui']]).done()).toEqual([1, 0, 0, 0]);

    const stays = ['séjour;du;au', 'Neige;01/02/2027;08/02/2027'];
    await send('stays', stays).done();
    await ask(
      `DELETE /stages/${(await ask('GET /stages')).find((one: { nom_stage: string }) => one.nom_stage === 'Neige').id}`,
    );
    expect(await send('stays', stays).done()).toEqual([0, 0, 0, 1]);
    expect(await send('stays', stays, [['retires', 'oui']]).done()).toEqual([1, 0, 0, 0]);
    // Nobody reads a name from what is kept of it.
    const kept = JSON.stringify(await database.db.selectFrom('retraits').selectAll().execute());
    expect(kept).not.toMatch(/lea|martin|jo@|neige/i);
  });

  test('a child who was moved to another stay does not come back to the first one', async () => {
    await families([LEA]).done();
    const [lea] = await ask(`GET /get-stagiaires/${mer}`);
    const lac = await addStay('Lac');
    await ask('POST /stagiaires/deplacer', { ids: [lea.id], stageId: lac });
    expect(await families([LEA]).done()).toEqual([0, 0, 0, 1]);
  });

  test('the password of a stay stays until its tick, and other changes are shown before and after', async () => {
    const file = (password: string) => [
      'séjour;du;au;mot de passe famille',
      `MER;06/07/2026;20/07/2026;${password}`,
    ];
    const stay = async () =>
      database.db.selectFrom('stages').selectAll().where('id', '=', mer).executeTakeFirstOrThrow();
    const before = openStayPassword(secrets, await stay(), 'stagiaire').unseen;
    const seen = await send('stays', file('marmotte-rousse-27')).seen();
    expect(questionsOf(seen)).toEqual([['mots-de-passe', 1, '']]);
    expect(seen.changements[0].valeurs).toEqual([{ colonne: 'nom_stage', avant: 'Mer', apres: 'MER' }]);
    await send('stays', file('marmotte-rousse-27')).done();
    expect(openStayPassword(secrets, await stay(), 'stagiaire').unseen).toBe(before);
    await send('stays', file('marmotte-rousse-27'), [['mots-de-passe', 'oui']]).done();
    expect(openStayPassword(secrets, await stay(), 'stagiaire').unseen).toBe('marmotte-rousse-27');

    const jo = (rest: string) => ['nom;prenom;email;tel;type;séjour', `Roux;Jo;jo@example.org;${rest}`];
    await send('directors', jo('06 11 22 33 44;Centre;Mer')).done();
    const { changements } = await send('directors', jo('06 99 88 77 66;Séjour;Mer')).seen();
    expect(changements[0].valeurs).toEqual([
      { colonne: 'telephone', avant: '06 11 22 33 44', apres: '06 99 88 77 66' },
      { colonne: 'cat', avant: 'Centre', apres: 'Séjour, MER' },
    ]);
  });
});

describe('Two people may bear one name, and a child have two addresses or none', () => {
  test('in one file, as it is answered for all lines or for one', async () => {
    const lines = [
      'Martin;Léa;a@example.org;;Mer',
      'Martin;Léa;b@example.org;oui;Mer',
      'Roux;Jo;c@example.org;;Mer',
      'Roux;Jo;d@example.org;;Mer',
    ];
    expect(await families(lines).done()).toMatchObject([
      { ligne: 3, colonne: 'email' },
      { ligne: 5, colonne: 'email' },
    ]);
    expect(await families(lines, ['jumeaux', 'meme'], ['jumeaux', 'homonyme', 5]).done()).toEqual([
      3, 0, 0, 0,
    ]);
    expect(await children()).toEqual([
      'Léa a@example.org b@example.org oui',
      'Jo c@example.org  inconnu',
      'Jo d@example.org  inconnu',
    ]);
    // Each is known by its address from now on.
    expect(await families(lines).done()).toEqual([0, 0, 3, 0]);
    const changed = ['Roux;Jo;d@example.org;non;Mer'];
    expect(await families(changed).done()).toEqual([0, 1, 0, 0]);
    expect(await children()).toContain('Jo d@example.org  non');
    expect(await children()).toContain('Jo c@example.org  inconnu');
    const mute = ['Roux;Jo;;non;Mer'];
    expect(await families(mute).done()).toEqual([
      {
        ligne: 2,
        colonne: 'email',
        raison: 'plusieurs enfants de ce nom sont inscrits à ce séjour\u202f: leur adresse dit lequel c’est.',
      },
    ]);
    const { id } = (await ask('GET /imports/dernier?genre=familles')).dernier;
    await ask(`POST /imports/${id}/annuler`);
    expect(await children()).toContain('Jo d@example.org  inconnu');
  });

  test('with the forms of staff too', async () => {
    const add = (mailRL: string, more = {}) =>
      site.call('POST /add-stagiaire', {
        token,
        body: { nom: 'Martin', prenom: 'Léa', mailRL, stageId: mer, ...more },
      });
    expect((await add('a@example.org')).status).toBe(201);
    expect((await add('A@example.org', { homonyme: true })).status).toBe(409);
    const asked = await add('b@example.org');
    expect([asked.status, Object.keys(asked.json.champs)]).toEqual([409, ['homonyme']]);
    const { id, ...second } = (await add('b@example.org', { homonyme: true })).json;
    const body = { nom: 'Martin', prenom: 'Léa', mailRL: 'c@example.org', version: second.version };
    expect((await site.call(`PUT /update/${id}`, { token, body })).status).toBe(200);
    const lac = await addStay('Lac');
    await add('d@example.org', { stageId: lac });
    expect(
      (await site.call('POST /stagiaires/deplacer', { token, body: { ids: [id], stageId: lac } })).status,
    ).toBe(200);
    expect(await children(lac)).toHaveLength(2);
  });

  test('no address is said wherever addresses are, and two in a cell are two', async () => {
    const lines = [
      'Martin;Léa;;oui;Mer',
      'Roux;Jo;néant;;Mer',
      'Roy;Lou;lou@example.org / papa@example.org;;Mer',
    ];
    expect(await families(lines).done()).toEqual([3, 0, 0, 0]);
    expect(await children()).toEqual([
      'Léa   oui',
      'Jo   inconnu',
      'Lou lou@example.org papa@example.org inconnu',
    ]);
    const codes = { type: 'stagiaire', stageIds: [mer], objet: 'Codes', texte: 'Bonjour' };
    const { nombre, par_sejour } = await ask('POST /stages/envoi-mots-de-passe/apercu', codes);
    expect([nombre, par_sejour[0].sans_email]).toEqual([2, 2]);
    const slips = await ask(`GET /stages/${mer}/etiquettes`);
    expect([slips.familles, slips.sans_email]).toEqual([3, 2]);
    // An address that comes later replaces nothing.
    expect(await families(['Martin;Léa;lea@example.org;;Mer']).done()).toEqual([0, 1, 0, 0]);
    expect(await families(['Martin;Léa;;;Mer']).done()).toEqual([0, 0, 1, 0]);
  });
});

describe('No dead end', () => {
  test('a name is enough where one stay bears it; else the stay is asked for, once', async () => {
    const later = await addStay('Mer', '2027-07-06', '2027-07-20');
    await addStay('Lac');
    const lines = [
      LEA,
      'Roux;Max;max@example.org;;mer',
      'Roy;Lou;lou@example.org;;Lac',
      'Roy;Zoé;zoe@example.org;;Bois',
    ];
    const seen = await families(lines).seen();
    expect(questionsOf(seen)).toEqual([
      ['sejour mer', 2, ''],
      ['sejour bois', 1, ''],
    ]);
    expect(seen.erreurs).toBe(3);
    const answers: Answer[] = [
      ['sejour mer', String(later)],
      ['sejour bois', 'laisser'],
    ];
    expect(await families(lines, ...answers).done()).toEqual([3, 0, 0, 1]);
    expect(await children(later)).toHaveLength(2);
    const dated = ['nom;prenom;email;tel;séjour;du', 'Roux;Jo;jo@example.org;06 11 22 33 44;Mer;06/07/2027'];
    expect(await send('directors', dated).done()).toEqual([1, 0, 0, 0]);
  });

  test('a list of one stay says so once', async () => {
    const lines = ['nom;prenom;email', 'Martin;Léa;lea@example.org', 'Roux;Max;max@example.org'];
    expect(questionsOf(await send('families', lines).seen())).toEqual([['sejour', 2, '']]);
    expect(await send('families', lines, [['sejour', '999']]).done()).toHaveLength(2);
    expect(await send('families', lines, [['sejour', String(mer)]]).done()).toEqual([2, 0, 0, 0]);
  });

  test('a word of consent is asked about once, and remembered', async () => {
    const lines = [
      'Martin;Léa;lea@example.org;Diffusion au club;Mer',
      'Roux;Max;max@example.org;diffusion AU CLUB;Mer',
    ];
    const seen = await families(lines).seen();
    expect(questionsOf(seen)).toEqual([['accord diffusion au club', 2, '']]);
    expect(seen.questions[0].choix.map(({ valeur }: { valeur: string }) => valeur)).toEqual([
      'oui',
      'non',
      'rien',
      'laisser',
    ]);
    expect(await families(lines, ['accord diffusion au club', 'non']).done()).toEqual([2, 0, 0, 0]);
    const again = await families(lines).seen();
    expect(again).toMatchObject({ erreurs: 0, inchangees: 2, questions: [{ reponse: 'non', retenu: true }] });
    expect((await families(lines, ['accord diffusion au club', '']).seen()).erreurs).toBe(2);
  });

  test('lines left aside are a list, which is imported once it is mended; a total is none', async () => {
    const lines = [
      'Martin;Léa;lea@example.org;;Mer',
      'Roux;Max;max@;;Mer',
      'Roy;;roy@example.org;;Mer',
      'TOTAL;3;;;',
      ';3;;;Total',
    ];
    const aside = JSON.stringify([3, 4].map((ligne) => ({ ligne, cellules: [] })));
    const file = ['nom;prenom;email;droit image;séjour', ...lines];
    const seen = await send('families', file, [], { corrections: aside }).seen();
    expect(seen).toMatchObject({ creer: 1, erreurs: 0, laissees: 2, questions: [] });
    const raison = 'c’est un total\u202f: elle est laissée de côté.';
    expect(seen.avertissements).toEqual([5, 6].map((ligne) => ({ ligne, raison })));
    expect(await send('families', file, [], { corrections: aside }).done()).toEqual([1, 0, 0, 2]);
    const { dernier } = await ask('GET /imports/dernier?genre=familles');
    expect(dernier.laissees).toBe(2);
    const headers = { authorization: `Bearer ${token}` };
    const url = `${site.origin}${API_PREFIX}/imports/${dernier.id}/laissees`;
    const sheet = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
    const body = form({ file: [sheet, 'liste.xlsx'] });
    const { json } = await site.call('POST /upload/apercu', { token, body });
    expect(json).toMatchObject({
      erreurs: 2,
      fautes: [
        { raisons: [{ colonne: 'email', raison: 'cette adresse e-mail n’est pas valable.' }] },
        { cellules: ['Roy', '', 'roy@example.org', '', 'Mer'], raisons: [{ colonne: 'prenom' }] },
      ],
      ignorees: ['Pourquoi'],
    });
    await ask('POST /rgpd/effacer', { email: 'roy@example.org', confirmation: 'roy@example.org' });
    expect((await ask('GET /imports/dernier?genre=familles')).dernier.laissees).toBe(1);
  });

  test.each(['{', '{}', '[{"question":"refus"}]'])(
    'answers are refused when they are none: %s',
    async (reponses) => {
      const body = form({ file: [Buffer.from('nom\na'), 'liste.csv'], reponses });
      const { status, json } = await site.call('POST /upload', { token, body });
      expect([status, Object.keys(json.champs)]).toEqual([422, ['reponses']]);
    },
  );
});
