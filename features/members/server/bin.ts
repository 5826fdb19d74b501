import { buffer } from 'node:stream/consumers';
import { journal } from '#features/audit/server/journal.ts';
import { erase, type Shelf, shelfOf } from '#features/content/server/bin.ts';
import { employees } from '#features/content/shared/kinds.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import { keysIn, type Place } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf, type Storage } from '#platform/server/storage/storage.ts';
import {
  type EmployeeRow,
  findEmployeeToChange,
  isTooDeep,
  listAddresses,
  listByAddress,
  listEmployeesToChange,
  listTeam,
  MAX_LEVELS,
  updateEmployee,
} from './store.ts';

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
  try {
    const bytes = await buffer(await storage.read(keyOf(employees.folder, name)));
    return `data:image/webp;base64,${bytes.toString('base64')}`;
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
