import { z } from 'zod';
import { openSignIn } from '#features/accounts/calls.ts';
import { lastChange } from '#features/audit/calls.ts';
import { PDF_BYTES } from '#platform/shared/bytes.ts';
import { call, id, idParams, instant, json, workbook } from '#platform/shared/call.ts';
import { emailAddress, line, paragraphs, required, whole } from '#platform/shared/text.ts';
import {
  category,
  consent,
  day,
  familyAddress,
  firstName,
  lastName,
  mailAddress,
  passwordType,
  stageId,
  stayName,
  stayNumber,
  telephoneNumber,
} from './shared/fields.ts';
import {
  bookletName,
  CATEGORIES,
  EVALUATION_QUESTIONS,
  type EvaluationQuestion,
  MARKS,
  REVIEW_SECTIONS,
  type ReviewSection,
} from './shared/terms.ts';

/** Stays, their passwords and their practical information. */

export const namedStay = z.object({
  id: z.number(),
  nom_stage: z.string(),
  date_debut: z.string(),
  date_fin: z.string(),
});

const stay = namedStay.extend({
  adresse: z.string(),
  horaires: z.string(),
  telephone_urgence: z.string(),
  consignes: z.string(),
  /** `lien`: address, hours and telephone are blank here, and shown to families who open by their link; `non`: to none. */
  lieu: z.enum(['oui', 'lien', 'non']),
  /** Last day on which its photos are shown. */
  photos_jusquau: z.string(),
});

const managed = stay.extend({
  /** Days that its photos are kept; null: the retention of the settings. */
  conservation_jours: z.number().nullable(),
  /** Numbers of what a deletion of the stay takes along. */
  familles: z.number(),
  directeurs: z.number(),
  photos: z.number(),
  /** When its families and passwords were erased after the end of its photos; null: not erased. */
  efface_le: instant.nullable(),
  version: z.number(),
});

/** Of staff, on the thing that the address names. */
const BY_STAFF = { access: ['sejours'], params: idParams } as const;

/** Whether `date_fin` is not before `date_debut`; the error is reported on `date_fin`. */
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
    summary:
      'Les séjours\u202f: nom et dates, le plus récent d’abord\u202f; blancs pour les visiteurs si les réglages ne leur montrent que les numéros',
    access: 'anyone',
    reply: z.array(namedStay),
  }),
  'GET /unique-sejours': call({
    summary:
      'Les séjours, sous les noms que le site a toujours donnés\u202f; aucun pour les visiteurs si les réglages ne leur montrent que les numéros',
    access: 'anyone',
    reply: z.array(z.object({ nomSejour: z.string(), dateDebut: z.string(), dateFin: z.string() })),
  }),
  'GET /stages-names': call({
    summary:
      'Les noms et les dates des séjours\u202f; aucun pour les visiteurs si les réglages ne leur montrent que les numéros',
    access: 'anyone',
    reply: z.array(z.object({ nomStage: z.string(), dateDebut: z.string(), dateFin: z.string() })),
  }),
  'GET /stages-suivi': call({
    summary:
      'Les séjours avec leurs nombres de familles, de directeurs, de photos, d’évaluations et de sections du bilan, et si leurs photos sont finies, le plus récent d’abord',
    access: ['sejours', 'photos'],
    reply: z.array(
      namedStay.extend({
        familles: z.number(),
        directeurs: z.number(),
        photos: z.number(),
        /** Number of written sections of the review. */
        bilans: z.number(),
        evaluations: z.number(),
        /** Numbers of photos that await a decision, and of those whose removal was requested. */
        photos_a_verifier: z.number(),
        photos_demandees: z.number(),
        /** Whether its photos are over: its codes no longer sign anybody in. */
        photos_finies: z.boolean(),
      }),
    ),
  }),
  'GET /stages/:id': call({
    summary: 'Un séjour et ses informations pratiques\u202f; ce qui sert à le gérer, pour le portail seul',
    access: ['sejours', 'photos', 'director', 'family'],
    params: idParams,
    reply: z.union([managed, stay]),
  }),
  'POST /stages': call({
    summary: 'Création d’un séjour, avec ses deux mots de passe',
    access: ['sejours'],
    body: json(form),
    status: 201,
    reply: managed.extend({ message: z.string() }),
  }),
  'PUT /stages/:id': call({
    summary:
      'Modification d’un séjour\u202f; ce qui efface plus tôt ses photos demande une preuve (POST /admins/moi/preuve)',
    ...BY_STAFF,
    body: json(form),
    reply: managed.extend({ message: z.string() }),
    conflict: z.object({
      message: z.string(),
      actuel: managed.optional(),
      modifie: lastChange.optional(),
    }),
  }),
  'DELETE /stages/:id': call({
    summary: 'Suppression définitive d’un séjour, de ses familles, de ses photos et de ses mots de passe',
    ...BY_STAFF,
  }),
};

