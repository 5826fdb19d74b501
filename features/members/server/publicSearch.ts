import { employees } from '#features/content/shared/kinds.ts';
import type { FoundThings } from '#features/site/calls.ts';
import type { Access } from '#platform/server/db/open.ts';
import { byName } from '#platform/server/names.ts';
import { bestTitles } from '#platform/server/search.ts';
import { listMatching } from './store.ts';

/** What visitors find of the org chart: people by their names and posts, as in the search of the chart itself. */
export async function findPeople(db: Access, words: readonly string[]): Promise<FoundThings> {
  const people = await listMatching(db, words);
  return {
    nombre: people.length,
    resultats: bestTitles(people.sort(byName), words).map(({ id, prenom, nom, poste }) => ({
      id,
      adresse: `${employees.byId.seenAt}${id}`,
      titre: `${prenom} ${nom}`,
      extrait: poste,
      date: null,
    })),
  };
}
