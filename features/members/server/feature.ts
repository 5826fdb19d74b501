import type { Feature } from '#features/feature.ts';
import { employeePlace, staffShelf } from './bin.ts';
import { staffDoors } from './doors.ts';
import { staffFileOwners, staffHandlers } from './employees.ts';

export const members = {
  open: (services) => ({ handlers: staffHandlers(services) }),
  bin: (services) => [staffShelf(services)],
  personalData: (services) => [employeePlace(services)],
  fileOwners: staffFileOwners,
  doors: staffDoors,
} satisfies Feature;
