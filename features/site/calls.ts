import { z } from 'zod';
import { call } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { emailAddress, line, paragraphs, password, webAddress, whole } from '#platform/shared/text.ts';
import { IDENTITY_FIELDS, type IdentityField, type IdentityName } from './shared/identity.ts';

/*
 * What staff set in the portal. Each has a first value from the environment; a value saved here wins over it.
 */

type Text = z.ZodType<string, string>;

const RULES: Record<IdentityField['type'], (max: number) => Text> = {
  line,
  paragraphs,
  email: emailAddress,
  address: webAddress,
};

/** The rules of the identity fields, by wire name. */
export const IDENTITY = Object.fromEntries(
  Object.entries(IDENTITY_FIELDS).map(([name, { type, max, label }]) => [
    name,
    RULES[type](max).meta({ title: label }),
  ]),
) as Record<IdentityName, Text>;

/** Least length of the meeting-report password, in characters. */
const MEETING_PASSWORD_MIN = 8;

const retention = whole(1, 365).meta({ title: 'Conservation des photos, en jours' });

/** Replies say what is stored; only what comes in is checked by the rules above. */
const identity = z.object(
  Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, z.string()])) as Record<
    IdentityName,
    z.ZodString
  >,
);

const settings = identity.extend({
  photos_conservation_jours: z.number(),
  comptes_rendus_mot_de_passe: z.string(),
});

export type Settings = z.infer<typeof settings>;

/** What pages say of the organisation; where the site sends its own mail is nobody’s business. */
const publicIdentity = identity
  .omit({ contact_email: true, offres_emploi_url: true })
  .extend({ photos_conservation_jours: z.number() });

export const settingsCalls = {
  'GET /identite': call({
    summary: 'L’identité de l’organisation, pour les pages publiques',
    access: 'anyone',
    status: 200,
    reply: publicIdentity,
  }),
  'GET /reglages': call({ summary: 'Les réglages', access: ADMIN, status: 200, reply: settings }),
  'PUT /reglages': call({
    summary: 'Changement de réglages\u202f; ce qui n’est pas nommé reste',
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
