import { type Doors, doorOf } from '#features/content/server/items/door.ts';
import { employees } from '#features/content/shared/employees.ts';
import type { Services } from '#platform/server/services.ts';
import { addEmployee } from './save.ts';
import { moveTeamUp, moveToBin } from './shelf.ts';
import { findEmployeeToChange } from './store.ts';

/** How the site itself brings people and takes them away. */
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
