import { z } from 'zod';
import { call, instant } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { whole } from '#platform/shared/text.ts';

/** Reading the journal of what was done on the site. */
export const auditCalls = {
  'GET /journal': call({
    summary: 'Journal des actions, les plus récentes d’abord',
    access: ADMIN,
    query: z.object({
      avant: whole(1).optional(),
      limite: whole(1, 200).default(50),
    }),
    status: 200,
    reply: z.object({
      entrees: z.array(
        z.object({
          id: z.number(),
          instant,
          acteur: z.string(),
          action: z.string(),
          objet: z.string().nullable(),
          objet_id: z.number().nullable(),
          ip: z.string().nullable(),
        }),
      ),
      suite: z.number().nullable(),
    }),
  }),
};
