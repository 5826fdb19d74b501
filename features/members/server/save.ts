import { journal } from '#features/audit/server/journal.ts';
import type { ItemBody } from '#features/content/calls.ts';
import type { Alongside, CheckedForm } from '#features/content/server/items/door.ts';
import { fileRows, type KeptFile, keepFiles, placeFiles } from '#features/content/server/items/files.ts';
import { given, requireCurrent, saving, savingChange } from '#features/content/server/items/saving.ts';
import { employees } from '#features/content/shared/employees.ts';
import type { Actor } from '#platform/server/actor.ts';
import { registerFiles } from '#platform/server/files/register.ts';
import type { Services } from '#platform/server/services.ts';
import { checkPlace } from './place.ts';
import {
  type EmployeeRow,
  type EmployeeValues,
  findEmployee,
  insertEmployee,
  itemOf,
  listEmployeesToChange,
  updateEmployee,
} from './store.ts';

/** How a person is saved, whoever brings the form. */

/** Adds a person: the photo made safe and kept first, then one transaction. */
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

export async function changeEmployee(
  services: Services,
  id: number,
  { body, files: received }: CheckedForm,
  actor: Actor,
): Promise<EmployeeRow> {
  const { database } = services;
  const current = (row: EmployeeRow | undefined) => requireCurrent(employees, row, body, itemOf);
  // Looked at before the photo is made, so that a stale form costs nothing; decided again below.
  current(await findEmployee(database.db, id));
  const files = await keepFiles(services, employees, received);
  return savingChange(services, employees, files, actor, async (transaction, now) => {
    const people = await listEmployeesToChange(database, transaction);
    const before = current(people.find((one) => one.id === id));
    const values = valuesOf(body, before, files);
    checkPlace(people, { ...before, ...values });
    return { before, after: await updateEmployee(transaction, id, values, now) };
  });
}

/** What a form says, as columns; `row` is what it changes. */
function valuesOf(
  body: ItemBody,
  row: EmployeeRow | undefined,
  files: readonly KeptFile[],
): Partial<EmployeeValues> {
  const sent = Object.entries(given(body.values)).map(([name, text]) => [name, columnOf(name, text)]);
  const placed = placeFiles(employees, row, body, files);
  // Another photo has its subject elsewhere.
  const focus = row && row.photo === placed.photo ? row : { cadrage_x: 50, cadrage_y: 50 };
  return {
    ...Object.fromEntries(sent),
    ...placed,
    cadrage_x: body.cadrage_x ?? focus.cadrage_x,
    cadrage_y: body.cadrage_y ?? focus.cadrage_y,
  };
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
