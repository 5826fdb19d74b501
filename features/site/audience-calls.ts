import { z } from 'zod';
import { call, message } from '#platform/shared/call.ts';
import { line, required, whole } from '#platform/shared/text.ts';

/** Visits, counted without a cookie, an address or anything else that tells one visitor from another. */
export const audienceCalls = {
  'GET /compteur.svg': call({
    summary: 'Le compteur de visites, en image',
    access: 'anyone',
    query: z.object({
      /** `site`: all pages together; else the address of one. */
      page: line(200).default('site'),
      /** `style` and `type` are what the original counter was asked with; they change nothing. */
      style: line(40).optional(),
      type: line(20).optional(),
      nbdigits: whole(1, 12).default(5),
      /** Visits counted before, elsewhere. */
      initCount: whole(0).default(0),
    }),
    status: 200,
    media: 'image/svg+xml; charset=utf-8',
    reply: z.string(),
  }),
  'POST /pages-vues': call({
    summary: 'Une page a été vue',
    access: 'anyone',
    body: { as: 'json', schema: z.object({ page: required(line(200)).meta({ title: 'Page' }) }) },
    status: 200,
    reply: message,
  }),
};
