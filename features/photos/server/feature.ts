import type { Feature } from '#features/feature.ts';
import type { photoCalls } from '#features/photos/calls.ts';
import { type Check, fail, fine, listed } from '#platform/server/checks/check.ts';
import { whenTrusted } from '#platform/server/clock.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { binCheck, binHandlers, emptyPhotoBin } from './bin.ts';
import { clockHandlers } from './clocks.ts';
import { dayHandlers } from './days.ts';
import { decisionHandlers } from './decisions.ts';
import { photosOfStay, redoPhotoErasures } from './erasures.ts';
import { type Openings, openOpenings, servePhotoFiles } from './files.ts';
import { listHandlers } from './lists.ts';
import { type LivePhotos, liveHandlers, openLivePhotos } from './live.ts';
import { orderHandlers } from './order.ts';
import { preparePhoto } from './prepare.ts';
import { retouchHandlers } from './retouch.ts';
import { listStuck } from './store.ts';
import { photoTables } from './tables.ts';
import { forgetOldUploads, servePhotoUploads } from './uploads.ts';
import { forgetOldSelections, zipHandlers } from './zip.ts';

export const photos = {
  tables: photoTables,
  opening: redoPhotoErasures,
  open(services, _product, app) {
    const openings = openOpenings(services);
    app.addHook('onClose', () => openings.stop());
    const live = openLivePhotos(services);
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
    {
      name: 'corbeille-photos',
      label: 'effacement des photos restées à la corbeille, et de celles d’avant un floutage',
      every: HOUR_MS,
      run: () => whenTrusted(services, () => emptyPhotoBin(services)),
    },
  ],
  checks: (services) => [preparationCheck(services), binCheck(services)],
  ofStays: photosOfStay,
} satisfies Feature;

function preparationCheck({ database }: Services): Check {
  return {
    key: 'photos',
    part: 'fichiers',
    async operator() {
      const stuck = await listStuck(database.db);
      if (stuck.length === 0)
        return fine('Photos\u202f: aucune n’attend une préparation qui ne viendra pas.');
      const stays = [...new Set(stuck)].map((id) => `séjour ${id}`);
      return fail(
        `Photos reçues que rien ne prépare\u202f: ${stuck.length} ${listed(stays)}. Supprimez-les dans le portail, et demandez qu’on les renvoie.`,
      );
    },
  };
}

/** Handlers of the calls on photos; files are uploaded and served by routes of their own. */
function photoHandlers(
  services: Services,
  live: LivePhotos,
  openings: Openings,
): HandlersOf<typeof photoCalls> {
  return {
    ...listHandlers(services),
    ...decisionHandlers(services),
    ...binHandlers(services),
    ...retouchHandlers(services),
    ...dayHandlers(services),
    ...orderHandlers(services),
    ...clockHandlers(services),
    ...zipHandlers(services, openings),
    ...liveHandlers(services, live),
  };
}
