import { z } from 'zod';
import { mailAddress } from '#features/stays/shared/fields.ts';
import { call, id, idParams, instant, message } from '#platform/shared/call.ts';
import {
  MAIL_KINDS,
  MAIL_STATES,
  MAIL_TROUBLES,
  type MailKind,
  type MailState,
  type MailTrouble,
} from '#platform/shared/mails.ts';
import { qrCode } from '#platform/shared/qr.ts';
import { ADMIN, PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { line, paragraphs, required, whole } from '#platform/shared/text.ts';
import { CODES_SUBJECT, MAILING_STAYS_MAX, SUBJECT_MAX, TEXT_MAX } from './shared/terms.ts';

/** Mails that the site sends: codes of stays, free ones, and how far each is. */

const kind = z.enum(Object.keys(MAIL_KINDS) as MailKind[]);
const state = z.enum(Object.keys(MAIL_STATES) as MailState[]);
const trouble = z.enum(Object.keys(MAIL_TROUBLES) as MailTrouble[]);
const type = z.enum(Object.keys(PASSWORD_TYPES) as PasswordType[], {
  error: 'formateur ou stagiaire est attendu.',
});
const stageId = whole(1, 999_999_999_999_999).meta({ title: 'Séjour' });

/** Mail programs take what stands after these two signs for coded letters, and show something else. */
const subject = required(line(SUBJECT_MAX)).refine((value) => !value.includes('=?'), {
  error: 'les signes =? l’un après l’autre ne peuvent pas y figurer.',
});

/** What staff write around the codes. */
const codesTexts = {
  type: type.meta({ title: 'Destinataires' }),
  objet: subject.prefault(CODES_SUBJECT).meta({ title: 'Objet' }),
  /** Before the codes; blank: nothing. */
  texte: paragraphs(TEXT_MAX).prefault('').meta({ title: 'Message' }),
};

const codes = z.object({
  ...codesTexts,
  stageIds: z
    .array(stageId, { error: 'Veuillez sélectionner un séjour.' })
    .min(1, { error: 'Veuillez sélectionner un séjour.' })
    .max(MAILING_STAYS_MAX, { error: `${MAILING_STAYS_MAX} séjours au plus à la fois.` })
    .meta({ title: 'Séjours' }),
  /** Only to the addresses that have not been sent the password that counts now. */
  seulement: z.enum(['non_recus'], { error: 'non_recus est attendu.' }).optional(),
});

const namedStay = z.object({
  id: z.number(),
  nom_stage: z.string(),
  date_debut: z.string(),
  date_fin: z.string(),
});

/** A message as its reader sees it. */
const shown = z.object({
  destinataire: z.string(),
  objet: z.string(),
  html: z.string(),
  texte: z.string(),
});

const mailing = z.object({
  id: z.number(),
  genre: kind,
  /** Whose codes; null for other mails. */
  type: type.nullable(),
  /** Null once it is erased. */
  objet: z.string().nullable(),
  /** By date; in a list the first ones only, `sejours_nombre` says how many there are. */
  sejours: z.array(namedStay),
  sejours_nombre: z.number(),
  acteur: z.string(),
  created_at: instant,
  total: z.number(),
  attente: z.number(),
  envoi: z.number(),
  envoye: z.number(),
  echec: z.number(),
  annule: z.number(),
  /** Seconds until the last waiting one has left, as far as can be told; null: nothing waits, or nobody knows. */
  reste_secondes: z.number().nullable(),
});
export type Mailing = z.infer<typeof mailing>;

const mailMessage = z.object({
  id: z.number(),
  destinataire: z.string(),
  stageId: z.number().nullable(),
  nom_stage: z.string().nullable(),
  etat: state,
  essais: z.number(),
  erreur: trouble.nullable(),
  /** What the provider answered, in its own words. */
  reponse: z.string().nullable(),
  /** Of a waiting one that was tried: when it is tried again. */
  prochain_essai: instant.nullable(),
  /** Since when it is sent or given up. */
  termine_le: instant.nullable(),
});
export type MailMessage = z.infer<typeof mailMessage>;

/** Messages of a mailing that one answer lists. */
export const MESSAGES_PAGE = 200;

export const mailCalls = {
  'POST /stages/envoi-mots-de-passe/apercu': call({
    summary: 'À qui partiraient des codes, et un message tel qu’il serait lu\u202f; rien n’est envoyé',
    access: ADMIN,
    body: { as: 'json', schema: codes },
    status: 200,
    reply: z.object({
      nombre: z.number(),
      par_sejour: z.array(namedStay.extend({ nombre: z.number(), deja: z.number() })),
      /** The first message, with the real password; null when there is nobody. */
      exemple: shown.nullable(),
    }),
  }),
  'POST /stages/envoi-mots-de-passe/essai': call({
    summary: 'Un message d’essai à une adresse, avec un mot de passe qui n’ouvre rien',
    access: ADMIN,
    body: { as: 'json', schema: z.object({ ...codesTexts, stageId, email: mailAddress }) },
    status: 201,
    reply: z.object({ message: z.string(), id: z.number() }),
  }),
  'POST /stages/envoi-mots-de-passe': call({
    summary: 'Envoi des codes d’un ou de plusieurs séjours, un message par adresse',
    access: ADMIN,
    body: { as: 'json', schema: codes },
    status: 201,
    reply: z.object({ message: z.string(), id: z.number(), nombre: z.number() }),
  }),
  'GET /envois': call({
    summary: 'Les envois, le plus récent d’abord',
    access: ADMIN,
    status: 200,
    reply: z.array(mailing),
  }),
  'GET /envois/:id': call({
    summary: 'Un envoi et ses messages, ceux en échec d’abord',
    access: ADMIN,
    params: idParams,
    query: z.object({
      etat: z.union([z.literal(''), state]).default(''),
      /** Messages to leave out from the beginning. */
      apres: whole(0, 999_999).default(0),
    }),
    status: 200,
    reply: mailing.extend({ messages: z.array(mailMessage) }),
  }),
  'POST /envois/:id/relancer': call({
    summary: 'Les messages en échec d’un envoi sont envoyés de nouveau',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: z.object({ message: z.string(), nombre: z.number() }),
  }),
  'GET /envois/:id/messages/:n': call({
    summary: 'Un message tel que son destinataire le lit\u202f; sa lecture est inscrite au journal',
    access: ADMIN,
    params: z.object({ id, n: id }),
    status: 200,
    /** What is to be known of what is shown: the password that it left with is another one by now. */
    reply: shown.extend({ remarque: z.string().nullable() }),
  }),
  'GET /messagerie': call({
    summary: 'Où en est l’envoi des e-mails',
    access: ADMIN,
    status: 200,
    reply: z.object({
      /** False: no mail server is set, messages wait and are read in the portal. */
      configuree: z.boolean(),
      expediteur: z.string().nullable(),
      en_attente: z.number(),
      /** What keeps every message from leaving, and when the next try is. */
      panne: z.object({ erreur: trouble, depuis: instant, prochain_essai: instant }).nullable(),
      par_jour: z.number().nullable(),
      /** Those that left in the last 24 hours, begun hours included. */
      partis: z.number(),
    }),
  }),
  'POST /send-email': call({
    summary: 'Un e-mail à une personne',
    access: ADMIN,
    body: {
      as: 'form',
      schema: z.object({
        to: mailAddress.meta({ title: 'À' }),
        subject: subject.meta({ title: 'Objet' }),
        message: required(paragraphs(TEXT_MAX)).meta({ title: 'Message' }),
      }),
    },
    status: 200,
    reply: z.object({ message: z.string(), id: z.number() }),
  }),
  'POST /auth/code-perdu': call({
    summary:
      'Les codes d’un séjour, de nouveau, à une adresse qui y est inscrite\u202f; la réponse est toujours la même',
    access: 'anyone',
    body: {
      as: 'json',
      schema: z.object({
        stageId: whole(1, 999_999_999_999_999, 'le numéro du séjour n’a que des chiffres.').meta({
          title: 'Numéro du séjour',
        }),
        email: mailAddress,
      }),
    },
    status: 200,
    reply: message,
  }),
  'GET /stages/:id/etiquettes': call({
    summary: 'De quoi imprimer les codes d’un séjour, une étiquette par famille',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: namedStay.extend({
      /** Address of the site as people type it. */
      adresse_site: z.string(),
      /** Address of the sign-in with the stay filled in, which the QR code says. */
      lien: z.string(),
      mot_de_passe: z.string(),
      familles: z.number(),
      organisation: z.string(),
      photos_jusquau: z.string(),
      qr: qrCode,
    }),
  }),
};
