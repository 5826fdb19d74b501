import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journal } from '#features/audit/server/journal.ts';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/** The clocks of the site show 11:00 on 20 June 2026. */
let site: TestSite;
let token: string;
let stageId: number;
beforeAll(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
  const stay = { nom_stage: 'Mer', date_debut: '2026-07-06', date_fin: '2026-07-20' };
  stageId = (await done('POST /stages', stay)).id;
});
afterAll(() => site?.close());

async function done(what: string, body?: unknown) {
  const answer = await site.call(what, { token, body });
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(300);
  return answer.json;
}
const read = async (query = '') => done(`GET /journal?limite=200&${query}`);
const names = async (query = '') =>
  (await read(`noms=oui&${query}`)).entrees.map(({ nom }: { nom: string }) => nom);

/** Writes lines by somebody about something. */
const write = (username: string, ...abouts: ({ table: string; id?: number } | undefined)[]) =>
  site.services.database.write(async (transaction) => {
    for (const about of abouts) await journal(transaction, { username }, site.now(), 'essai', about);
  });

describe('What a line is about', () => {
  test('has the words of today, and a number once it is erased; nothing of it is in the journal', async () => {
    const child = { nom: 'Martin', prenom: 'Léa', mailRL: 'martin@exemple.org', stageId };
    const { id } = await done('POST /add-stagiaire', child);
    const about = { table: 'stagiaires', id };
    await write('Bob', about, { table: 'stages', id: stageId }, { table: 'stagiaires' }, undefined);
    const mine = () => names('qui=Bob');
    const stay = 'Séjour\u202f: Mer, du\u00a06 au\u00a020 juillet 2026';
    expect(await mine()).toEqual([null, 'Enfant', stay, 'Enfant\u202f: Léa Martin']);
    await site.services.database.write((db) => db.updateTable('stagiaires').set({ prenom: 'Léo' }).execute());
    expect((await mine()).at(-1)).toBe('Enfant\u202f: Léo Martin');
    const rows = await site.services.database.db.selectFrom('journal').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/Martin|Léa|Léo/);
    await done('POST /rgpd/effacer', { email: child.mailRL, confirmation: addressKey(child.mailRL) });
    expect((await mine()).at(-1)).toBe(`Enfant n°\u00a0${id} (effacé)`);
  });

  test('is named for every table that has a row or had one', async () => {
    const { db } = site.services.database;
    const list = `nom;prenom;email;email_2;stageId\nPetit;Jo;petit@exemple.org;;${stageId}\n`;
    await done('POST /upload', form({ file: [Buffer.from(list), 'liste.csv'] }));
    await site.jobs.idle();
    const staff = { nom: 'Petit', prenom: 'Jo', poste: 'Aide', email: 'jo@exemple.org' };
    const { id: person } = await done('POST /create-employes', form(staff));
    const { id } = await db.selectFrom('imports').select('id').executeTakeFirstOrThrow();
    const tables = [
      ...['admins', 'envois', 'envois_messages', 'formateurs', 'livrets', 'messages_contact', 'photos'],
      ...['stages', 'stagiaires', 'imports', ...ITEM_KINDS.map(({ table }) => table)],
    ];
    await write('Zoé', ...tables.map((table) => ({ table, id: 999_999 })));
    for (const name of await names(`qui=${encodeURIComponent('Zoé')}`)) {
      expect(name).toMatch(/^[A-ZÀÉ][^_]+ n°\u00a0999999 \(effacée?\)$/);
    }
    await write(
      'Yves',
      { table: 'imports', id },
      { table: 'employes', id: person },
      { table: 'autre', id: 3 },
    );
    expect(await names('qui=Yves')).toEqual([
      'autre n°\u00a03',
      'Employé\u202f: Jo Petit',
      'Import de familles du 20/06/2026',
    ]);
  });
});

describe('The journal', () => {
  test('is read by who, by what and by days, page after page', async () => {
    await write('Nina', ...Array.from({ length: 9 }, (_, index) => ({ table: 'livrets', id: index })));
    await write('Nina', undefined, { table: 'stages', id: stageId });
    expect((await read('qui=Nina')).entrees).toHaveLength(11);
    expect((await read('qui=Nina&quoi=livrets')).entrees).toHaveLength(9);
    expect((await read('qui=Nina&quoi=aucun')).entrees).toHaveLength(1);
    expect((await read('qui=Nin')).entrees).toEqual([]);
    expect((await read('qui=Nina&du=2026-06-20&au=2026-06-20')).entrees).toHaveLength(11);
    expect((await read('qui=Nina&du=2026-06-21')).entrees).toEqual([]);
    expect((await read('qui=Nina&au=2026-06-19')).entrees).toEqual([]);
    expect((await read('qui=&quoi=&du=&au=')).entrees.length).toBeGreaterThan(11);
    const ids: number[] = [];
    for (let next = ''; ; ) {
      const page = await done(`GET /journal?qui=Nina&quoi=livrets&limite=4${next}`);
      ids.push(...page.entrees.map(({ objet_id }: { objet_id: number }) => objet_id));
      if (page.suite === null) break;
      next = `&avant=${page.suite}`;
    }
    expect(ids).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (const query of ['du=2026-02-30', 'au=demain']) {
      expect((await site.call(`GET /journal?${query}`, { token })).status).toBe(422);
    }
  });

  test('has days that begin at midnight where the site is', async () => {
    // 00:30 on 21 June in Paris.
    site.advance(Date.parse('2026-06-20T22:30:00Z') - site.now().getTime());
    token = await site.tokenOf('admin');
    await write('Nuit', undefined);
    expect((await read('qui=Nuit&du=2026-06-21')).entrees).toHaveLength(1);
    expect((await read('qui=Nuit&au=2026-06-20')).entrees).toEqual([]);
  });

  test('offers those who are in it, and what it is about', async () => {
    const { acteurs, objets } = await done('GET /journal/choix');
    expect(acteurs).toEqual(expect.arrayContaining(['Alice', 'Bob', 'Nina']));
    expect(new Set(acteurs).size).toBe(acteurs.length);
    expect(objets).toContainEqual({ objet: 'stagiaires', nom: 'Enfant' });
    expect(objets).toContainEqual({ objet: 'autre', nom: 'autre' });
  });
});
