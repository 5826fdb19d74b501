import { z } from 'zod';
import { call } from '#platform/shared/call.ts';
import { EVERY_RIGHT } from '#platform/shared/roles.ts';

/* The whole site as open files, for whoever leaves. */

export const exportCalls = {
  // Asked first, as a browser that saves a file cannot ask for a proof of who somebody is.
  'POST /export': call({
    summary: 'Combien de fichiers a l’export de tout le site, et ce qu’ils pèsent',
    access: EVERY_RIGHT,
    fresh: true,
    reply: z.object({ fichiers: z.number(), octets: z.number() }),
  }),
  'GET /export.zip': call({
    summary: 'Tout le site en fichiers ouverts (CSV, JSON, images, photos, PDF), en un fichier ZIP',
    access: EVERY_RIGHT,
    fresh: true,
    byCookie: true,
    media: 'application/zip',
    reply: z.file(),
  }),
};
