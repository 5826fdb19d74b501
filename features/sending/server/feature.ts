import type { Feature } from '#features/feature.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { forgetOldUploads, servePhotoUploads } from './uploads.ts';
import { dropUploads, uploadsTo } from './uploadsStore.ts';

export const sending = {
  open: (services, _product, app) => ({ serve: () => servePhotoUploads(app, services) }),
  works: (services) => [
    {
      name: 'envois',
      label: 'effacement des envois de photos abandonnés',
      every: HOUR_MS,
      run: () => forgetOldUploads(services),
    },
  ],
  ofStays: ({ database }) => [
    { endUploads: (transaction, stageId) => dropUploads(database, transaction, uploadsTo(stageId)) },
  ],
} satisfies Feature;
