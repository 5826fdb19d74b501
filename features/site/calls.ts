import { z } from 'zod';
import { PICTURE_BYTES } from '#platform/shared/bytes.ts';
import { call, idParams, instant, json, message } from '#platform/shared/call.ts';
import {
  emailAddress,
  line,
  paragraphs,
  password,
  required,
  webAddress,
  whole,
} from '#platform/shared/text.ts';
import {
  FACTOR_WANTED,
  HEADCOUNTS,
  IDENTITY_FIELDS,
  type IdentityField,
  type IdentityName,
  PLACES_SHOWN,
  rnaTrouble,
  SETTING_LABELS,
  STAYS_SHOWN,
  sirenTrouble,
} from './shared/identity.ts';
import { SEARCH_MAX } from './shared/limits.ts';

/*
 * The settings that staff change in the portal. The environment gives each its first value; a saved value overrides it.
 */

type Text = z.ZodType<string, string>;

const RULES: Record<IdentityField['type'], (max: number) => Text> = {
  line,
  paragraphs,
  email: emailAddress,
  address: webAddress,
  siren: (max) => checked(max, sirenTrouble),
  rna: (max) => checked(max, rnaTrouble),
};

/** A line in which `troubleOf` finds nothing wrong. */
function checked(max: number, troubleOf: (text: string) => string | undefined): Text {
  return line(max).superRefine((value, context) => {
    const message = troubleOf(value);
    if (message) context.addIssue({ code: 'custom', message });
  });
}

export const IDENTITY = Object.fromEntries(
  Object.entries(IDENTITY_FIELDS).map(([name, { type, max, label }]) => [
    name,
    RULES[type](max).meta({ title: label }),
  ]),
) as Record<IdentityName, Text>;

const MEETING_PASSWORD_MIN = 8;

/** One of the values that a setting may have, of which these are the labels. */
const choice = <V extends string>(title: string, labels: Record<V, string>) =>
  z.enum(Object.keys(labels) as V[]).meta({ title });
const headcount = choice(SETTING_LABELS.effectif, HEADCOUNTS);
const staysShown = choice(SETTING_LABELS.sejours_visiteurs, STAYS_SHOWN);
const placesShown = choice(SETTING_LABELS.sejours_lieu, PLACES_SHOWN);
const factorWanted = choice(SETTING_LABELS.second_facteur, FACTOR_WANTED);
const idleHours = whole(1, 12).meta({ title: SETTING_LABELS.portail_inactivite_heures });

const eveningHour = z
  .union([z.literal(''), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)], {
    error: 'une heure est attendue, comme 20:30.',
  })
  .meta({ title: SETTING_LABELS.message_soir_heure });

const retention = whole(1, 365).meta({ title: SETTING_LABELS.photos_conservation_jours });

/** The identity in replies: as stored. The rules above check requests only. */
const identity = z.object(
  Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, z.string()])) as Record<
    IdentityName,
    z.ZodString
  >,
);

const settings = identity.extend({
  effectif: headcount,
  sejours_visiteurs: staysShown,
  sejours_lieu: placesShown,
  photos_conservation_jours: z.number(),
  /** When families are told what is new, on the clocks of the site: `20:30`; blank: they are not. */
  message_soir_heure: z.string(),
  /** Hours after which a portal that nobody uses asks for the password again. */
  portail_inactivite_heures: z.number(),
  second_facteur: factorWanted,
  /** Of the picture in place of the drawn mark: version, width and height; blank: there is none. */
  logo: z.string(),
});

export type Settings = z.infer<typeof settings>;

/** The identity for public pages, without the address that receives contact messages. */
const publicIdentity = identity
  .omit({ contact_email: true, offres_emploi_url: true })
  .extend({ effectif: headcount, photos_conservation_jours: z.number() });

