import { z } from 'zod';
import { childIds, namedStay, stayEntered } from '#features/stays/calls.ts';
import { mailAddress, passwordType, stageId, stayNumber } from '#features/stays/shared/fields.ts';
import { call, id, idParams, instant, json, qrCode } from '#platform/shared/call.ts';
import {
  MAIL_KINDS,
  MAIL_STATES,
  MAIL_TROUBLES,
  type MailKind,
  type MailState,
  type MailTrouble,
} from '#platform/shared/mails.ts';
import { line, paragraphs, required, whole } from '#platform/shared/text.ts';
import { CODES_SUBJECT, MAILING_STAYS_MAX, SUBJECT_MAX, TEXT_MAX } from './shared/terms.ts';

/* Calls on the mails that the site sends: codes of stays, free mails, and their progress. */

const kind = z.enum(Object.keys(MAIL_KINDS) as MailKind[]);
const state = z.enum(Object.keys(MAIL_STATES) as MailState[]);
const trouble = z.enum(Object.keys(MAIL_TROUBLES) as MailTrouble[]);

/** A subject without `=?`, which mail programs take for the start of encoded text, and would display as another one. */
const subject = required(line(SUBJECT_MAX)).refine((value) => !value.includes('=?'), {
  error: 'les signes =? l’un après l’autre ne peuvent pas y figurer.',
});

/** What staff write around the codes. */
const codesTexts = {
  type: passwordType.meta({ title: 'Destinataires' }),
  objet: subject.prefault(CODES_SUBJECT).meta({ title: 'Objet' }),
  /** Text before the codes; blank: none. */
  texte: paragraphs(TEXT_MAX).prefault('').meta({ title: 'Message' }),
};

const recipients = {
  stageIds: z
    .array(stageId, { error: 'Veuillez sélectionner un séjour.' })
    .min(1, { error: 'Veuillez sélectionner un séjour.' })
    .max(MAILING_STAYS_MAX, { error: `${MAILING_STAYS_MAX} séjours au plus à la fois.` })
    .meta({ title: 'Séjours' }),
  /** Only to the families of these children. */
  enfants: childIds.optional(),
};

const codes = z.object({
  ...codesTexts,
  ...recipients,
  /** Only to the addresses that have not been sent the current password. */
  seulement: z.enum(['non_recus'], { error: 'non_recus est attendu.' }).optional(),
});

/** What staff write to families, or to directors, in light Markdown. */
const wordTexts = {
  type: codesTexts.type,
  objet: subject.meta({ title: 'Objet' }),
  texte: required(paragraphs(TEXT_MAX)).meta({ title: 'Message' }),
};
const word = z.object({ ...wordTexts, ...recipients });

/** A message as its reader sees it. */
const shown = z.object({
  destinataire: z.string(),
  objet: z.string(),
  html: z.string(),
  texte: z.string(),
});

/** To whom a mailing would go. */
const planned = z.object({
  nombre: z.number(),
  par_sejour: z.array(
    namedStay.extend({
      nombre: z.number(),
      /** How many have the codes already. */
      deja: z.number(),
      /** How many children have no address: their families get the code by a slip. */
      sans_email: z.number(),
    }),
  ),
  /** The first message, without its password; null when there is nobody. */
  exemple: shown.nullable(),
});
const sent = z.object({ message: z.string(), id: z.number(), nombre: z.number() });
const tried = z.object({ message: z.string(), id: z.number() });

const mailing = z.object({
  id: z.number(),
  genre: kind,
  /** Type of the codes; null for other mails. */
  type: passwordType.nullable(),
  /** Null once it is erased. */
  objet: z.string().nullable(),
  /** By date; in a list, only the first ones: `sejours_nombre` is their total number. */
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
  /** Estimated seconds until the last waiting message is sent; null: none waits, or unknown. */
  reste_secondes: z.number().nullable(),
});
export type Mailing = z.infer<typeof mailing>;

/** Whom a refused message was for: their names, and what they are. */
const person = z.object({
  nature: z.enum(['enfant', 'directeur']),
  id: z.number(),
  prenom: z.string(),
  nom: z.string(),
});

