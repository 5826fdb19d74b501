import { z } from 'zod';
import { ADMIN } from './roles.ts';
import { call, idParams, instant, message } from './route.ts';
import { line, password, required, whole } from './text.ts';

/** The least an admin password may have, in characters; long ones are welcome. */
const ADMIN_PASSWORD_MIN = 12;
const ADMIN_PASSWORD_MAX = 200;

/** An admin’s name, in composed letters. */
export const username = required(line(100))
  .transform((value) => value.normalize('NFC'))
  .refine((value) => /^[\p{L}\p{N}._@-]{2,}$/u.test(value), {
    error: 'lettres, chiffres, point, tiret, tiret bas ou @, sans espace\u202f; 2 caractères au moins.',
  })
  .meta({ title: 'Identifiant' });
const newPassword = password(ADMIN_PASSWORD_MAX)
  .refine((value) => [...value].length >= ADMIN_PASSWORD_MIN, {
    error: `${ADMIN_PASSWORD_MIN} caractères au moins.`,
  })
  .meta({ title: 'Mot de passe' });

const admin = z.object({
  id: z.number(),
  username: z.string(),
  created_at: instant,
  vu_le: instant.nullable(),
});

export const adminCalls = {
  'GET /admins': call({ summary: 'Les administrateurs', access: ADMIN, status: 200, reply: z.array(admin) }),
  'POST /admins': call({
    summary: 'Création d’un administrateur',
    access: ADMIN,
    body: { as: 'json', schema: z.object({ username, password: newPassword }) },
    status: 201,
    reply: admin.extend({ message: z.string() }),
  }),
  'PUT /admins/:id': call({
    summary: 'Nouvel identifiant ou nouveau mot de passe d’un administrateur',
    access: ADMIN,
    params: idParams,
    body: {
      as: 'json',
      schema: z.object({ username: username.optional(), password: newPassword.optional() }),
    },
    status: 200,
    reply: admin.extend({ message: z.string() }),
  }),
  'DELETE /admins/:id': call({
    summary: 'Suppression d’un administrateur (le dernier reste)',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: message,
  }),
  'POST /admins/moi/mot-de-passe': call({
    summary: 'Changement de son propre mot de passe',
    access: ADMIN,
    body: {
      as: 'json',
      schema: z.object({
        ancien: password(500).meta({ title: 'Mot de passe actuel' }),
        nouveau: newPassword.meta({ title: 'Nouveau mot de passe' }),
      }),
    },
    status: 200,
    reply: message,
  }),
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
