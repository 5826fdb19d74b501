import type { Feature } from '#features/feature.ts';
import { employeePlace, employeeShelf } from './bin.ts';
import { employeeFileOwners, employeeHandlers } from './employees.ts';

export const members = {
  open: (services) => ({ handlers: employeeHandlers(services) }),
  bin: (services) => [employeeShelf(services)],
  personalData: (services) => [employeePlace(services)],
  fileOwners: employeeFileOwners,
} satisfies Feature;
