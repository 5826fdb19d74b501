import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

const site: TestSite = await openSite();
const { database } = site.services;
let token: string;
beforeEach(async () => {
  await database.write(async (db) => {
    for (const table of [
      'imports',
      'imports_titres',
      'retraits',
      'formateurs',
      'stages',
      'journal',
      'sessions',
    ] as const)
      await db.deleteFrom(table).execute();
  });
  token = await site.tokenOf('admin');
  await send('/uploadSejour', 'stage;du;au\nMer;06/07/2026;20/07/2026\nNeige;01/02/2027;08/02/2027\n');
});
afterAll(() => site?.close());

function send(path: string, file: string, more: Record<string, string> = {}) {
  const body = form({ file: [Buffer.from(file), 'liste.csv'], ...more });
  return site.call(`POST ${path}`, { token, body });
}

const HEADER = 'Nom;Prénom;E-mail;Téléphone;Type;Séjour;Début;Fin';
const MER = 'Mer;06/07/2026;20/07/2026';
const NEIGE = 'Neige;01/02/2027;08/02/2027';
const file = (...lines: string[]) => [HEADER, ...lines].join('\n');
const read = (...lines: string[]) => send('/uploadDirecteurs', file(...lines));
const preview = (...lines: string[]) => send('/uploadDirecteurs/apercu', file(...lines));
const counts = ({ creer, modifier, inchangees }: Record<string, number>) => [creer, modifier, inchangees];

interface Told {
  id: number;
  nom: string;
  prenom: string;
  mail: string;
  telephone: string;
  sejours: { nom_stage: string; cat: string; stageId: number }[];
}
const listed = async (): Promise<Told[]> => (await site.call('GET /formateurs', { token })).json;
/** Directors, and what each directs. */
const told = async () =>
  (await listed()).map(({ nom, telephone, sejours }) =>
    [nom, telephone, ...sejours.map(({ nom_stage, cat }) => `${nom_stage} ${cat}`).sort()].join(', '),
  );
const last = async () => (await site.call('GET /imports/dernier?genre=directeurs', { token })).json.dernier;
const undo = (id: number) => site.call(`POST /imports/${id}/annuler`, { token });

const ROUX = 'Roux;Jo;jo@example.org;06 11';
const ROY = 'Roy;Max;max@example.org;06 22';

describe('A file of directors', () => {
  test('makes them, names them to their stays, and mails nobody', async () => {
    const lines = [`${ROUX};;${MER}`, `${ROUX};Centre;${NEIGE}`, `${ROY};;;;`];
    expect(counts((await preview(...lines)).json)).toEqual([2, 1, 0]);
    expect(await listed()).toEqual([]);
    expect(counts((await read(...lines)).json)).toEqual([2, 1, 0]);
    expect(await told()).toEqual(['Roux, 06 11, Mer sejour, Neige centre', 'Roy, 06 22']);
    expect(await database.db.selectFrom('envois').select('id').execute()).toEqual([]);
    const [action] = await database.db.selectFrom('journal').select('action').orderBy('id', 'desc').execute();
    expect(action?.action).toBe('import de directeurs (créations\u202f: 2, modifications\u202f: 1)');
    expect(counts((await read(...lines)).json)).toEqual([0, 0, 3]);
  });

  test('changes those it knows by their address, and leaves what its blank cells do not say', async () => {
    await read(`${ROUX};Centre;${MER}`, `${ROY};;;;`);
    const changed = `Roux;Joe;JO@example.org;06 99;;${MER}`;
    expect(counts((await read(changed, `${ROY};Séjour;${NEIGE}`)).json)).toEqual([0, 2, 0]);
    expect(await told()).toEqual(['Roux, 06 99, Mer centre', 'Roy, 06 22, Neige sejour']);
    expect((await listed())[0]).toMatchObject({ prenom: 'Joe', mail: 'jo@example.org' });
  });

  test('needs no column of stays, and of a stay no more than tells it from others', async () => {
    const plain = 'nom;prenom;mail;tel\nRoux;Jo;jo@example.org;06\n';
    expect(counts((await send('/uploadDirecteurs', plain)).json)).toEqual([1, 0, 0]);
    const half = 'nom;prenom;mail;tel;stage\nRoux;Jo;jo@example.org;06;Neige\n';
    expect(counts((await send('/uploadDirecteurs', half)).json)).toEqual([0, 1, 0]);
    const number = (await database.db.selectFrom('stages').select('id').orderBy('id').execute())[0]?.id;
    const byNumber = `nom;prenom;mail;tel;stageId\nRoux;Jo;jo@example.org;06;${number}\n`;
    expect(counts((await send('/uploadDirecteurs', byNumber)).json)).toEqual([0, 1, 0]);
    expect(await told()).toEqual(['Roux, 06, Mer sejour, Neige sejour']);
  });

  test('is refused with its faulty lines, and a repeated one is left out', async () => {
    const { status, json } = await read(
      `${ROUX};;${MER}`,
      `${ROUX};;${MER}`,
      `${ROUX};Centre;${MER}`,
      `Roux;Jo;jo@example.org;07;;${NEIGE}`,
      'Roy;Max;max@;;chef;Inconnu;01/01/2027;02/01/2027',
    );
    expect([status, json.lignes]).toEqual([
      422,
      [
        { ligne: 4, colonne: '', raison: 'la ligne 2 dit déjà la même chose.' },
        {
          ligne: 5,
          colonne: 'email',
          raison: 'plus haut, cette adresse a un autre nom, un autre prénom ou un autre téléphone.',
        },
        { ligne: 6, colonne: 'email', raison: 'cette adresse e-mail n’est pas valable.' },
        { ligne: 6, colonne: 'telephone', raison: 'ce champ est obligatoire.' },
        { ligne: 6, colonne: 'cat', raison: 'Centre ou Séjour est attendu.' },
        { ligne: 6, colonne: 'nom_stage', raison: 'ce séjour n’existe pas.' },
      ],
    ]);
    expect(await listed()).toEqual([]);
  });
});

