import { z } from 'zod';
import { call } from '#platform/shared/call.ts';
import { line } from '#platform/shared/text.ts';

/* The call by which a family ends its evening mails; mail programs make it as well (RFC 8058). */

export const eveningCalls = {
  'POST /soirs/arret': call({
    summary: 'Une adresse ne reçoit plus le message du soir, ou le reçoit de nouveau',
    access: 'anyone',
    onFullDisk: true,
    query: z.object({
      /** From its last evening mail. */
      jeton: line(120),
      recevoir: z.enum(['oui', 'non']).default('non'),
    }),
  }),
};
