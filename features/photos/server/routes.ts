import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { dayHandlers } from './days.ts';
import { decisionHandlers } from './decisions.ts';
import type { Openings } from './files.ts';
import { knownHandlers, listHandlers } from './lists.ts';
import { type LivePhotos, liveHandlers } from './live.ts';
import { zipHandlers } from './zip.ts';

type PhotoKeys = Extract<
  CallKey,
  | `${string} /photos${string}`
  | `${string} /stages/:id/${'photos' | 'flux' | 'jours' | 'attestation'}${string}`
>;

/** The photos of stays: what is asked of them, and decided. Files are sent and served beside. */
export function photoHandlers(
  services: Services,
  live: LivePhotos,
  openings: Openings,
): Pick<Handlers, PhotoKeys> {
  return {
    ...listHandlers(services),
    ...knownHandlers(services),
    ...decisionHandlers(services),
    ...dayHandlers(services),
    ...zipHandlers(services, openings),
    ...liveHandlers(services, live),
  };
}
