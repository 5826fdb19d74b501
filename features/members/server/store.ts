import type { Selectable } from 'kysely';
import { illustrationsOf } from '#features/content/server/files.ts';
import { hasWords, holds } from '#platform/server/db/conditions.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { byName } from '#platform/server/names.ts';
import { type SearchRow, searchablePhone } from '#platform/server/search.ts';
import type { ChartNode } from '../calls.ts';

/* The rows of the employees. */

export type EmployeeRow = Selectable<Tables['employes']>;
export type EmployeeValues = Omit<
  EmployeeRow,
  'id' | 'equipe' | 'created_at' | 'modifie_le' | 'supprime_le' | 'version'
>;
type Change = Partial<EmployeeValues & Pick<EmployeeRow, 'equipe' | 'supprime_le'>>;

export function listPresent(db: Access): Promise<EmployeeRow[]> {
  return db.selectFrom('employes').selectAll().where('supprime_le', 'is', null).execute();
}

/**
 * All employees, the bin included, locked until the end of the transaction. Every change of the chart begins with it:
 * which manager a person may have depends on all the others.
 */
export async function listEmployeesToChange(database: Database, transaction: Access): Promise<EmployeeRow[]> {
  await transaction.selectFrom('employes').select('id').orderBy('id').modifyEnd(database.rowLock).execute();
  // A second query: rows inserted while the first one waited for the lock are not among its rows.
  return transaction.selectFrom('employes').selectAll().orderBy('id').execute();
}

/** One employee, with the whole chart locked as by `listEmployeesToChange`. */
export async function findEmployeeToChange(
  database: Database,
  transaction: Access,
  id: number,
): Promise<EmployeeRow | undefined> {
  return (await listEmployeesToChange(database, transaction)).find((one) => one.id === id);
}

/** The ids of a person's direct team, the bin included. */
export async function listTeam(db: Access, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('employes')
    .select('id')
    .where('manager_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export function findEmployee(db: Access, id: number): Promise<EmployeeRow | undefined> {
  return db.selectFrom('employes').selectAll().where('id', '=', id).executeTakeFirst();
}

export function listAddresses(db: Access): Promise<Pick<EmployeeRow, 'email'>[]> {
  return db.selectFrom('employes').select('email').execute();
}

/** The employees whose e-mail address has this key, the bin included. */
export function listByAddress(db: Access, key: string): Promise<EmployeeRow[]> {
  return db.selectFrom('employes').selectAll().where(holds('email', key)).orderBy('id').execute();
}

export function insertEmployee(db: Access, values: EmployeeValues, now: Date): Promise<EmployeeRow> {
  const at = now.toISOString();
  return db
    .insertInto('employes')
    .values({ ...values, created_at: at, modifie_le: at, version: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes a row and raises its version, so that a form drawn from the old one is recognised as stale. */
export function updateEmployee(db: Access, id: number, values: Change, now: Date): Promise<EmployeeRow> {
  return db
    .updateTable('employes')
    .set({ ...values, modifie_le: now.toISOString() })
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function itemOf(row: EmployeeRow) {
  const { supprime_le: _deleted, modifie_le: _changed, equipe: _team, plie: _folded, ...item } = row;
  return { ...item, illustrations: illustrationsOf(row) };
}

/* The hierarchy. */

export const MAX_LEVELS = 20;

type Placed = Pick<EmployeeRow, 'id' | 'manager_id'>;

function byRank(a: EmployeeRow, b: EmployeeRow): number {
  return Number(b.role === 'Responsable') - Number(a.role === 'Responsable') || byName(a, b);
}

/** The chart as visitors see it; `rows` are the employees who are not in the bin. */
export function chartOf(rows: readonly EmployeeRow[]): ChartNode[] {
  const teams = Map.groupBy([...rows].sort(byRank), (row) => row.manager_id);
  const team = (id: number | null): ChartNode[] =>
    (teams.get(id) ?? []).map((row) => ({
      id: row.id,
      nom: row.nom,
      prenom: row.prenom,
      poste: row.poste,
      role: row.role,
      email: row.email_public ? row.email || null : null,
      telephone: row.telephone_public ? row.telephone || null : null,
      photo: row.photo_public ? row.photo : null,
      illustrations: row.photo_public ? illustrationsOf(row) : [],
      cadrage_x: row.cadrage_x,
      cadrage_y: row.cadrage_y,
      children: team(row.id),
    }));
  return team(null);
}

/** The managers above a person, nearest first. */
export function above<P extends Placed>(people: ReadonlyMap<number | null, P>, person: Placed): P[] {
  const found: P[] = [];
  let next = people.get(person.manager_id);
  // Bounded, so that a cycle, which only another program could have written, ends too.
  while (next && found.length < MAX_LEVELS) {
    found.push(next);
    next = people.get(next.manager_id);
  }
  return found;
}

export function isTooDeep(people: readonly Placed[]): boolean {
  const byId = new Map<number | null, Placed>(people.map((one) => [one.id, one]));
  return people.some((person) => above(byId, person).length >= MAX_LEVELS);
}

/** The people of the chart with each of the words in their names or their post, for the search of the site. */
export function listMatching(
  db: Access,
  words: readonly string[],
): Promise<Pick<EmployeeRow, 'id' | 'prenom' | 'nom' | 'poste' | 'plie'>[]> {
  return db
    .selectFrom('employes')
    .select(['id', 'prenom', 'nom', 'poste', 'plie'])
    .where('supprime_le', 'is', null)
    .where(hasWords(words))
    .execute();
}

/** Every employee, the bin included, for the search of the portal. */
export async function listForSearch(db: Access): Promise<SearchRow[]> {
  const rows = await db
    .selectFrom('employes')
    .select(['id', 'prenom', 'nom', 'poste', 'email', 'telephone', 'created_at', 'supprime_le'])
    .execute();
  return rows.map(({ id, prenom, nom, poste, email, telephone, created_at, supprime_le }) => ({
    id,
    titre: `${prenom} ${nom}`,
    detail: poste,
    also: `${email} ${searchablePhone(telephone)}`,
    date_publication: created_at,
    dans_la_corbeille: supprime_le !== null,
  }));
}
