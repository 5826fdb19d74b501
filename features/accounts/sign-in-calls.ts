import { z } from 'zod';
import { call, instant, message } from '#platform/shared/call.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { line, password, required } from '#platform/shared/text.ts';
import { secondCode } from './calls.ts';

/** Sign-in of admins and of meeting-report readers, and what every token can do with itself. */
export const authCalls = {
  'GET /verifyToken': call({
    summary: 'Le jeton présenté ouvre-t-il le portail ?',
    access: ['admin'],
    status: 200,
    reply: z.object({ message: z.string(), username: z.string(), expire_le: instant }),
  }),
  'POST /loginAdmin': call({
    summary:
      'Connexion d’un administrateur\u202f; 401 avec «\u00a0etape: code\u00a0» quand son compte demande aussi un code',
    access: 'anyone',
    body: {
      as: 'json',
      schema: z.object({
        username: required(line(100)).meta({ title: 'Identifiant' }),
        password: password(500).meta({ title: 'Mot de passe' }),
        code: secondCode.default(''),
      }),
    },
    status: 200,
    reply: z.object({ tokenAdmin: z.string(), message: z.string() }),
  }),
  'POST /auth/logout': call({
    summary: 'Déconnexion\u202f: le jeton présenté ne vaut plus rien',
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
