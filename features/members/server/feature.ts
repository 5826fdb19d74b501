import type { Feature } from '#features/feature.ts';
import { employeePlace, staffShelf } from './bin.ts';
import { staffFileOwners, staffHandlers } from './employees.ts';

export const members = {
  open: (services) => ({ handlers: staffHandlers(services) }),
  bin: (services) => [staffShelf(services)],
  personalData: (services) => [employeePlace(services)],
  fileOwners: staffFileOwners,
} satisfies Feature;
