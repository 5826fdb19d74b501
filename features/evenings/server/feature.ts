import type { Feature } from '#features/feature.ts';
import { composeEvening, eveningHandlers, tellEvening } from './evenings.ts';

/** Time, in ms, by which an evening mail may come after its hour. */
const EVERY_MS = 5 * 60_000;

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
