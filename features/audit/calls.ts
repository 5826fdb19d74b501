import { z } from 'zod';
import { call, instant } from '#platform/shared/call.ts';
import { line, whole } from '#platform/shared/text.ts';
import { isDay } from '#platform/shared/time.ts';

const day = z.string().refine((value) => value === '' || isDay(value), {
  error: 'cette date n’existe pas (exemple\u202f: 2026-06-20).',
});

/** Which lines are read; what is not named chooses all. */
const choice = z.object({
  qui: line(300).optional().meta({ title: 'Qui' }),
  /** The table of what the lines are about; `aucun`: nothing. */
  quoi: line(100).optional().meta({ title: 'Quoi' }),
  du: day.optional().meta({ title: 'Du' }),
  au: day.optional().meta({ title: 'Au' }),
});

/** Who changed something last, and when, in the answer to a form that is older than the change. */
export const lastChange = z.object({ par: z.string().nullable(), le: instant });

export const auditCalls = {
  'GET /journal': call({
    summary: 'Journal des actions, les plus récentes d’abord',
    access: ['reglages'],
    query: choice.extend({
      avant: whole(1).optional(),
      limite: whole(1, 200).default(50),
      noms: z.literal('oui').optional(),
    }),
    reply: z.object({
      entrees: z.array(
        z.object({
          id: z.number(),
          instant,
          acteur: z.string(),
          action: z.string(),
          objet: z.string().nullable(),
          objet_id: z.number().nullable(),
          /** Words for the object, as it is called now; with `noms=oui` only. */
          nom: z.string().nullable().optional(),
          ip: z.string().nullable(),
        }),
      ),
      suite: z.number().nullable(),
    }),
  }),
  'GET /journal/csv': call({
    summary:
      'Les lignes du journal, de la plus ancienne à la plus récente, avec leur maillon de la chaîne (CSV)',
    access: ['reglages'],
    fresh: true,
    query: choice,
    media: 'text/csv; charset=utf-8',
    reply: z.file(),
  }),
  'GET /journal/jsonl': call({
    summary: 'Les mêmes lignes, un objet JSON par ligne',
    access: ['reglages'],
    fresh: true,
    query: choice,
    media: 'application/x-ndjson; charset=utf-8',
    reply: z.file(),
  }),
  'GET /journal/choix': call({
    summary: 'Qui a fait quelque chose, et sur quoi, pour choisir dans le journal',
    access: ['reglages'],
    reply: z.object({
      acteurs: z.array(z.string()),
      objets: z.array(z.object({ objet: z.string(), nom: z.string() })),
    }),
  }),
};
