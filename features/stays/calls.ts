import { z } from 'zod';
import { call, idParams, instant, message } from '#platform/shared/call.ts';
import { ADMIN, PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { line, paragraphs, whole } from '#platform/shared/text.ts';
import { day, stayName } from './shared/fields.ts';

/** Stays, their passwords and their practical information. */

/** What anybody may know of a stay. */
const publicStay = z.object({
  id: z.number(),
  nom_stage: z.string(),
  date_debut: z.string(),
  date_fin: z.string(),
});

const stay = publicStay.extend({
  adresse: z.string(),
  horaires: z.string(),
  telephone_urgence: z.string(),
  consignes: z.string(),
  /** Last day on which its photos are seen. */
  photos_jusquau: z.string(),
});

const managed = stay.extend({
  /** Days that its photos stay; null: as the settings say. */
  conservation_jours: z.number().nullable(),
  /** How many there are, which a deletion takes along. */
  familles: z.number(),
  directeurs: z.number(),
  photos: z.number(),
  /** Since when its families and its passwords are erased, its photos being over. */
  efface_le: instant.nullable(),
  version: z.number(),
});

/** `date_fin` before `date_debut` is said at `date_fin`. */
const isInOrder = ({ date_debut = '', date_fin = '' }: { date_debut?: string; date_fin?: string }) =>
  date_debut === '' || date_fin === '' || date_fin >= date_debut;

const form = z
  .object({
    nom_stage: stayName,
    date_debut: day().meta({ title: 'Date de début' }),
    date_fin: day().meta({ title: 'Date de fin' }),
    adresse: paragraphs(500).prefault('').meta({ title: 'Adresse' }),
    horaires: paragraphs(1_000).prefault('').meta({ title: 'Horaires' }),
    telephone_urgence: line(50).prefault('').meta({ title: 'Téléphone d’urgence' }),
    consignes: paragraphs(5_000).prefault('').meta({ title: 'Consignes aux familles' }),
    conservation_jours: z
      .union([z.literal('').transform(() => null), z.null(), whole(1, 365)], {
        error: 'un nombre entier de 1 à 365 est attendu.',
      })
      .prefault(null)
      .meta({ title: 'Conservation des photos, en jours' }),
    version: whole(1).optional(),
  })
  .refine(isInOrder, { error: 'le séjour finit avant de commencer.', path: ['date_fin'] });

export const stayCalls = {
  'GET /stages': call({
    summary: 'Les séjours\u202f: nom et dates, le plus récent d’abord',
    access: 'anyone',
    status: 200,
    reply: z.array(publicStay),
  }),
  'GET /unique-sejours': call({
    summary: 'Les séjours, sous les noms que le site a toujours donnés',
    access: 'anyone',
    status: 200,
    reply: z.array(z.object({ nomSejour: z.string(), dateDebut: z.string(), dateFin: z.string() })),
  }),
  'GET /stages-names': call({
    summary: 'Les noms et les dates des séjours',
    access: 'anyone',
    status: 200,
    reply: z.array(z.object({ nomStage: z.string(), dateDebut: z.string(), dateFin: z.string() })),
  }),
  'GET /stages-suivi': call({
    summary:
      'Les séjours avec leurs nombres de familles, de directeurs, de photos, d’évaluations et de sections du bilan, et si leurs photos sont finies, le plus récent d’abord',
    access: ADMIN,
    status: 200,
    reply: z.array(
      publicStay.extend({
        familles: z.number(),
        directeurs: z.number(),
        photos: z.number(),
        /** Sections of the review that are written. */
        bilans: z.number(),
        evaluations: z.number(),
        /** Photos that nobody has decided on yet, and those whose removal was asked for. */
        photos_a_verifier: z.number(),
        photos_demandees: z.number(),
        /** Its photos are over: its codes open nothing any longer. */
        photos_finies: z.boolean(),
      }),
    ),
  }),
  'GET /stages/:id': call({
    summary: 'Un séjour et ses informations pratiques\u202f; ce qui sert à le gérer, pour le portail seul',
    access: ['admin', 'director', 'family'],
    params: idParams,
    status: 200,
    reply: z.union([managed, stay]),
  }),
  'POST /stages': call({
    summary: 'Création d’un séjour, avec ses deux mots de passe',
    access: ADMIN,
    body: { as: 'json', schema: form },
    status: 201,
    reply: managed.extend({ message: z.string() }),
  }),
  'PUT /stages/:id': call({
    summary: 'Modification d’un séjour',
    access: ADMIN,
    params: idParams,
    body: { as: 'json', schema: form },
    status: 200,
    reply: managed.extend({ message: z.string() }),
    conflict: z.object({ message: z.string(), actuel: managed.optional() }),
  }),
  'DELETE /stages/:id': call({
    summary: 'Suppression définitive d’un séjour, de ses familles, de ses photos et de ses mots de passe',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: message,
  }),
  'GET /stage-passwords/:id': call({
    summary: 'Les mots de passe d’un séjour',
    access: ADMIN,
    params: idParams,
    status: 200,
    /** One entry; none when the stay has no password. */
    reply: z.array(z.object({ mdp_formateur: z.string(), mdp_stagiaire: z.string() })),
  }),
  'POST /stage-passwords/:id/regenerer': call({
    summary:
      'Nouveau mot de passe d’un séjour\u202f; l’ancien n’ouvre plus rien, les connexions faites avec lui non plus',
    access: ADMIN,
    params: idParams,
    body: {
      as: 'json',
      schema: z.object({
        type: z.enum(Object.keys(PASSWORD_TYPES) as PasswordType[], {
          error: 'formateur ou stagiaire est attendu.',
        }),
      }),
    },
    status: 200,
    reply: z.object({ message: z.string(), mot_de_passe: z.string() }),
  }),
  'GET /download-passwords': call({
    summary: 'Les mots de passe de tous les séjours (mot_de_passe.xlsx)',
    access: ADMIN,
    status: 200,
    media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    reply: z.file(),
  }),
};