export const settingsCalls = {
  'GET /identite': call({
    summary: 'L’identité de l’organisation, pour les pages publiques',
    access: 'anyone',
    reply: publicIdentity,
  }),
  'GET /reglages': call({
    summary:
      'Les réglages\u202f; le mot de passe des comptes rendus, dont la lecture est inscrite au journal, sauf refus',
    access: ['reglages'],
    query: z.object({ mot_de_passe: z.enum(['oui', 'non']).default('non') }),
    reply: settings.extend({
      /** Absent when it was not asked for. */
      comptes_rendus_mot_de_passe: z.string().optional(),
    }),
  }),
  'PUT /reglages': call({
    summary: 'Changement de réglages\u202f; ce qui n’est pas nommé reste',
    access: ['reglages'],
    fresh: true,
    body: json(
      z
        .object({
          ...IDENTITY,
          effectif: headcount,
          sejours_visiteurs: staysShown,
          sejours_lieu: placesShown,
          photos_conservation_jours: retention,
          message_soir_heure: eveningHour,
          portail_inactivite_heures: idleHours,
          second_facteur: factorWanted,
          comptes_rendus_mot_de_passe: password(200)
            .refine((value) => [...value.trim()].length >= MEETING_PASSWORD_MIN, {
              error: `${MEETING_PASSWORD_MIN} caractères au moins.`,
            })
            .meta({ title: SETTING_LABELS.comptes_rendus_mot_de_passe }),
        })
        .partial(),
    ),
    reply: settings.extend({ message: z.string() }),
  }),
  'PUT /reglages/logo': call({
    summary: 'Le logo de l’organisation, à la place du dessin',
    access: ['reglages'],
    body: {
      as: 'multipart',
      schema: z.object({}),
      files: { logo: { label: 'Logo', kind: 'picture', maxBytes: PICTURE_BYTES, maxFiles: 1 } },
    },
    reply: message.extend({ logo: z.string() }),
  }),
  'DELETE /reglages/logo': call({ summary: 'Retour au dessin du site', access: ['reglages'] }),
  'GET /logo.webp': call({
    summary: 'Le logo de l’organisation',
    access: 'anyone',
    media: 'image/webp',
    reply: z.file(),
  }),
};

/** Contact messages: sent from the form of the legal notice, read in the portal. */
export const contactCalls = {
  'POST /contact': call({
    summary: 'Un message de contact',
    access: 'anyone',
    once: true,
    body: json(
      z.object({
        nom: required(line(100)).meta({ title: 'Nom' }),
        email: required(emailAddress(254)).meta({ title: 'E-mail' }),
        message: required(paragraphs(5_000)).meta({ title: 'Message' }),
      }),
    ),
  }),
  'GET /contact': call({
    summary: 'Les messages de contact, ceux à lire puis le plus récent d’abord',
    access: ['contenus', 'sejours'],
    reply: z.array(
      z.object({
        id: z.number(),
        nom: z.string(),
        email: z.string(),
        message: z.string(),
        created_at: instant,
        /** When it was marked as read; null: unread. */
        lu_le: instant.nullable(),
      }),
    ),
  }),
  'PUT /contact/:id': call({
    summary: 'Un message de contact est lu, ou à lire de nouveau',
    access: ['contenus', 'sejours'],
    params: idParams,
    body: json(z.object({ lu: z.boolean().meta({ title: 'Lu' }) })),
  }),
  'DELETE /contact/:id': call({
    summary: 'Effacement définitif d’un message de contact',
    access: ['contenus', 'sejours'],
    params: idParams,
  }),
};

/** What is searched on the site. Blank, or without a letter or digit: nothing is found. */
export const askedQuery = z.object({ q: line(SEARCH_MAX).default('') });

/** The things of one kind that a search of the site finds. */
export const foundThings = z.object({
  /** How many there are; `resultats` holds the best of them. */
  nombre: z.number(),
  resultats: z.array(
    z.object({
      id: z.number(),
      /** Address of its page, or of its file. */
      adresse: z.string(),
      titre: z.string(),
      /** Its text around the first word found, or its beginning. */
      extrait: z.string(),
      /** When it was published, or takes place; `null`: it has no date. */
      date: z.string().nullable(),
      passe: z.boolean().optional(),
      /** The page of its PDF on which the excerpt stands. */
      page: z.number().optional(),
    }),
  ),
});

export type FoundThings = z.infer<typeof foundThings>;

/**
 * The search of visitors. Minutes have a call of their own, `GET /documents/recherche`: what is found here is the same
 * for everybody.
 */
export const searchCalls = {
  'GET /recherche-site': call({
    summary:
      'Recherche sur le site\u202f: ce qu’elle trouve parmi ce que tout le monde peut lire, par genre, le meilleur d’abord',
    access: 'anyone',
    query: askedQuery,
    reply: z.array(foundThings.extend({ genre: z.string() })),
  }),
};

/** Visit counts, without a cookie, an address or anything else that tells one visitor from another. */
export const audienceCalls = {
  'GET /compteur.svg': call({
    summary: 'Le compteur de visites, en image',
    access: 'anyone',
    query: z.object({
      /** `site`: all pages together; otherwise the address of one page. */
      page: line(200).default('site'),
      /** `style` and `type` are parameters of the original counter, accepted but ignored. */
      style: line(40).optional(),
      type: line(20).optional(),
      nbdigits: whole(1, 12).default(5),
      /** Visits counted before, elsewhere. */
      initCount: whole(0).default(0),
    }),
    media: 'image/svg+xml; charset=utf-8',
    reply: z.string(),
  }),
  'POST /pages-vues': call({
    summary: 'Une page a été vue',
    access: 'anyone',
    body: json(z.object({ page: required(line(200)).meta({ title: 'Page' }) })),
  }),
};
