import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { Services } from '#platform/server/services.ts';
import { doorWatches } from './doors.ts';
import { machineWatches } from './machine.ts';
import { mailWatches } from './mails.ts';
import type { Watch } from './watch.ts';

/** All that the site watches of itself; what weighs the most first. `works`: those that come back. */
export function openWatches(services: Services, works: readonly Scheduled[]): Watch[] {
  return [...machineWatches(services, works), ...mailWatches(services), ...doorWatches(services)];
}
