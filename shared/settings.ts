import { z } from 'zod';
import { ADMIN } from './roles.ts';
import { call } from './route.ts';
import { line, paragraphs, password, webAddress, whole } from './text.ts';

/*
 * What staff set in the portal. Each has a first value from the environment; a value saved here wins over it.
 * `IDENTITY` is what the site says of the organisation, on its pages and to search engines.
 */

const email = line(254).refine((value) => value === '' || z.email().safeParse(value).success, {
  error: 'cette adresse e-mail n’est pas valable.',
});

/** Identity fields: wire name, label, schema. Blank is allowed: the page then leaves the line out. */
export const IDENTITY = {
  organisation_nom: line(200).meta({ title: 'Nom de l’organisation' }),
  organisation_adresse: paragraphs(500).meta({ title: 'Adresse postale' }),
  organisation_telephone: line(50).meta({ title: 'Téléphone' }),
  organisation_email: email.meta({ title: 'E-mail' }),
  organisation_siren: line(50).meta({ title: 'SIREN' }),
  organisation_rna: line(50).meta({ title: 'RNA' }),
  directeur_publication: line(200).meta({ title: 'Directeur ou directrice de la publication' }),
  hebergeur_nom: line(200).meta({ title: 'Nom de l’hébergeur' }),
  hebergeur_adresse: paragraphs(500).meta({ title: 'Adresse de l’hébergeur' }),
  hebergeur_telephone: line(50).meta({ title: 'Téléphone de l’hébergeur' }),
  contact_donnees: line(254).meta({ title: 'Contact pour les données personnelles' }),
  contact_email: email.meta({ title: 'Adresse qui reçoit les messages du formulaire de contact' }),
  offres_emploi_url: webAddress(2_000).meta({ title: 'Site d’offres d’emploi' }),
};

/** Least length of the meeting-report password, in characters. */
const MEETING_PASSWORD_MIN = 8;

const retention = whole(1, 365).meta({ title: 'Conservation des photos, en jours' });

/** Replies say what is stored; only what comes in is checked by the rules above. */
const identity = z.object(
  Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, z.string()])) as Record<
    keyof typeof IDENTITY,
    z.ZodString
  >,
);

const settings = identity.extend({
  photos_conservation_jours: z.number(),
  comptes_rendus_mot_de_passe: z.string(),
});

export type Settings = z.infer<typeof settings>;

export const settingsCalls = {
  'GET /reglages': call({ summary: 'Les réglages', access: ADMIN, status: 200, reply: settings }),
  'PUT /reglages': call({
    summary: 'Changement de réglages ; ce qui n’est pas nommé reste',
    access: ADMIN,
    body: {
      as: 'json',
      schema: z
        .object({
          ...IDENTITY,
          photos_conservation_jours: retention,
          comptes_rendus_mot_de_passe: password(200)
            .refine((value) => [...value.trim()].length >= MEETING_PASSWORD_MIN, {
              error: `${MEETING_PASSWORD_MIN} caractères au moins.`,
            })
            .meta({ title: 'Mot de passe des comptes rendus' }),
        })
        .partial(),
    },
    status: 200,
    reply: settings.omit({ comptes_rendus_mot_de_passe: true }).extend({ message: z.string() }),
  }),
};
