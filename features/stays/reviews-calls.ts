import { z } from 'zod';
import { call, idParams, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { line, paragraphs, whole } from '#platform/shared/text.ts';
import { day } from './shared/fields.ts';
import {
  EVALUATION_QUESTIONS,
  type EvaluationQuestion,
  MARKS,
  REVIEW_SECTIONS,
  type ReviewSection,
} from './shared/terms.ts';

/** What directors and families say of a stay once it is over. */

const mark = whole(MARKS[0], MARKS[4]).nullable();
const sectionCodes = Object.keys(REVIEW_SECTIONS) as ReviewSection[];
const questionCodes = Object.keys(EVALUATION_QUESTIONS) as EvaluationQuestion[];

export const reviewCalls = {
  'GET /stages/:id/bilan': call({
    summary: 'Le bilan d’un séjour par ses directeurs, section par section',
    access: ['admin', 'director'],
    params: idParams,
    status: 200,
    reply: z.object({
      sections: z.array(
        z.object({ code: z.enum(sectionCodes), note: z.number().nullable(), commentaire: z.string() }),
      ),
      /** Null: nothing was written yet. */
      modifie_le: z.string().nullable(),
    }),
  }),
  'PUT /stages/:id/bilan': call({
    summary: 'Enregistrement du bilan d’un séjour\u202f; une section non nommée reste',
    access: ['admin', 'director'],
    params: idParams,
    body: {
      as: 'json',
      schema: z.object({
        sections: z
          .array(
            z.object({
              code: z.enum(sectionCodes, { error: 'cette section n’existe pas.' }),
              note: mark,
              commentaire: paragraphs(5_000),
            }),
          )
          .max(sectionCodes.length),
      }),
    },
    status: 200,
    reply: message,
  }),
  'GET /stages/:id/evaluation': call({
    summary: 'Le questionnaire est-il ouvert, et cette connexion y a-t-elle répondu',
    access: ['family'],
    params: idParams,
    status: 200,
    reply: z.object({ ouverte: z.boolean(), faite: z.boolean() }),
  }),
  'POST /stages/:id/evaluation': call({
    summary: 'Réponse d’une famille au questionnaire, une par connexion, sans identité',
    access: ['family'],
    params: idParams,
    body: {
      as: 'json',
      schema: z.object({
        notes: z.partialRecord(z.enum(questionCodes), mark).meta({ title: 'Notes' }),
        recommande: z.boolean().nullable().meta({ title: 'Recommandation' }),
        texte: paragraphs(5_000).prefault('').meta({ title: 'Commentaire' }),
      }),
    },
    status: 201,
    reply: message,
  }),
  'GET /download-rapport': call({
    summary: 'Le rapport d’un séjour, bilan et évaluations (xlsx)',
    access: ADMIN,
    query: z.object({
      nomStage: line(150).prefault('').meta({ title: 'Séjour' }),
      /** Needed where several stays have this name. */
      date_debut: day().optional().meta({ title: 'Date de début' }),
      date_fin: day().optional().meta({ title: 'Date de fin' }),
    }),
    status: 200,
    media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    reply: z.file(),
  }),
};
