import { z } from 'zod';
import { call, idParams, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { emailAddress, line, required, whole } from '#platform/shared/text.ts';
import { consent, day, firstName, lastName, mailAddress } from './shared/fields.ts';

/** The children of a stay, each with the addresses of its family. */

const child = z.object({
  id: z.number(),
  nom: z.string(),
  prenom: z.string(),
  email: z.string(),
  email_2: z.string(),
  consentement_image: consent,
  stageId: z.number(),
  version: z.number(),
});
export type Child = z.infer<typeof child>;

/** What a director may know of a child. */
const childSeen = z.object({
  id: z.number(),
  prenom: z.string(),
  /** First letter of the last name. */
  initiale: z.string(),
  consentement_image: consent,
});
export type ChildSeen = z.infer<typeof childSeen>;

const form = { nom: lastName, prenom: firstName, mailRL: mailAddress };
const secondAddress = emailAddress(254).meta({ title: 'Second e-mail' });
const saved = child.extend({ message: z.string() });

export const familyCalls = {
  'GET /get-stagiaires/:id': call({
    summary: 'Les enfants d’un séjour\u202f; aux directeurs\u202f: prénom, initiale et droit à l’image',
    access: ['admin', 'director'],
    params: idParams,
    status: 200,
    reply: z.union([z.array(child), z.array(childSeen)]),
  }),
  'PUT /update/:id': call({
    summary: 'Modification d’un enfant et des adresses de sa famille',
    access: ADMIN,
    params: idParams,
    body: {
      as: 'json',
      schema: z.object({
        ...form,
        email_2: secondAddress.optional(),
        consentement_image: consent.optional(),
        version: whole(1).optional(),
      }),
    },
    status: 200,
    reply: saved,
    conflict: z.object({ message: z.string(), actuel: child.optional() }),
  }),
  'POST /add-stagiaire': call({
    summary: 'Ajout d’un enfant à un séjour',
    access: ADMIN,
    body: {
      as: 'json',
      schema: z.object({
        ...form,
        email_2: secondAddress.prefault(''),
        consentement_image: consent.prefault('inconnu'),
        stageId: whole(1, 999_999_999_999_999).meta({ title: 'Séjour' }),
      }),
    },
    status: 201,
    reply: saved,
  }),
  'DELETE /stagiaire/delete/:id': call({
    summary: 'Suppression d’un enfant d’un séjour',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: message,
  }),
  'DELETE /deletePaxBySejour': call({
    summary: 'Suppression de tous les enfants d’un séjour',
    access: ADMIN,
    body: {
      as: 'json',
      schema: z.object({
        sejour: required(line(150)).meta({ title: 'Séjour' }),
        dateDebut: day().meta({ title: 'Date de début' }),
        dateFin: day().meta({ title: 'Date de fin' }),
      }),
    },
    status: 200,
    reply: z.object({ message: z.string(), nombre: z.number() }),
  }),
};
