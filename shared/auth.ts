import { z } from 'zod';
import { ROLES } from './roles.ts';
import { call, instant, message } from './route.ts';
import { line, password, required } from './text.ts';

/** Sign-in of admins and meeting-report readers, and what every token can do with itself. */
export const authCalls = {
  'GET /verifyToken': call({
    summary: 'Le jeton présenté ouvre-t-il le portail ?',
    access: ['admin'],
    status: 200,
    reply: z.object({ message: z.string(), username: z.string(), expire_le: instant }),
  }),
  'POST /loginAdmin': call({
    summary: 'Connexion d’un administrateur',
    access: 'anyone',
    body: {
      as: 'json',
      schema: z.object({
        username: required(line(100)).meta({ title: 'Identifiant' }),
        password: password(500).meta({ title: 'Mot de passe' }),
      }),
    },
    status: 200,
    reply: z.object({ tokenAdmin: z.string(), message: z.string() }),
  }),
  'POST /auth/logout': call({
    summary: 'Déconnexion : le jeton présenté ne vaut plus rien',
    access: ROLES,
    status: 200,
    reply: message,
  }),
  'GET /session': call({
    summary: 'À qui est le jeton présenté, et jusqu’à quand',
    access: ROLES,
    status: 200,
    reply: z.object({
      role: z.enum(ROLES),
      username: z.string().nullable(),
      stageId: z.number().nullable(),
      expire_le: instant,
    }),
  }),
  'POST /documents/acces': call({
    summary: 'Ouverture des comptes rendus avec leur mot de passe',
    access: 'anyone',
    body: {
      as: 'json',
      schema: z.object({ password: password(500).meta({ title: 'Mot de passe' }) }),
    },
    status: 200,
    reply: z.object({ token: z.string(), message: z.string(), expire_le: instant }),
  }),
};