export const stayPasswordCalls = {
  'GET /stage-passwords/:id': call({
    summary: 'Les mots de passe d’un séjour',
    ...BY_STAFF,
    /** One entry; none when the stay has no password. */
    reply: z.array(z.object({ mdp_formateur: z.string(), mdp_stagiaire: z.string() })),
  }),
  'POST /stage-passwords/:id/regenerer': call({
    summary:
      'Nouveau mot de passe d’un séjour\u202f; l’ancien n’ouvre plus rien, les connexions faites avec lui non plus',
    access: ['sejours'],
    onFullDisk: true,
    params: idParams,
    body: json(z.object({ type: passwordType })),
    reply: z.object({ message: z.string(), mot_de_passe: z.string() }),
  }),
  'GET /download-passwords': call({
    summary: 'Les mots de passe de tous les séjours (mot_de_passe.xlsx)',
    access: ['sejours'],
    ...workbook,
  }),
};

/** Who is signed in to a stay, for staff: one may be on a device that is lost. */
export const staySessionCalls = {
  'GET /stages/:id/connexions': call({
    summary: 'Les connexions ouvertes d’un séjour, la dernière utilisée en tête',
    ...BY_STAFF,
    reply: z.array(openSignIn.extend({ type: passwordType })),
  }),
  'DELETE /stages/:id/connexions/:connexion': call({
    summary: 'Fin d’une connexion à un séjour',
    access: ['sejours'],
    params: idParams.extend({ connexion: idParams.shape.id }),
  }),
  'DELETE /stages/:id/connexions': call({
    summary: 'Fin de toutes les connexions à un séjour ; ses mots de passe restent',
    ...BY_STAFF,
  }),
};

/** A sign-in to a stay. */
export const stayEntered = z.object({
  token: z.string(),
  userRole: passwordType,
  stageId: z.number(),
  nom_stage: z.string(),
  message: z.string(),
  expire_le: instant,
});

export const staySignInCalls = {
  'POST /auth/login': call({
    summary: 'Connexion d’une famille ou d’un directeur à son séjour',
    access: 'anyone',
    onFullDisk: true,
    body: json(
      z.object({
        /** Any text is accepted: a malformed password is simply wrong. */
        password: z.string({ error: 'ce champ est obligatoire.' }).meta({ title: 'Mot de passe' }),
        stageId: stayNumber,
      }),
    ),
    reply: stayEntered,
  }),
  'POST /session/reprise': call({
    summary:
      'Les fichiers privés s’ouvrent de nouveau avec le jeton présenté\u202f: pour qui change de séjour',
    access: ['director', 'family'],
    onFullDisk: true,
  }),
};

/** Directors and the stays that they direct. The same e-mail address is the same person. */

const director = z.object({
  id: z.number(),
  nom: z.string(),
  prenom: z.string(),
  mail: z.string(),
  telephone: z.string(),
  version: z.number(),
  sejours: z.array(z.object({ stageId: z.number(), ...namedStay.omit({ id: true }).shape, cat: category })),
});
export type Director = z.infer<typeof director>;

