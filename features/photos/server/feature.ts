import type { Feature } from '#features/feature.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { photoDoors } from './door.ts';
import { photosOfStay } from './erasures.ts';
import { openOpenings, servePhotoFiles } from './files.ts';
import { openLivePhotos } from './live.ts';
import { preparePhoto } from './prepare.ts';
import { photoHandlers } from './routes.ts';
import { servePhotoUploads } from './uploads.ts';
import { forgetOldUploads } from './uploadsUnderWay.ts';
import { forgetOldSelections } from './zip.ts';

export const photos = {
  open(services, _product, app) {
    const openings = openOpenings(services);
    app.addHook('onClose', () => openings.stop());
    const live = openLivePhotos(services);
    services.photos = live;
    // Streams last until somebody ends them: a stop would wait for them.
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
  doors: photoDoors,
} satisfies Feature;
