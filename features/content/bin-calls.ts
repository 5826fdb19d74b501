import { z } from 'zod';
import { call, id, instant, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';

export const binCalls = {
  'GET /corbeille': call({
    summary: 'Ce qui a été supprimé et peut encore être restauré',
    access: ADMIN,
    status: 200,
    reply: z.array(
      z.object({
        genre: z.string(),
        id: z.number(),
        titre: z.string(),
        supprime_le: instant,
        efface_le: instant,
      }),
    ),
  }),
  'POST /corbeille/:genre/:id/restaurer': call({
    summary: 'Restauration d’un élément supprimé',
    access: ADMIN,
    params: z.object({ genre: z.string().max(40), id }),
    status: 200,
    reply: message,
  }),
};
