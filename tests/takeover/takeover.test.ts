import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTakeover, problemsOf, remarksOf, type Takeover } from '#tests/support/takeover.ts';

/* The takeover of the original site, from a stand-in of it, as it is written into the database. */

let { site, original, staff, takeOver, read } = {} as Takeover;
let close: Takeover['close'] | undefined;
beforeEach(async () => {
  ({ site, original, staff, takeOver, read, close } = await openTakeover());
});
afterEach(() => close?.());

describe('What the original site has', () => {
  test('comes whole, in the shapes of this one, with its dates', async () => {
    const { plan, outcome } = await takeOver();
    expect(outcome.left).toEqual([]);
    expect(plan.left.join()).toContain('Un séjour est fini depuis plus de');

    expect(await read('/actualites?tout=1')).toMatchObject([
      {
        ...{ titre: 'Chèques vacances', description: 'Demandes\navant mai.', brouillon: 0 },
        ...{ created_at: '2025-03-04T09:30:00.000Z', date_publication: '2025-03-04T09:30:00.000Z' },
      },
    ]);
    expect(await read('/alaune?tout=1')).toMatchObject([
      {
        ...{ titre: 'Noël', lien_article: 'https://exemple.fr/noel', created_at: '2024-11-20T07:00:00.000Z' },
        date_publication: '2024-11-30T23:00:00.000Z',
      },
    ]);
    const [benefit] = await read('/avantage?tout=1');
    expect(await read(`/avantage/${benefit.id}`)).toMatchObject({
      ...{ titre: 'Cinéma', resume: 'Places à 5 €', description: 'Au comptoir.', image_url: null },
    });
    const [event] = await read('/events?tout=1');
    expect(event).toMatchObject({ date: '2026-07-04T18:30:00.000Z', location: 'Nantes', summary: 'Un soir' });
    expect(event.images.split(';')).toHaveLength(2);
    expect(await read('/logos?tout=1')).toMatchObject([
      { nom: 'Banque', url_site: 'https://www.banque.example' },
    ]);
    expect(await read('/documents')).toMatchObject([{ nom: 'CSE de mai', date_ajout: '2026-05-12' }]);
    expect((await read('/documents/recherche?q=budget')).nombre).toBe(1);

    const people = await read('/employes');
    const idOf = (nom: string) => people.find((one: { nom: string }) => one.nom === nom)?.id;
    expect(people).toMatchObject([
      { nom: 'Bas', manager_id: idOf('Petit'), telephone: '01 02 03 04 05' },
      { nom: 'Petit', manager_id: idOf('Roy'), role: 'Employé' },
      { nom: 'Roy', manager_id: null, role: 'Responsable' },
    ]);

    const [sea, old] = await read('/stages-suivi');
    expect(sea).toMatchObject({
      nom_stage: 'Mer à Pornic',
      date_debut: '2026-07-06',
      date_fin: '2026-07-19',
    });
    expect([sea.familles, sea.directeurs, old.familles, old.directeurs]).toEqual([2, 1, 0, 1]);
    expect(await read(`/get-stagiaires/${sea.id}`)).toMatchObject([
      { nom: 'Durand', prenom: 'Tom', email: 'durand@exemple.fr', consentement_image: 'inconnu' },
      { nom: 'Martin', prenom: 'Léa', email: 'famille.martin@exemple.fr' },
    ]);
    const [director] = await read('/formateurs');
    expect(director).toMatchObject({ nom: 'Blanc', mail: 'ines@exemple.fr', telephone: '06 00 00 00 01' });
    expect(
      director.sejours.map(({ stageId, cat }: { stageId: number; cat: string }) => [stageId, cat]),
    ).toEqual([
      [sea.id, 'centre'],
      [old.id, 'sejour'],
    ]);
    expect(await read('/livrets')).toEqual(['Livret des familles.pdf']);
    expect(
      (await site.ask('GET /api/doc_stage_formateur/Livret%20des%20familles.pdf', { token: staff })).status,
    ).toBe(200);
  });

  test('comes once, however often it is taken over; what is new there comes alone', async () => {
    await takeOver();
    const before = await read('/employes');
    original.asked.length = 0;
    const again = await takeOver();
    expect([again.plan.coming, again.outcome.taken]).toEqual([[], []]);
    expect(original.asked).not.toContain('/api/api/actualites/3');
    expect(original.asked.filter((path) => path.startsWith('/api/images'))).toEqual([]);

    original.calls.set('/employes', [
      ...(original.calls.get('/employes') as object[]),
      { id: 12, nom: 'Neuf', prenom: 'Max', email: 'max@exemple.fr', poste: 'Stagiaire', manager_id: 11 },
    ]);
    expect((await takeOver()).outcome.taken.map(({ texts }) => texts.nom)).toEqual(['Neuf']);
    const [bas] = before;
    expect((await read('/employes')).find((one: { nom: string }) => one.nom === 'Neuf').manager_id).toBe(
      bas.id,
    );
  });

  test('comes once from two commands at the same time', async () => {
    const outcomes = (await Promise.all([takeOver(), takeOver()])).map(({ outcome }) => outcome);
    expect((await read('/actualites?tout=1')).length).toBe(1);
    expect((await read('/employes')).length).toBe(3);
    expect((await read('/stages')).length).toBe(2);
    expect((await read('/formateurs')).length).toBe(1);
    const taken = outcomes.flatMap((outcome) =>
      outcome.taken.map(({ genre, numero }) => `${genre}/${numero}`),
    );
    expect(taken.length).toBe(new Set(taken).size);
  });

  test('keeps the numbers of contents and stays where it is asked to, and only where they are free', async () => {
    const { outcome } = await takeOver(true);
    expect((await read('/actualites?tout=1'))[0].id).toBe(3);
    expect((await read('/events/20'))[0].title).toBe('Fête d’été');
    expect((await read('/avantage/12')).titre).toBe('Cinéma');
    expect((await read('/stages')).map(({ id }: { id: number }) => id)).toEqual([31, 30]);
    expect(remarksOf(outcome.taken).join()).not.toContain('numéro');

    // Ids go on after them, and one that was given is not given again.
    const made = await site.call('POST /actualites', { token: staff, body: news() });
    expect([made.status, made.json.id]).toEqual([201, 4]);
    original.calls.set('/actualites', [{ id: 4 }, { id: 9 }]);
    for (const id of [4, 9])
      original.calls.set(`/actualites/${id}`, [{ id, titre: `Numéro ${id}`, description: 'Texte.' }]);
    const { outcome: next } = await takeOver(true);
    expect(remarksOf(next.taken)).toEqual([expect.stringContaining('sous le numéro 5')]);
    const ids = (await read('/actualites?tout=1')).map(({ id, titre }: { id: number; titre: string }) => [
      id,
      titre,
    ]);
    expect(ids).toContainEqual([5, 'Numéro 4']);
    expect(ids).toContainEqual([9, 'Numéro 9']);
  });

  test('joins what staff have entered here already', async () => {
    const stay = { nom_stage: 'mer à pornic', date_debut: '2026-07-06', date_fin: '2026-07-19' };
    const { json } = await site.call('POST /stages', { token: staff, body: stay });
    const child = { nom: 'Martin', prenom: 'Léa', mailRL: 'neuve@exemple.fr', stageId: json.id };
    expect((await site.call('POST /add-stagiaire', { token: staff, body: child })).status).toBe(201);
    const { outcome } = await takeOver();
    expect(problemsOf(outcome.left)).toEqual([
      'séjour 31 « Mer à Pornic » : déjà là',
      'enfant 101 du séjour 31 : Un enfant de ce nom est déjà inscrit à ce séjour, à une autre adresse.',
    ]);
    expect((await read('/stages')).length).toBe(2);
    expect((await read(`/get-stagiaires/${json.id}`)).map(({ email }: { email: string }) => email)).toEqual([
      'durand@exemple.fr',
      'neuve@exemple.fr',
    ]);
  });
});

/** A form of a news item. */
function news(): FormData {
  const data = new FormData();
  data.set('titre', 'D’ici');
  data.set('description', 'Texte.');
  return data;
}
