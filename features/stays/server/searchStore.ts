import { sql } from 'kysely';
import type { Access } from '#platform/server/db/database.ts';
import { type SearchRow, type SearchSource, searchablePhone } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { rangeOf, shortDay } from '#platform/shared/dates.ts';
import { CHILD_GENRE, DIRECTOR_GENRE, NO_ADDRESS, STAY_GENRE } from '../shared/terms.ts';
import { listDirectors } from './directorsStore.ts';
import type { Stay } from './staysStore.ts';

/* Stays, children with their families, and directors, for the search of the portal. */

export const staySources = ({ database: { db } }: Services): SearchSource[] => [
  { genre: STAY_GENRE, rights: ['sejours', 'photos'], list: () => listStays(db) },
  {
    genre: CHILD_GENRE,
    rights: ['sejours'],
    people: 'stagiaires',
    list: (words) => listChildrenWith(db, words),
  },
  { genre: DIRECTOR_GENRE, rights: ['sejours'], people: 'formateurs', list: () => listPeople(db) },
];

/** « Colo Mer, du 4 au 18 juillet 2026 »: names return each summer. */
const named = ({ nom_stage, date_debut, date_fin }: Pick<Stay, 'nom_stage' | 'date_debut' | 'date_fin'>) =>
  `${nom_stage}, ${rangeOf(date_debut, date_fin, 'fr')}`;

async function listStays(db: Access): Promise<SearchRow[]> {
  const rows = await db.selectFrom('stages').select(['id', 'nom_stage', 'date_debut', 'date_fin']).execute();
  return rows.map(({ id, nom_stage, date_debut, date_fin }) => ({
    id,
    titre: nom_stage,
    numero: id,
    detail: rangeOf(date_debut, date_fin, 'fr'),
    // As in files and on envelopes, and as people call one.
    also: `séjour numéro ${id} ${shortDay(date_debut)}`,
    stageId: id,
    date_publication: date_debut,
  }));
}

/** Children read for a search. A few letters match more, of which the newest stays are then shown. */
const READ = 200;

async function listChildrenWith(db: Access, words: readonly string[]): Promise<SearchRow[]> {
  let query = db
    .selectFrom('stagiaires')
    .innerJoin('stages', 'stages.id', 'stage_id')
    .select(['stagiaires.id', 'stage_id as stageId', 'nom', 'prenom', 'email', 'email_2'])
    .select(['nom_stage', 'date_debut', 'date_fin']);
  // Of a folded word only letters and digits are left, so none of its signs has a meaning in a pattern.
  for (const word of words.map((one) => `%${one}%`))
    query = query.where(
      sql<boolean>`stagiaires.cle like ${word} or lower(email) like ${word} or lower(email_2) like ${word}`,
    );
  const rows = await query
    .orderBy('date_debut', 'desc')
    .orderBy('stagiaires.id', 'desc')
    .limit(READ)
    .execute();
  return rows.map(({ id, stageId, nom, prenom, email, email_2, ...stay }) => ({
    id,
    titre: `${prenom} ${nom}`,
    detail: [named(stay), email || NO_ADDRESS, email_2].filter(Boolean).join(' · '),
    stageId,
    date_publication: stay.date_debut,
  }));
}

async function listPeople(db: Access): Promise<SearchRow[]> {
  const directors = await listDirectors(db);
  return directors.map(({ id, nom, prenom, mail, telephone, sejours }) => {
    const [latest] = sejours;
    return {
      id,
      titre: `${prenom} ${nom}`,
      detail: [latest && named(latest), telephone, mail].filter(Boolean).join(' · '),
      also: searchablePhone(telephone),
      stageId: latest?.stageId,
      date_publication: latest?.date_debut ?? '',
    };
  });
}
