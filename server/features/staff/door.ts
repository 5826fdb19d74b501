import { genreOf } from '../../../shared/content/kinds.ts';
import { employees } from '../../../shared/employees.ts';
import { eraseStruckOff } from '../../files.ts';
import { type Doors, isUntouched, sendOwn } from '../../items/door.ts';
import { erase } from '../../items/shelf.ts';
import type { Services } from '../../services.ts';
import { addEmployee } from './save.ts';
import { moveTeamUp, moveToBin } from './shelf.ts';
import { listEmployeesToChange } from './store.ts';

/** How the site itself brings people and takes them away. */
export function staffDoors(services: Services): Doors {
  const { database, clock, kept } = services;
  return {
    [employees.table]: {
      add: (item, actor, alongside) =>
        sendOwn(services, employees, item, (form) => addEmployee(services, form, actor, alongside)),
      takeOut: async (id, actor, alongside) => {
        const keys = await database.write(async (transaction) => {
          const now = clock();
          await alongside(transaction);
          const people = await listEmployeesToChange(database, transaction);
          const row = people.find((one) => one.id === id);
          if (!row) return [];
          if (isUntouched(row)) {
            await moveTeamUp(transaction, people, row, now);
            return erase(transaction, employees, id, actor, now);
          }
          if (row.supprime_le === null) await moveToBin(transaction, people, row, actor, now);
          return [];
        });
        kept.drop(genreOf(employees));
        await eraseStruckOff(services, keys);
      },
    },
  };
}
