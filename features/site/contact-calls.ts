import { z } from 'zod';
import { call, idParams, instant, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { emailAddress, line, paragraphs, required } from '#platform/shared/text.ts';

/** Messages of visitors, from the form of the legal notice to the portal. */
export const contactCalls = {
  'POST /contact': call({
    summary: 'Un message de contact',
    access: 'anyone',
    body: {
      as: 'json',
      schema: z.object({
        nom: required(line(100)).meta({ title: 'Nom' }),
        email: required(emailAddress(254)).meta({ title: 'E-mail' }),
        message: required(paragraphs(5_000)).meta({ title: 'Message' }),
      }),
    },
    status: 200,
    reply: message,
  }),
  'GET /contact': call({
    summary: 'Les messages de contact, ceux à lire puis le plus récent d’abord',
    access: ADMIN,
    status: 200,
    reply: z.array(
      z.object({
        id: z.number(),
        nom: z.string(),
        email: z.string(),
        message: z.string(),
        created_at: instant,
        /** Null until somebody says that it is read. */
        lu_le: instant.nullable(),
      }),
    ),
  }),
  'PUT /contact/:id': call({
    summary: 'Un message de contact est lu, ou à lire de nouveau',
    access: ADMIN,
    params: idParams,
    body: { as: 'json', schema: z.object({ lu: z.boolean().meta({ title: 'Lu' }) }) },
    status: 200,
    reply: message,
  }),
  'DELETE /contact/:id': call({
    summary: 'Effacement définitif d’un message de contact',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: message,
  }),
};
