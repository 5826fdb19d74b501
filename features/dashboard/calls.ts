import { z } from 'zod';
import { namedStay } from '#features/stays/calls.ts';
import { day } from '#features/stays/shared/fields.ts';
import { PRACTICAL } from '#features/stays/shared/terms.ts';
import { call, json } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { line, whole } from '#platform/shared/text.ts';

const healthPart = z.object({
  nom: z.string(),
  /** `traiter`: somebody has to act, and `alertes` says on what. */
  etat: z.enum(['bon', 'surveiller', 'traiter']),
  /** Facts about it, such as sizes and counts. */
  fait: z.string(),
  /** What to do; blank: nothing. */
  conseil: z.string(),
});
export type HealthPart = z.infer<typeof healthPart>;

const reached = z.object({
  /** Addresses that should have the password. */
  adresses: z.number(),
  /** Those of them that have been sent the current one, or are about to be. */
  recu: z.number(),
});

const preparation = namedStay.extend({
  enfants: z.number(),
  consentements_inconnus: z.number(),
  consentements_refuses: z.number(),
  directeurs: z.number(),
  codes: z.object({ stagiaire: reached, formateur: reached }),
  informations_manquantes: z.array(z.enum(PRACTICAL)),
  photos: z.number(),
  photos_a_verifier: z.number(),
  photos_demandees: z.number(),
  /** Whether its photos are over: its codes no longer sign anybody in. */
  photos_finies: z.boolean(),
});
export type Preparation = z.infer<typeof preparation>;

/** Calls of the portal's first page and health panel, of what stays lack, and of the search. */
export const dashboardCalls = {
  'GET /tableau-de-bord': call({
    summary: 'Où en est le site et ce qui demande de l’attention de qui a ces droits',
    access: ADMIN,
    reply: z.object({
      /** Names of the identity settings that are still blank. */
      identite_manquante: z.array(z.string()),
      /** What a new site has. */
      demarrage: z.object({
        /** Whether the password that the first start printed still opens an account. */
        mot_de_passe_affiche: z.boolean(),
        /** Whether several people have an account, and who asks has a second factor. */
        administrateurs: z.boolean(),
        second_facteur: z.boolean(),
        /** Whether a news item and an event were published, or will be. */
        actualite: z.boolean(),
        evenement: z.boolean(),
        employes: z.boolean(),
        /** Whether somebody knows the password of the meeting reports. */
        comptes_rendus: z.boolean(),
        sejours: z.boolean(),
        directeurs: z.boolean(),
        /** Whether a mail has left the site, and codes of a stay. */
        mail_parti: z.boolean(),
        codes_envoyes: z.boolean(),
        /** Whether somebody decided what visitors see of stays. */
        visiteurs_choisis: z.boolean(),
      }),
      alertes: z.array(
        z.object({
          texte: z.string(),
          /** The panel where it is dealt with. */
          panneau: z.string().nullable(),
          /** Address of a page where it is dealt with, instead of a panel. */
          adresse: z.string().nullable(),
        }),
      ),
      /**
       * The day on the clock, which somebody with the right `reglages` has to confirm before stays are erased; null: no
       * confirmation needed, or not by whoever asks.
       */
      horloge: z.string().nullable(),
      /** `depuis`: the start of the process that answers. `parties`: empty without the right `reglages`. */
      sante: z.object({ parties: z.array(healthPart), version: z.string(), depuis: z.string() }),
    }),
  }),
  'GET /preparation': call({
    summary: 'Ce que chaque séjour en cours ou à venir a et ce qui lui manque, le plus proche d’abord',
    access: ['sejours', 'photos'],
    /** Only this stay, past ones included. */
    query: z.object({ stageId: whole(1, 999_999_999_999_999).meta({ title: 'Séjour' }).optional() }),
    reply: z.array(preparation),
  }),
  'POST /horloge': call({
    summary: 'Confirmation de la date que le site croit, après un long arrêt ou un saut de son horloge',
    access: ['reglages'],
    body: json(z.object({ jour: day().meta({ title: 'Jour' }) })),
  }),
  'GET /recherche': call({
    summary:
      'Recherche de contenus, de séjours, d’enfants, de familles, de directeurs, d’employés, de messages et d’envois, dans la corbeille aussi\u202f; par mots de leur nom, de leur adresse ou de leur téléphone',
    access: ADMIN,
    /** Blank, or without a letter or digit: nothing is found. */
    query: z.object({ q: line(100).default('') }),
    reply: z.array(
      z.object({
        genre: z.string(),
        id: z.number(),
        titre: z.string(),
        /** Tells it from others of its title. */
        detail: z.string().optional(),
        /** The stay that it belongs to. */
        stageId: z.number().optional(),
        date_publication: z.string(),
        dans_la_corbeille: z.boolean(),
      }),
    ),
  }),
};
