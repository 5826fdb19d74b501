import type { Feature } from '#features/feature.ts';
import { type Check, fail, fine, listed } from '#platform/server/checks/check.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { clockHandlers } from './clocks.ts';
import { dayHandlers } from './days.ts';
import { photosOfStay, redoPhotoErasures } from './erasures.ts';
import { openOpenings, servePhotoFiles } from './files.ts';
import { listHandlers } from './lists.ts';
import { liveHandlers, openLivePhotos } from './live.ts';
import { makeMissingJpegs, preparePhoto } from './prepare.ts';
import { listStuck } from './store.ts';
import { photoTables } from './tables.ts';

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
      handlers: {
        ...listHandlers(services),
        ...dayHandlers(services),
        ...clockHandlers(services),
        ...liveHandlers(services, live),
      },
      serve: () => servePhotoFiles(app, services, openings),
    };
  },
  jobs: (services) => ({
    'prepare-photo': (payload, isGivenUp) => preparePhoto(services, payload, isGivenUp),
  }),
  works: (services) => [
    {
      name: 'jpeg',
      label: 'JPEG des photos dont la pleine qualité n’est pas arrivée',
      every: HOUR_MS / 6,
      run: () => makeMissingJpegs(services),
    },
  ],
  checks: (services) => [preparationCheck(services)],
  ofStays: (services) => [photosOfStay(services)],
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