const savedDirector = director.extend({ message: z.string() });

const identity = { nom: lastName, prenom: firstName, mail: mailAddress };
const person = { ...identity, telephone: telephoneNumber };
/** Version of the director that the form was filled from. */
const version = whole(1).optional();
const cat = category.meta({ title: 'Type' });

/** The directors of a stay; `mail` and `telephone` for staff only. */
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
    access: ['sejours'],
    reply: z.array(director),
  }),
  'GET /formateurs/by-stage/:id': call({
    summary: 'Les directeurs d’un séjour',
    access: ['sejours', 'director'],
    params: idParams,
    reply: ofStay,
  }),
  'GET /formateurs/by-stage/:id/:type': call({
    summary: 'Les directeurs d’un séjour, d’un seul type',
    access: ['sejours', 'director'],
    params: z.object({ id, type: z.enum(Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[]) }),
    reply: ofStay,
  }),
  'POST /formateurs/add': call({
    summary: 'Ajout d’un directeur à un séjour\u202f; une adresse connue met à jour la personne',
    access: ['sejours'],
    body: json(z.object({ ...person, cat, stageId })),
    status: 201,
    reply: savedDirector,
  }),
  'PUT /formateurs/update/:id': call({
    summary: 'Modification d’un directeur, et de son type pour un séjour si celui-ci est nommé',
    ...BY_STAFF,
    body: json(
      z
        .object({ ...person, version, cat: cat.optional(), stageId: stageId.optional() })
        .refine(({ cat, stageId }) => stageId === undefined || cat !== undefined, {
          error: 'ce champ est obligatoire quand un séjour est nommé.',
          path: ['cat'],
        }),
    ),
    reply: savedDirector,
  }),
  'PUT /formateurs/:id': call({
    summary:
      'Les séjours d’un directeur\u202f: la liste entière\u202f; le type vaut pour ceux qui s’ajoutent',
    ...BY_STAFF,
    body: json(
      z.object({
        ...person,
        version,
        cat,
        stageIds: z
          .array(stageId, { error: 'une liste de séjours est attendue.' })
          .max(500)
          .meta({ title: 'Séjours' }),
      }),
    ),
    reply: savedDirector,
  }),
  'DELETE /formateurs/delete/:id': call({
    summary: 'Suppression d’un directeur',
    ...BY_STAFF,
  }),
  'POST /formateurs/delete': call({
    summary: 'Suppression d’un directeur par son identité',
    access: ['sejours'],
    onFullDisk: true,
    body: json(z.object(identity)),
  }),
};

/** The children of a stay, each with its family's e-mail addresses. */

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

/** A child as directors see it. */
const childSeen = z.object({
  id: z.number(),
  prenom: z.string(),
  /** First letter of the last name. */
  initiale: z.string(),
  consentement_image: consent,
});
export type ChildSeen = z.infer<typeof childSeen>;

const childForm = {
  nom: lastName,
  prenom: firstName,
  mailRL: familyAddress,
  homonyme: z.boolean().optional().meta({
    title: 'Homonyme',
    description: 'Un autre enfant que celui de ce nom qui est déjà inscrit au séjour.',
  }),
};
const secondAddress = emailAddress(254).meta({ title: 'Second e-mail' });
const savedChild = child.extend({ message: z.string() });

/** Most children in one request: more than a stay has. */
const CHILDREN_MAX = 1_000;

export const childIds = z
  .array(whole(1), { error: 'une liste d’enfants est attendue.' })
  .min(1, { error: 'choisissez au moins un enfant.' })
  .max(CHILDREN_MAX, { error: '1 000 enfants au plus à la fois.' })
  .meta({ title: 'Enfants' });

