import { z } from 'zod';
import { day } from '#features/stays/shared/fields.ts';
import { call, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { line } from '#platform/shared/text.ts';

/** Results of a search at most; whoever sees them all types one more letter. */
export const SEARCH_MAX = 20;

const states = z.object({
  genre: z.string(),
  en_ligne: z.number(),
  /** Its publication starts later. */
  a_venir: z.number(),
  /** Its publication has ended. */
  termines: z.number(),
  corbeille: z.number(),
});

/** A part of the site, and how it is. */
const healthPart = z.object({
  nom: z.string(),
  /** `traiter` asks for somebody; `alertes` then says what for. */
  etat: z.enum(['bon', 'surveiller', 'traiter']),
  /** What there is of it. */
  fait: z.string(),
  /** What to do; blank: nothing. */
  conseil: z.string(),
});
export type HealthPart = z.infer<typeof healthPart>;

/** What the portal says at its door, and its search. */
export const dashboardCalls = {
  'GET /tableau-de-bord': call({
    summary: 'Où en est le site et ce qui demande de l’attention',
    access: ADMIN,
    status: 200,
    reply: z.object({
      /** Names of the identity settings that are still blank. */
      identite_manquante: z.array(z.string()),
      contenus: z.array(states),
      sejours: z.object({ en_cours: z.number(), a_venir: z.number(), passes: z.number() }),
      alertes: z.array(
        z.object({
          texte: z.string(),
          /** The panel where it is seen to. */
          panneau: z.string().nullable(),
          /** A page of its own where it is seen to, in the place of a panel. */
          adresse: z.string().nullable(),
        }),
      ),
      /** The day that the clock shows and that somebody has to confirm before stays are erased; null: nobody has to. */
      horloge: z.string().nullable(),
      /** `depuis`: the instant at which the process that answers was started. */
      sante: z.object({ parties: z.array(healthPart), version: z.string(), depuis: z.string() }),
    }),
  }),
  'POST /horloge': call({
    summary: 'Confirmation de la date que le site croit, après un long arrêt ou un saut de son horloge',
    access: ADMIN,
    body: { as: 'json', schema: z.object({ jour: day().meta({ title: 'Jour' }) }) },
    status: 200,
    reply: message,
  }),
  'GET /recherche': call({
    summary:
      'Recherche dans les titres des contenus et les noms des employés et des séjours, dans la corbeille aussi',
    access: ADMIN,
    /** Blank, or without a letter or digit: nothing is found. */
    query: z.object({ q: line(100).default('') }),
    status: 200,
    reply: z.array(
      z.object({
        genre: z.string(),
        id: z.number(),
        titre: z.string(),
        date_publication: z.string(),
        dans_la_corbeille: z.boolean(),
      }),
    ),
  }),
};