describe('An import of directors', () => {
  test('is undone as a whole, once', async () => {
    await read(`${ROUX};Centre;${MER}`);
    await read(`Roux;Joe;jo@example.org;06 99;Séjour;${MER}`, `${ROY};;${MER}`, `${ROY};;${NEIGE}`);
    expect(await told()).toEqual(['Roux, 06 99, Mer sejour', 'Roy, 06 22, Mer sejour, Neige sejour']);
    const { id, crees, modifies, obstacle } = await last();
    expect([crees, modifies, obstacle]).toEqual([1, 2, null]);
    expect((await undo(id)).json).toEqual({ message: 'Import annulé' });
    expect(await told()).toEqual(['Roux, 06 11, Mer centre']);
    expect((await undo(id)).status).toBe(404);
  });

  test.each([
    [
      'changed',
      ({ id, sejours: _, ...person }: Told) =>
        site.call(`PUT /formateurs/update/${id}`, { token, body: { ...person, telephone: '07' } }),
    ],
    [
      'named to another stay',
      ({ id, sejours, ...person }: Told) =>
        site.call(`PUT /formateurs/${id}`, {
          token,
          body: { ...person, cat: 'centre', stageIds: sejours.map(({ stageId }) => stageId) },
        }),
    ],
    ['deleted', ({ id }: Told) => site.call(`DELETE /formateurs/delete/${id}`, { token })],
    [
      'left without their stay',
      ({ sejours }: Told) => site.call(`DELETE /stages/${sejours[0]?.stageId}`, { token }),
    ],
  ])('is not undone once a director was %s since', async (_, change) => {
    await read(`${ROUX};;${MER}`);
    const [roux] = await listed();
    expect((await change(roux as Told)).status).toBe(200);
    const left = await listed();
    const { id, obstacle } = await last();
    const answer = await undo(id);
    expect([answer.status, answer.json.message]).toEqual([409, obstacle]);
    expect(await listed()).toEqual(left);
  });

  /** Read piece by piece, of which there are many. */
  const long = file(
    `Roux;Joe;jo@example.org;06 99;;${MER}`,
    ...Array.from({ length: 3_000 }, (_, index) => `N${index};A;n${index}@example.org;06;;;;`),
  ).replaceAll('\n', `;${'x'.repeat(4_000)}\n`);

  test.each([
    [
      'a director it changes is changed',
      ({ id, sejours: _, ...person }: Told) =>
        site.call(`PUT /formateurs/update/${id}`, { token, body: { ...person, telephone: '07' } }),
    ],
    [
      'a director it makes is made by hand',
      ({ sejours: [stay] }: Told) => {
        const person = { nom: 'Par', prenom: 'Main', mail: 'n2500@example.org', telephone: '08' };
        return site.call('POST /formateurs/add', {
          token,
          body: { ...person, cat: 'centre', stageId: stay?.stageId },
        });
      },
    ],
    [
      'the stay of one is deleted',
      ({ sejours: [stay] }: Told) => site.call(`DELETE /stages/${stay?.stageId}`, { token }),
    ],
  ])('comes to nothing when %s meanwhile', async (_, change) => {
    await read(`${ROUX};Centre;${MER}`);
    const [roux] = await listed();
    const answer = send('/uploadDirecteurs', long, { suivi: 'un-import-qui-dure' });
    // Once a part is read, the directors are known; the rest is read long after the change.
    while ((await site.call('GET /imports/suivi/un-import-qui-dure', { token })).json.avance === 0);
    expect((await change(roux as Told)).status).toBeLessThan(300);
    const before = await listed();
    const { status, json } = await answer;
    expect([status, json.message]).toEqual([409, expect.stringContaining('rien n’a été importé')]);
    expect(await listed()).toEqual(before);
  });

  test('keeps what it changed among the personal data of an address, until it is erased', async () => {
    await read(`${ROUX};;${MER}`);
    await read('Roux;Joe;jo@example.org;06 99;;;;');
    const found = await site.call('GET /rgpd/export?email=jo@example.org', { token });
    expect(found.text).toMatch(/"avant_prenom":\s*"Jo"/);
    const body = { email: 'jo@example.org', confirmation: 'jo@example.org' };
    expect((await site.call('POST /rgpd/effacer', { token, body })).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect(await database.db.selectFrom('imports_directeurs').select('id').execute()).toEqual([]);
  });
});
