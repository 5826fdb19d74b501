import { journal } from '#features/audit/server/journal.ts';
import type { ItemBody } from '#features/content/calls.ts';
import {
  fileRows,
  type KeptFile,
  keepFiles,
  placeFiles,
  saving,
  savingChange,
} from '#features/content/server/files.ts';
import { type Alongside, type CheckedForm, given, requireCurrent } from '#features/content/server/items.ts';
import { employees, genreOf, titleOf } from '#features/content/shared/kinds.ts';
import type { FoundThings } from '#features/site/calls.ts';
import type { Actor } from '#platform/server/actor.ts';
import { foldedColumn } from '#platform/server/db/conditions.ts';
import type { Access } from '#platform/server/db/database.ts';
import { invalid, notFound } from '#platform/server/errors.ts';
import { registerFiles } from '#platform/server/files/registerStore.ts';
import type { FileOwners } from '#platform/server/http/downloads.ts';
import { type HandlersOf, RawJson } from '#platform/server/http/serve.ts';
import { byName } from '#platform/server/names.ts';
import { bestTitles } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { ofName } from '#platform/shared/elision.ts';
import type { employeeCalls } from '../calls.ts';
import { moveToBin } from './bin.ts';
import {
  above,
  chartOf,
  type EmployeeRow,
  type EmployeeValues,
  findEmployee,
  findEmployeeToChange,
  insertEmployee,
  isTooDeep,
  itemOf,
  listEmployeesToChange,
  listMatching,
  listPresent,
  MAX_LEVELS,
  updateEmployee,
} from './store.ts';

/* The calls of the employees, and their chart. */

const CHART = 'GET /employe/orgchart';
/** Lifetime of the cached chart in ms; writes of this process drop it earlier. */
const CHART_MS = 10_000;

export function employeeHandlers(services: Services): HandlersOf<typeof employeeCalls> {
  const { database, clock, cache } = services;
  const { texts, byId } = employees;
  return {
    [CHART]: async () => {
      const { body, etag } = await cache.get(
        `${API_PREFIX}/employe/orgchart`,
        genreOf(employees),
        async () => ({
          body: Buffer.from(JSON.stringify(chartOf(await listPresent(database.db)))),
          // Bounded, so that contact details that another process was told to hide do not stay visible here.
          until: new Date(clock().getTime() + CHART_MS),
        }),
      );
      return new RawJson(body, etag);
    },
    'GET /employes': async () => (await listPresent(database.db)).sort(byName).map(itemOf),
    'GET /employes/:id': async ({ params }) => {
      const row = await findEmployee(database.db, params.id);
      if (!row || row.supprime_le !== null) throw notFound(texts.notFound);
      return itemOf(row);
    },
    'POST /create-employes': async (context) => ({
      message: texts.created,
      ...itemOf(await addEmployee(services, context, context)),
    }),
    'PUT /employes/:id': async (context) => ({
      message: byId.updated,
      ...itemOf(await changeEmployee(services, context.params.id, context, context)),
    }),
    'DELETE /employes/:id': async (context) => {
      await database.write(async (transaction) => {
        const row = await findEmployeeToChange(database, transaction, context.params.id);
        if (!row || row.supprime_le !== null) throw notFound(texts.notFound);
        await moveToBin(transaction, row, context, clock());
      });
      await cache.drop(genreOf(employees));
      return { message: texts.deleted };
    },
  };
}

/** Who may open the photos: anyone where `photo_public` is 1, otherwise staff who edit the org chart. */
export function employeeFileOwners({ database }: Services): FileOwners {
  return {
    [employees.table]: async (id) => {
      const row = await findEmployee(database.db, id);
      if (!row || row.supprime_le !== null) return undefined;
      const to = row.photo_public === 1 ? 'anyone' : 'closed';
      return { to, closedBut: ['contenus'], label: titleOf(employees, row) };
    },
  };
}

/* Saving a person, for the form of staff and for the site itself. */

