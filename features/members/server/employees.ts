import { buffer } from 'node:stream/consumers';
import { journal } from '#features/audit/server/journal.ts';
import type { ItemBody } from '#features/content/calls.ts';
import { erase, type Shelf, shelfOf } from '#features/content/server/bin.ts';
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
import type { Access, Database } from '#platform/server/db/database.ts';
import { conflict, invalid, notFound } from '#platform/server/errors.ts';
import { registerFiles } from '#platform/server/files/registerStore.ts';
import type { FileOwners } from '#platform/server/http/downloads.ts';
import { type HandlersOf, RawJson } from '#platform/server/http/serve.ts';
import { byName } from '#platform/server/names.ts';
import { keysIn, type Place } from '#platform/server/personalData.ts';
import { bestTitles } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf, type Storage, unlessMissing } from '#platform/server/storage/storage.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { ofName } from '#platform/shared/elision.ts';
import type { employeeCalls } from '../calls.ts';
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
  listAddresses,
  listByAddress,
  listEmployeesToChange,
  listMatching,
  listPresent,
  listTeam,
  MAX_LEVELS,
  updateEmployee,
} from './store.ts';

/* The calls of the employees, and their chart. */

const CHART = 'GET /employe/orgchart';
/** Lifetime of the cached chart in ms; writes of this process drop it earlier. */
const CHART_MS = 10_000;

export function employeeHandlers(services: Services): HandlersOf<typeof employeeCalls> {
  const { database, clock, cache } = services;
  const { texts } = employees;
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
      message: texts.updated,
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

/*
 * The employees' part of the bin. A person in the bin is nobody's manager: when they move there, their team moves up to
 * their own manager, including team members who are in the bin themselves.
 */

export function employeeShelf(services: Services): Shelf {
  const { database } = services;
  return shelfOf(services, employees, {
    findToChange: (transaction, id) => findEmployeeToChange(database, transaction, id),
    putBack: (transaction, row, now) => putBack(database, transaction, row, now),
  });
}

const TOO_DEEP = `Avec cette personne, l’organigramme aurait plus de ${MAX_LEVELS} niveaux.`;

/** Moves a person to the bin; the team moves up to the person's manager, and is recorded for a restore. */
export async function moveToBin(
  transaction: Access,
  row: EmployeeRow,
  actor: Actor,
  now: Date,
): Promise<void> {
  const team = await moveTeamUp(transaction, row, now);
  const values = { supprime_le: now.toISOString(), equipe: team.join(';') };
  await updateEmployee(transaction, row.id, values, now);
  await journal(transaction, actor, now, 'mise à la corbeille', { table: employees.table, id: row.id });
}

/** Moves a person's team up to the person's manager; returns the ids of the team. */
export async function moveTeamUp(
  transaction: Access,
  { id, manager_id }: EmployeeRow,
  now: Date,
): Promise<number[]> {
  const team = await listTeam(transaction, id);
  for (const member of team) await updateEmployee(transaction, member, { manager_id }, now);
  return team;
}

/**
 * Restores a person from the bin, and returns to them the team members who still have the manager that they moved up
 * to. This makes no cycle: nobody is below the person yet, and the team has the same manager as the person. Throws 409
 * when the chart would be too deep.
 */
async function putBack(database: Database, transaction: Access, row: EmployeeRow, now: Date): Promise<void> {
  const people = await listEmployeesToChange(database, transaction);
  const remembered = row.equipe.split(';').map(Number);
  const team = people.filter((one) => remembered.includes(one.id) && one.manager_id === row.manager_id);
  const present = people
    .filter((one) => one.supprime_le === null || one.id === row.id)
    .map((one) => (team.includes(one) ? { ...one, manager_id: row.id } : one));
  if (isTooDeep(present)) throw conflict(TOO_DEEP);
  await updateEmployee(transaction, row.id, { supprime_le: null, equipe: '' }, now);
  for (const { id } of team) await updateEmployee(transaction, id, { manager_id: row.id }, now);
}

/** Erases a person for good, past the bin. Call `tryEraseCondemned` after the commit. */
async function eraseEmployee(
  database: Database,
  transaction: Access,
  id: number,
  actor: Actor,
  now: Date,
): Promise<void> {
  const row = await findEmployeeToChange(database, transaction, id);
  if (!row) return;
  await moveTeamUp(transaction, row, now);
  await erase(transaction, employees, id, actor, now);
}

export function employeePlace({ storage, database }: Services): Place {
  return {
    genre: 'employes',
    listKeys: async (db) => keysIn(await listAddresses(db)),
    list: listByAddress,
    listWhole: async (db, key) => {
      const rows = await listByAddress(db, key);
      return Promise.all(
        rows.map(async ({ illustrations: _sizes, equipe: _team, plie: _folded, ...row }) => ({
          ...row,
          photo_contenu: row.photo === null ? null : await photoAsAddress(storage, row.photo),
        })),
      );
    },
    erase: async ({ transaction, key, actor, now }) => {
      for (const { id } of await listByAddress(transaction, key))
        await eraseEmployee(database, transaction, id, actor, now);
    },
    text: (count) =>
      count === 1
        ? 'Un employé de l’organigramme\u202f: effacé avec sa photo, et son équipe monte d’un niveau.'
        : `${count} employés de l’organigramme\u202f: effacés avec leurs photos, et leurs équipes montent d’un niveau.`,
  };
}

/** A photo as a `data:` address, for an export; null when its file is lost. */
async function photoAsAddress(storage: Storage, name: string): Promise<string | null> {
  const file = await unlessMissing(storage.read(keyOf(employees.folder, name)));
  return file ? `data:image/webp;base64,${(await buffer(file)).toString('base64')}` : null;
}
