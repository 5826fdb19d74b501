import type { Feature } from '#features/feature.ts';
import { composeEvening, eveningHandlers, tellEvening } from './evenings.ts';

/** Time, in ms, by which the mails of an evening are written after their hour, or after a process that ended meanwhile. */
const EVERY_MS = 60_000;

export const evenings = {
  open: (services) => ({ handlers: eveningHandlers(services) }),
  works: (services) => [
    {
      name: 'message-du-soir',
      label: 'message du soir aux familles',
      every: EVERY_MS,
      run: () => tellEvening(services),
    },
  ],
  composers: { soir: composeEvening },
} satisfies Feature;