/** Adds a person: makes the photo safe and stores it, then writes the row. */
export async function addEmployee(
  services: Services,
  { body, files: received }: CheckedForm,
  actor: Actor,
  alongside?: Alongside,
): Promise<EmployeeRow> {
  const files = await keepFiles(services, employees, received);
  return saving(services, employees, files, async (transaction, now) => {
    const people = await listEmployeesToChange(services.database, transaction);
    // A creation's form has every field, checked by its schema.
    const values = valuesOf(body, undefined, files) as EmployeeValues;
    checkPlace(people, { ...values, id: 0 });
    const inserted = await insertEmployee(transaction, values, now);
    await registerFiles(transaction, fileRows(employees, inserted.id, files, now));
    await journal(transaction, actor, now, 'création', { table: employees.table, id: inserted.id });
    await alongside?.(transaction, inserted.id);
    return inserted;
  });
}

async function changeEmployee(
  services: Services,
  id: number,
  { body, files: received }: CheckedForm,
  actor: Actor,
): Promise<EmployeeRow> {
  const { database } = services;
  const current = (db: Access, row: EmployeeRow | undefined) =>
    requireCurrent(db, employees, row, body, itemOf);
  // Checked before the photo is made, so that a stale form costs nothing; checked again below, under the lock.
  await current(database.db, await findEmployee(database.db, id));
  const files = await keepFiles(services, employees, received);
  return savingChange(services, employees, files, actor, async (transaction, now) => {
    const people = await listEmployeesToChange(database, transaction);
    const before = await current(
      transaction,
      people.find((one) => one.id === id),
    );
    const values = valuesOf(body, before, files);
    checkPlace(people, { ...before, ...values });
    return { before, after: await updateEmployee(transaction, id, values, now) };
  });
}

/** The columns that a form sets; `row` is the row that it changes, undefined for a creation. */
function valuesOf(
  body: ItemBody,
  row: EmployeeRow | undefined,
  files: readonly KeptFile[],
): Partial<EmployeeValues> {
  const sent = Object.entries(given(body.values)).map(([name, text]) => [name, columnOf(name, text)]);
  const placed = placeFiles(employees, row, body, files);
  // A new photo has its subject elsewhere: back to the middle.
  const focus = row && row.photo === placed.photo ? row : { cadrage_x: 50, cadrage_y: 50 };
  const values: Partial<EmployeeValues> = {
    ...Object.fromEntries(sent),
    ...placed,
    cadrage_x: body.cadrage_x ?? focus.cadrage_x,
    cadrage_y: body.cadrage_y ?? focus.cadrage_y,
  };
  const { poste = '', ...names } = { ...row, ...values };
  return { ...values, plie: foldedColumn(titleOf(employees, names), [poste]) };
}

function columnOf(name: string, text: string): string | number | null {
  switch (employees.fields[name as keyof typeof employees.fields].type) {
    case 'tick':
      return Number(text);
    case 'person':
      return text === '' ? null : Number(text);
    default:
      return text;
  }
}

type Placed = Pick<EmployeeRow, 'id' | 'manager_id' | 'nom' | 'prenom'>;

/**
 * Throws a 422 when a person cannot have the manager that was chosen. `people` are all rows of the chart, locked by the
 * transaction; a new person has the id 0.
 */
function checkPlace(people: readonly EmployeeRow[], person: Placed): void {
  if (person.manager_id === null) return;
  if (person.manager_id === person.id) throw refused('une personne ne peut pas dépendre d’elle-même.');
  const present = people.filter((one) => one.supprime_le === null);
  const byId = new Map<number | null, EmployeeRow>(present.map((one) => [one.id, one]));
  const manager = byId.get(person.manager_id);
  if (!manager) throw refused('cette personne n’existe pas ou n’existe plus.');
  if (above(byId, manager).some((one) => one.id === person.id)) {
    const [name, other] = [titleOf(employees, person), titleOf(employees, manager)];
    throw refused(`${name} ne peut pas dépendre ${ofName(other)}, qui fait partie de son équipe.`);
  }
  const others = present.filter((one) => one.id !== person.id);
  if (isTooDeep([...others, person])) throw refused(`l’organigramme a ${MAX_LEVELS} niveaux au plus.`);
}

function refused(reason: string) {
  return invalid({ manager_id: reason }, { manager_id: employees.fields.manager_id.label });
}

/** Finds people of the org chart for visitors: by their names and posts, as in the search of the chart itself. */
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
