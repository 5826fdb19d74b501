import { z } from 'zod';
import { call, id, idParams, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { line, required, whole } from '#platform/shared/text.ts';
import { category, firstName, lastName, mailAddress } from './shared/fields.ts';
import { CATEGORIES } from './shared/terms.ts';

/** Those who direct stays, and which ones. The same e-mail is the same person. */

const director = z.object({
  id: z.number(),
  nom: z.string(),
  prenom: z.string(),
  mail: z.string(),
  telephone: z.string(),
  version: z.number(),
  sejours: z.array(
    z.object({
      stageId: z.number(),
      nom_stage: z.string(),
      date_debut: z.string(),
      date_fin: z.string(),
      cat: category,
    }),
  ),
});
export type Director = z.infer<typeof director>;

const saved = director.extend({ message: z.string() });

const identity = {
  nom: lastName,
  prenom: firstName,
  mail: mailAddress,
};
const person = {
  ...identity,
  telephone: required(line(50)).meta({ title: 'Téléphone' }),
};
/** Of the person that the form was drawn from. */
const version = whole(1).optional();
const cat = category.meta({ title: 'Type' });
const stageId = whole(1, 999_999_999_999_999).meta({ title: 'Séjour' });

/** `mail` and `telephone` for staff alone. */
const ofStay = z.array(
  z.object({
    id: z.number(),
    nom: z.string(),
    prenom: z.string(),
    cat: category,
    mail: z.string().optional(),
    telephone: z.string().optional(),
  }),
);

export const directorCalls = {
  'GET /formateurs': call({
    summary: 'Les directeurs et leurs séjours, par nom',
    access: ADMIN,
    status: 200,
    reply: z.array(director),
  }),
  'GET /formateurs/by-stage/:id': call({
    summary: 'Les directeurs d’un séjour',
    access: ['admin', 'director'],
    params: idParams,
    status: 200,
    reply: ofStay,
  }),
  'GET /formateurs/by-stage/:id/:type': call({
    summary: 'Les directeurs d’un séjour, d’un seul type',
    access: ['admin', 'director'],
    params: z.object({ id, type: z.enum(Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[]) }),
    status: 200,
    reply: ofStay,
  }),
  'POST /formateurs/add': call({
    summary: 'Ajout d’un directeur à un séjour\u202f; une adresse connue met à jour la personne',
    access: ADMIN,
    body: { as: 'json', schema: z.object({ ...person, cat, stageId }) },
    status: 201,
    reply: saved,
  }),
  'PUT /formateurs/update/:id': call({
    summary: 'Modification d’un directeur, et de son type pour un séjour si celui-ci est nommé',
    access: ADMIN,
    params: idParams,
    body: {
      as: 'json',
      schema: z
        .object({ ...person, version, cat: cat.optional(), stageId: stageId.optional() })
        .refine(({ cat, stageId }) => stageId === undefined || cat !== undefined, {
          error: 'ce champ est obligatoire quand un séjour est nommé.',
          path: ['cat'],
        }),
    },
    status: 200,
    reply: saved,
  }),
  'PUT /formateurs/:id': call({
    summary:
      'Les séjours d’un directeur\u202f: la liste entière\u202f; le type vaut pour ceux qui s’ajoutent',
    access: ADMIN,
    params: idParams,
    body: {
      as: 'json',
      schema: z.object({
        ...person,
        version,
        cat,
        stageIds: z
          .array(stageId, { error: 'une liste de séjours est attendue.' })
          .max(500)
          .meta({ title: 'Séjours' }),
      }),
    },
    status: 200,
    reply: saved,
  }),
  'DELETE /formateurs/delete/:id': call({
    summary: 'Suppression d’un directeur',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: message,
  }),
  'POST /formateurs/delete': call({
    summary: 'Suppression d’un directeur par son identité',
    access: ADMIN,
    body: { as: 'json', schema: z.object(identity) },
    status: 200,
    reply: message,
  }),
};
