import type { Feature } from '#features/feature.ts';
import { openOpenings } from '#features/photos/server/files.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { forgetOldSelections, zipHandlers } from './zip.ts';

export const gallery = {
  open(services, _product, app) {
    const openings = openOpenings(services);
    app.addHook('onClose', () => openings.stop());
    return { handlers: zipHandlers(services, openings) };
  },
  works: (services) => [
    {
      name: 'selections',
      label: 'effacement des anciennes sélections de photos',
      every: HOUR_MS,
      run: () => forgetOldSelections(services),
    },
  ],
} satisfies Feature;
