import type { Feature } from '#features/feature.ts';
import { staffDoors } from './door.ts';
import { employeePlace } from './personalData.ts';
import { staffFileOwners, staffHandlers } from './routes.ts';
import { staffShelf } from './shelf.ts';

export const members = {
  open: (services) => ({ handlers: staffHandlers(services) }),
  bin: (services) => [staffShelf(services)],
  personalData: (services) => [employeePlace(services)],
  fileOwners: staffFileOwners,
  doors: staffDoors,
} satisfies Feature;
