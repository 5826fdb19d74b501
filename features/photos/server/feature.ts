import type { Feature } from '#features/feature.ts';
import type { photoCalls } from '#features/photos/calls.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { dayHandlers } from './days.ts';
import { decisionHandlers } from './decisions.ts';
import { photosOfStay } from './erasures.ts';
import { type Openings, openOpenings, servePhotoFiles } from './files.ts';
import { knownHandlers, listHandlers } from './lists.ts';
import { type LivePhotos, liveHandlers, openLivePhotos } from './live.ts';
import { preparePhoto } from './prepare.ts';
import { servePhotoUploads } from './uploads.ts';
import { forgetOldUploads } from './uploadsUnderWay.ts';
import { forgetOldSelections, zipHandlers } from './zip.ts';

export const photos = {
  open(services, _product, app) {
    const openings = openOpenings(services);
    app.addHook('onClose', () => openings.stop());
    const live = openLivePhotos(services);
    services.photos = live;
    // Streams have no end of their own: without this, a shutdown would wait for them.
    app.addHook('preClose', async () => live.stop());
    return {
      handlers: photoHandlers(services, live, openings),
      serve() {
        servePhotoFiles(app, services, openings);
        servePhotoUploads(app, services);
      },
    };
  },
  jobs: (services) => ({
    'prepare-photo': (payload, isGivenUp) => preparePhoto(services, payload, isGivenUp),
  }),
  works: (services) => [
    {
      name: 'selections',
      label: 'effacement des anciennes sélections de photos',
      every: HOUR_MS,
      run: () => forgetOldSelections(services),
    },
    {
      name: 'envois',
      label: 'effacement des envois de photos abandonnés',
      every: HOUR_MS,
      run: () => forgetOldUploads(services),
    },
  ],
  ofStays: photosOfStay,
} satisfies Feature;

/** Handlers of the calls on photos; files are uploaded and served by routes of their own. */
function photoHandlers(
  services: Services,
  live: LivePhotos,
  openings: Openings,
): HandlersOf<typeof photoCalls> {
  return {
    ...listHandlers(services),
    ...knownHandlers(services),
    ...decisionHandlers(services),
    ...dayHandlers(services),
    ...zipHandlers(services, openings),
    ...liveHandlers(services, live),
  };
}
