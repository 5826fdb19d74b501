import { type Doors, doorOf } from '#features/content/server/doors.ts';
import { employees } from '#features/content/shared/kinds.ts';
import type { Services } from '#platform/server/services.ts';
import { moveTeamUp, moveToBin } from './bin.ts';
import { addEmployee } from './employees.ts';
import { findEmployeeToChange } from './store.ts';

/** Adapter by which the site itself adds and removes people. */
export function staffDoors(services: Services): Doors {
  return {
    [employees.table]: doorOf(services, employees, {
      add: (form, actor, alongside) => addEmployee(services, form, actor, alongside),
      findToChange: (transaction, id) => findEmployeeToChange(services.database, transaction, id),
      beforeErasing: moveTeamUp,
      moveToBin,
    }),
  };
}
