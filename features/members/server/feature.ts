import { genreOf, employees as kind } from '#features/content/shared/kinds.ts';
import type { Feature } from '#features/feature.ts';
import {
  employeeFileOwners,
  employeeHandlers,
  employeePlace,
  employeeShelf,
  findPeople,
} from './employees.ts';
import { listForSearch } from './store.ts';
import { memberTables } from './tables.ts';

export const members = {
  tables: memberTables,
  open: (services) => ({ handlers: employeeHandlers(services) }),
  search: ({ database: { db } }) => [
    { genre: genreOf(kind), rights: ['contenus'], list: () => listForSearch(db) },
  ],
  publicSearch: ({ database: { db } }) => [{ genre: genreOf(kind), find: (words) => findPeople(db, words) }],
  bin: (services) => [employeeShelf(services)],
  personalData: (services) => [employeePlace(services)],
  fileOwners: employeeFileOwners,
} satisfies Feature;