export const familyCalls = {
  'GET /get-stagiaires/:id': call({
    summary:
      'Les enfants d’un séjour\u202f; à qui n’a que ses photos, et aux directeurs\u202f: prénom, initiale et droit à l’image',
    access: ['sejours', 'photos', 'director'],
    params: idParams,
    reply: z.union([z.array(child), z.array(childSeen)]),
  }),
  'PUT /update/:id': call({
    summary: 'Modification d’un enfant et des adresses de sa famille',
    ...BY_STAFF,
    body: json(
      z.object({
        ...childForm,
        email_2: secondAddress.optional(),
        consentement_image: consent.optional(),
        version: whole(1).optional(),
      }),
    ),
    reply: savedChild,
    conflict: z.object({ message: z.string(), actuel: child.optional() }),
  }),
  'POST /add-stagiaire': call({
    summary: 'Ajout d’un enfant à un séjour',
    access: ['sejours'],
    body: json(
      z.object({
        ...childForm,
        email_2: secondAddress.prefault(''),
        consentement_image: consent.prefault('inconnu'),
        stageId,
      }),
    ),
    status: 201,
    reply: savedChild,
  }),
  'GET /stages/:id/enfants': call({
    summary: 'La liste des enfants d’un séjour, en classeur',
    ...BY_STAFF,
    ...workbook,
  }),
  'POST /stagiaires/effacer': call({
    summary: 'Suppression d’enfants de leurs séjours, tous ou aucun',
    access: ['sejours'],
    onFullDisk: true,
    body: json(z.object({ ids: childIds })),
  }),
  'POST /stagiaires/deplacer': call({
    summary: 'Des enfants changent de séjour, tous ou aucun',
    access: ['sejours'],
    body: json(z.object({ ids: childIds, stageId })),
  }),
  'POST /stagiaires/droit-image': call({
    summary: 'Le droit à l’image d’enfants, tous ou aucun',
    access: ['sejours'],
    body: json(z.object({ ids: childIds, consentement_image: consent })),
    reply: z.object({
      message: z.string(),
      /** What the answers were, by which they are taken back. */
      avant: z.array(z.object({ ids: z.array(z.number()), consentement_image: consent })),
    }),
  }),
  'DELETE /stagiaire/delete/:id': call({
    summary: 'Suppression d’un enfant d’un séjour',
    ...BY_STAFF,
  }),
  'DELETE /deletePaxBySejour': call({
    summary: 'Suppression de tous les enfants d’un séjour',
    access: ['sejours'],
    body: json(
      z.object({
        sejour: required(line(150)).meta({ title: 'Séjour' }),
        dateDebut: day().meta({ title: 'Date de début' }),
        dateFin: day().meta({ title: 'Date de fin' }),
      }),
    ),
    reply: z.object({ message: z.string(), nombre: z.number() }),
  }),
};

/** Path separators, and bidirectional control characters, which make one name look like another. */
const MISLEADING = /[/\\\p{Bidi_Control}]/u;

/** The name of an uploaded file, turned into a booklet's name: it appears in URLs and on screen. */
export const sentName = z
  .string()
  .transform(bookletName)
  .pipe(line(150))
  .refine((name) => !MISLEADING.test(name), {
    error: 'le nom de ce fichier contient des caractères qui ne vont pas : renommez-le.',
  })
  .refine((name) => /[\p{L}\p{N}]/u.test(name.slice(0, -'.pdf'.length)), {
    error: 'ce fichier n’a pas de nom : renommez-le.',
  });

/** A booklet's name in a request: one line of up to 300 characters. */
export const askedName = line(300);