const mailMessage = z.object({
  id: z.number(),
  destinataire: z.string(),
  stageId: z.number().nullable(),
  nom_stage: z.string().nullable(),
  etat: state,
  essais: z.number(),
  erreur: trouble.nullable(),
  /** The provider's answer, verbatim. */
  reponse: z.string().nullable(),
  /** When a waiting message that was already tried is tried again; null for others. */
  prochain_essai: instant.nullable(),
  /** When it was sent, given up or cancelled; null until then. */
  termine_le: instant.nullable(),
  /** Those whose address it is, for a refused message about a stay; the others have none. */
  personnes: z.array(person),
});
export type MailMessage = z.infer<typeof mailMessage>;

/** Most messages of a mailing in one answer. */
export const MESSAGES_PAGE = 200;

export const codeCalls = {
  'POST /stages/envoi-mots-de-passe/apercu': call({
    summary: 'À qui partiraient des codes, et un message tel qu’il serait lu\u202f; rien n’est envoyé',
    access: ['sejours'],
    body: json(codes),
    reply: planned,
  }),
  'POST /stages/envoi-mots-de-passe/essai': call({
    summary: 'Un message d’essai à une adresse, avec un mot de passe qui n’ouvre rien',
    access: ['sejours'],
    body: json(z.object({ ...codesTexts, stageId, email: mailAddress })),
    status: 201,
    reply: tried,
  }),
  'POST /stages/envoi-mots-de-passe': call({
    summary: 'Envoi des codes d’un ou de plusieurs séjours, un message par adresse',
    access: ['sejours'],
    body: json(codes),
    status: 201,
    reply: sent,
  }),
  'POST /stages/message/apercu': call({
    summary: 'À qui partirait un message aux familles, et comment il serait lu\u202f; rien n’est envoyé',
    access: ['sejours'],
    body: json(word),
    reply: planned,
  }),
  'POST /stages/message/essai': call({
    summary: 'Un essai d’un message aux familles, à une adresse',
    access: ['sejours'],
    body: json(z.object({ ...wordTexts, email: mailAddress })),
    status: 201,
    reply: tried,
  }),
  'POST /stages/message': call({
    summary:
      'Un message aux familles, ou à la direction, de séjours\u202f: un par adresse, sans mot de passe',
    access: ['sejours'],
    body: json(word),
    status: 201,
    reply: sent,
  }),
};

export const mailingCalls = {
  'GET /envois': call({
    summary: 'Les envois, le plus récent d’abord',
    access: ['sejours'],
    reply: z.array(mailing),
  }),
  'GET /envois/refuses': call({
    summary: 'Les messages refusés dont personne n’a encore corrigé l’adresse, le plus récent d’abord',
    access: ['sejours'],
    reply: z.array(mailMessage.extend({ envoi_id: z.number(), genre: kind })),
  }),
  'PUT /envois/:id/messages/:n/adresse': call({
    summary:
      'L’adresse d’un message refusé, corrigée partout où elle est inscrite ; le message repart aussitôt',
    access: ['sejours'],
    params: z.object({ id, n: id }),
    body: json(z.object({ email: mailAddress })),
  }),
  'GET /envois/:id': call({
    summary: 'Un envoi et ses messages, ceux en échec d’abord',
    access: ['sejours'],
    params: idParams,
    query: z.object({
      etat: z.union([z.literal(''), state]).default(''),
      /** Number of messages to skip. */
      apres: whole(0, 999_999).default(0),
    }),
    reply: mailing.extend({ messages: z.array(mailMessage) }),
  }),
  'POST /envois/:id/relancer': call({
    summary: 'Les messages en échec d’un envoi sont envoyés de nouveau',
    access: ['sejours'],
    params: idParams,
    reply: z.object({ message: z.string(), nombre: z.number() }),
  }),
  'GET /envois/:id/messages/:n': call({
    summary: 'Un message tel que son destinataire le lit\u202f; sa lecture est inscrite au journal',
    access: ['sejours'],
    params: z.object({ id, n: id }),
    /** `remarque`: says that the message was sent with a password that has been changed since; null: nothing to say. */
    reply: shown.extend({ remarque: z.string().nullable() }),
  }),
  'GET /messagerie': call({
    summary: 'Où en est l’envoi des e-mails',
    access: ['contenus', 'sejours'],
    reply: z.object({
      /** False: no mail server is set, messages wait and are read in the portal. */
      configuree: z.boolean(),
      expediteur: z.string().nullable(),
      en_attente: z.number(),
      /** The trouble that keeps all messages from being sent, and the next try. */
      panne: z.object({ erreur: trouble, depuis: instant, prochain_essai: instant }).nullable(),
      par_jour: z.number().nullable(),
      /** Messages sent in the last 24 hours, begun hours included. */
      partis: z.number(),
    }),
  }),
};

