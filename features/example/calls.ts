import { z } from 'zod';
import { call } from '#platform/shared/call.ts';

/** The example content: in, to see what the site looks like; out, once there is something of one’s own. */
export const exampleCalls = {
  'GET /exemple': call({
    summary: 'Où en est le contenu d’exemple',
    access: ['reglages'],
    reply: z.object({
      /**
       * `arrive` and `part`: being put in, being taken out. `interrompu`: given up half-way; either call goes on
       * from there.
       */
      etat: z.enum(['absent', 'arrive', 'present', 'part', 'interrompu']),
      en_place: z.number(),
      total: z.number(),
      /** What the last try failed at, for a person; while it arrives or leaves, the site tries again by itself. */
      erreur: z.string().nullable(),
    }),
  }),
  'POST /exemple': call({
    summary: 'Mise en place du contenu d’exemple',
    access: ['reglages'],
  }),
  'DELETE /exemple': call({
    summary:
      'Retrait du contenu d’exemple\u202f; ce qui a été modifié va à la corbeille, ou reste quand il n’y en a pas pour lui',
    access: ['reglages'],
  }),
};