/** PDF files for directors and families of all stays or of one, identified by name, ignoring case. */
export const bookletCalls = {
  'GET /livrets': call({
    summary:
      'Les noms des livrets, qui s’ouvrent sous /api/doc_stage_formateur/{nom}\u202f; pour les personnes d’un séjour, ou d’un séjour nommé, les siens et ceux de tous les séjours',
    access: ['sejours', 'director', 'family'],
    query: z.object({ stageId: stageId.optional() }),
    reply: z.array(z.string()),
  }),
  'GET /livrets-suivi': call({
    summary: 'Les livrets, et pour chacun son séjour\u202f; sans séjour, il est pour tous',
    access: ['sejours'],
    reply: z.array(z.object({ nom: z.string(), sejour: namedStay.nullable() })),
  }),
  'POST /livrets-upload': call({
    summary:
      'Envoi d’un livret pour tous les séjours, ou pour un seul\u202f; un même nom remplace, où qu’il soit',
    access: ['sejours'],
    body: {
      as: 'multipart',
      schema: z.object({ stageId: stageId.optional() }),
      files: { livret: { label: 'Livret', kind: 'pdf', maxBytes: PDF_BYTES, maxFiles: 1 } },
    },
    status: 201,
    reply: z.object({ message: z.string(), nom: z.string(), conseil: z.string().optional() }),
  }),
  'DELETE /livrets/:name': call({
    summary: 'Suppression d’un livret',
    access: ['sejours'],
    params: z.object({ name: askedName }),
  }),
};

/** Directors' reviews and families' evaluations of a stay. */

const mark = whole(MARKS[0], MARKS[4]).nullable();
const sectionCodes = Object.keys(REVIEW_SECTIONS) as ReviewSection[];
const questionCodes = Object.keys(EVALUATION_QUESTIONS) as EvaluationQuestion[];

export const reviewCalls = {
  'GET /stages/:id/bilan': call({
    summary: 'Le bilan d’un séjour par ses directeurs, section par section',
    access: ['sejours', 'director'],
    params: idParams,
    reply: z.object({
      sections: z.array(
        z.object({ code: z.enum(sectionCodes), note: z.number().nullable(), commentaire: z.string() }),
      ),
      /** When the review was last changed; null: nothing was written yet. */
      modifie_le: z.string().nullable(),
    }),
  }),
  'PUT /stages/:id/bilan': call({
    summary: 'Enregistrement du bilan d’un séjour\u202f; une section non nommée reste',
    access: ['sejours', 'director'],
    params: idParams,
    body: json(
      z.object({
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
    ),
  }),
  'GET /stages/:id/evaluation': call({
    summary: 'Le questionnaire est-il ouvert, et cette connexion y a-t-elle répondu',
    access: ['family'],
    params: idParams,
    reply: z.object({ ouverte: z.boolean(), faite: z.boolean() }),
  }),
  'POST /stages/:id/evaluation': call({
    summary: 'Réponse d’une famille au questionnaire, une par connexion, sans identité',
    access: ['family'],
    params: idParams,
    body: json(
      z.object({
        notes: z.partialRecord(z.enum(questionCodes), mark).meta({ title: 'Notes' }),
        recommande: z.boolean().nullable().meta({ title: 'Recommandation' }),
        texte: paragraphs(5_000).prefault('').meta({ title: 'Commentaire' }),
      }),
    ),
    status: 201,
  }),
};

/** Most reports in one archive: all of them are made before the first byte is sent. */
const REPORTS_MAX = 100;

/** Numbers of stays, as `1,2,3`; a repeated one counts once. */
const stayIds = z
  .string({ error: 'choisissez au moins un séjour.' })
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'choisissez au moins un séjour.')
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .pipe(z.array(z.number()).max(REPORTS_MAX, `${REPORTS_MAX} séjours au plus à la fois.`))
  .meta({ title: 'Séjours' });

export const reportCalls = {
  'GET /rapports': call({
    summary:
      'Les rapports de plusieurs séjours, un classeur chacun (zip)\u202f; leurs numéros, entre virgules',
    access: ['sejours'],
    query: z.object({ sejours: stayIds }),
    media: 'application/zip',
    reply: z.file(),
  }),
  'GET /download-rapport': call({
    summary: 'Le rapport d’un séjour, bilan et évaluations (xlsx)',
    access: ['sejours'],
    query: z.object({
      nomStage: line(150).prefault('').meta({ title: 'Séjour' }),
      /** Dates of the stay, required when several stays have this name. */
      date_debut: day().optional().meta({ title: 'Date de début' }),
      date_fin: day().optional().meta({ title: 'Date de fin' }),
    }),
    ...workbook,
  }),
};