export const freeMailCalls = {
  'POST /send-email': call({
    summary: 'Un e-mail à une personne',
    access: ['contenus', 'sejours'],
    once: true,
    body: {
      as: 'form',
      schema: z.object({
        to: mailAddress.meta({ title: 'À' }),
        subject: subject.meta({ title: 'Objet' }),
        message: required(paragraphs(TEXT_MAX)).meta({ title: 'Message' }),
      }),
    },
    reply: z.object({ message: z.string(), id: z.number() }),
  }),
};

export const lostCodeCalls = {
  'POST /auth/code-perdu': call({
    summary:
      'Les codes d’un séjour, de nouveau, à une adresse qui y est inscrite\u202f; la réponse est toujours la même',
    access: 'anyone',
    body: json(z.object({ stageId: stayNumber, email: mailAddress })),
  }),
};

/** An address of a stay, by which its link is found. */
const addressed = json(z.object({ type: passwordType, adresse: required(line(254)) }));

const access = z.object({
  /** Whether families also sign in with the password that they share. */
  mot_de_passe_commun: z.boolean(),
  /** Whether they are told of new photos in the evening. */
  message_soir: z.boolean(),
});

export const linkCalls = {
  'POST /auth/lien': call({
    summary: 'Connexion d’une famille ou d’un directeur par le lien qui est propre à son adresse',
    access: 'anyone',
    onFullDisk: true,
    body: json(z.object({ /** What stands after the `#` of the link. */ jeton: line(200) })),
    reply: stayEntered,
  }),
  'GET /stages/:id/liens': call({
    summary: 'Les adresses qui reçoivent les codes d’un séjour, et où en est le lien de chacune',
    access: ['sejours'],
    params: idParams,
    query: z.object({ type: passwordType.default('stagiaire') }),
    reply: z.array(
      z.object({
        adresse: z.string(),
        /** The child who was given a link on paper, in place of an address; null: it is one. */
        enfant: z.string().nullable(),
        /** Whether a link was made for it, which goes with the codes. */
        envoye: z.boolean(),
        /** When it was first opened; null: never. */
        ouvert_le: instant.nullable(),
        /** When staff cut it; null: it opens. */
        coupe_le: instant.nullable(),
        /** When the address asked for no more evening mails; null: it gets them. */
        soir_arret: instant.nullable(),
        /** Number of devices that are signed in by it. */
        appareils: z.number(),
      }),
    ),
  }),
  'GET /stages/:id/acces': call({
    summary: 'Ce qui est permis aux familles d’un séjour',
    access: ['sejours'],
    params: idParams,
    reply: access,
  }),
  'PUT /stages/:id/acces': call({
    summary: 'Ce qui est permis aux familles d’un séjour\u202f; ce qui n’est pas nommé reste',
    access: ['sejours'],
    params: idParams,
    body: json(access.partial()),
    reply: access.extend({ message: z.string() }),
  }),
  'POST /stages/:id/liens/couper': call({
    summary: 'Le lien d’une adresse n’ouvre plus rien, et les appareils qu’il a ouverts se ferment',
    access: ['sejours'],
    params: idParams,
    body: addressed,
  }),
  'POST /stages/:id/liens/nouveau': call({
    summary: 'Un nouveau lien, envoyé avec les codes à une adresse ; le précédent n’ouvre plus rien',
    access: ['sejours'],
    once: true,
    params: idParams,
    body: addressed,
  }),
};

export const slipCalls = {
  'GET /stages/:id/etiquettes': call({
    summary: 'De quoi imprimer les codes d’un séjour, une étiquette par famille ou par directeur',
    access: ['sejours'],
    fresh: true,
    params: idParams,
    query: z.object({ type: passwordType.default('stagiaire') }),
    reply: namedStay.extend({
      type: passwordType,
      /** Address of the site as people type it. */
      adresse_site: z.string(),
      /** Sign-in link with the stay filled in, as encoded in `qr`. */
      lien: z.string(),
      /** Null: families do not sign in with it. */
      mot_de_passe: z.string().nullable(),
      /** A slip for each family, or director, whose code opens the stay by a link of its own. */
      etiquettes: z.array(z.object({ noms: z.string(), qr: qrCode })),
      familles: z.number(),
      /** How many of these families have no address. */
      sans_email: z.number(),
      organisation: z.string(),
      photos_jusquau: z.string(),
      qr: qrCode,
    }),
  }),
};
