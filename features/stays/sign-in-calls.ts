import { z } from 'zod';
import { call, instant, message } from '#platform/shared/call.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { whole } from '#platform/shared/text.ts';

/** Sign-in of a stay's families and directors. */
export const staySignInCalls = {
  'POST /auth/login': call({
    summary: 'Connexion d’une famille ou d’un directeur à son séjour',
    access: 'anyone',
    body: {
      as: 'json',
      schema: z.object({
        /** Whatever is typed here is a password, right or wrong. */
        password: z.string({ error: 'ce champ est obligatoire.' }).meta({ title: 'Mot de passe' }),
        stageId: whole(1, 999_999_999_999_999, 'le numéro du séjour n’a que des chiffres.').meta({
          title: 'Numéro du séjour',
        }),
      }),
    },
    status: 200,
    reply: z.object({
      token: z.string(),
      userRole: z.enum(Object.keys(PASSWORD_TYPES) as PasswordType[]),
      stageId: z.number(),
      nom_stage: z.string(),
      message: z.string(),
      expire_le: instant,
    }),
  }),
  'POST /session/reprise': call({
    summary:
      'Les fichiers privés s’ouvrent de nouveau avec le jeton présenté\u202f: pour qui change de séjour',
    access: ['director', 'family'],
    status: 200,
    reply: message,
  }),
};
