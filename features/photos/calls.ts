import { z } from 'zod';
import { day } from '#features/stays/shared/fields.ts';
import { call, id, idParams, instant, json } from '#platform/shared/call.ts';
import { CAMERA } from '#platform/shared/camera.ts';
import { line, paragraphs, whole } from '#platform/shared/text.ts';
import { readMoment } from '#platform/shared/time.ts';
import { PREPARED, STATES } from './shared/states.ts';
import {
  CLOCK_REASONS,
  PHOTO_VERSIONS,
  PHOTOS_AT_ONCE,
  PHOTOS_LISTED,
  REMOVAL_DECISIONS,
  WAITED_MAX,
  ZONE_LEAST,
  ZONES_AT_ONCE,
} from './shared/terms.ts';

/* Calls on the photos of stays: checking, viewing, taking down. Files are uploaded and served by separate routes. */

const state = z.enum(STATES, { error: 'cet état n’existe pas.' });

const photo = z.object({
  id: z.number(),
  statut: state,
  /** Why a person refused it; blank for families. */
  motif: z.string(),
  /** The day under which it is shown. */
  jour: z.string(),
  /** Capture time, on the photographer's clock, to the millisecond where it is known or sorts a burst; the Z means nothing. */
  prise_le: z.string(),
  /** Sorts the photos of a day, before `id`; like `prise_le` until somebody moves photos. */
  rang: z.string(),
  legende: z.string(),
  /** Width in pixels of its largest size, upright; 0 until it is prepared, like `hauteur`. */
  largeur: z.number(),
  hauteur: z.number(),
  /** ThumbHash in base64. */
  apercu: z.string(),
  /** That of its files; until they are made, the best one that has arrived. */
  version: z.enum(PHOTO_VERSIONS),
  /** Null until it is prepared. */
  fichiers: z
    .object({
      w320: z.string(),
      /** Null for a photo prepared before this size existed. */
      w480: z.string().nullable(),
      w960: z.string(),
      w1920: z.string(),
      /** Of its light version until the full one is prepared; null for a while where version 1.1.0 prepared that. */
      jpeg: z.string().nullable(),
    })
    .nullable(),
  /** From when families see it; may be in the future. */
  publiee_le: instant.nullable(),
  /** Sent only to staff and directors. */
  gestion: z
    .object({
      /** Name of the file as it was sent; blank once the photo is prepared. */
      nom_envoye: z.string(),
      /** Why its file, or its full version, could not be made into a photo; a French sentence. */
      refus: z.string(),
      /** Bytes of its files. */
      octets: z.number(),
      /** Removal requests that wait for a person. */
      demandes: z.array(z.object({ mot: z.string(), created_at: instant })),
      /** The camera that took it, by make and model; blank: unknown. */
      appareil: z.string(),
      /** Null: nobody has ruled it out. What is ruled out stays so until `ecartee: false` takes it back. */
      ecartee: z
        .object({
          ecartee_le: instant,
          /** Who ruled it out, as the journal names them; blank: nobody knows. */
          ecartee_par: z.string(),
        })
        .nullable(),
      /** Null: it is not in the bin. */
      corbeille: z
        .object({
          jetee_le: instant,
          /** Who put it there, as the journal names them. */
          jetee_par: z.string(),
          /** From when the site erases it for good; null: once staff have confirmed that it may. */
          effacement_le: instant.nullable(),
        })
        .nullable(),
      /** Sent only to staff: how it was before it was blurred last; null: that is not kept. */
      avant: z
        .object({
          id: z.number(),
          floutee_le: instant,
          /** Who blurred it, as the journal names them. */
          floutee_par: z.string(),
          /** From when the site erases it; null: once staff have answered. */
          effacement_le: instant.nullable(),
        })
        .nullable(),
    })
    .optional(),
});
export type Photo = z.infer<typeof photo>;

const ids = z
  .array(whole(1), { error: 'une liste de photos est attendue.' })
  .min(1, { error: 'au moins une photo est attendue.' })
  .max(PHOTOS_AT_ONCE, { error: `${PHOTOS_AT_ONCE} photos au plus.` })
  .meta({ title: 'Photos' });

/** Fields of a change; absent: unchanged. */
const changes = {
  statut: z.enum(PREPARED, { error: 'cet état n’existe pas.' }).optional(),
  motif: line(300).optional().meta({ title: 'Motif' }),
  legende: line(300).optional().meta({ title: 'Légende' }),
  jour: day().optional().meta({ title: 'Jour' }),
  /** With `publiee`: from when families see the photos; absent: at once. */
  publiee_le: z.iso
    .datetime({ error: 'un instant est attendu.' })
    .optional()
    .meta({ title: 'Heure de publication' }),
  /** With `publiee`: somebody has read that families asked for the removal of some, and shows them all the same. */
  malgre_demandes: z.literal(true, { error: 'seul «\u00a0true\u00a0» est attendu.' }).optional(),
  /** With `publiee` or `refusee`: what the families that asked for the removal of the photos read beside the decision. */
  reponse: line(300).optional().meta({ title: 'Réponse à la famille' }),
  /** A photo that was ruled out is taken back, with `a_verifier` or `publiee`; one photo at a time. A refusal rules out. */
  ecartee: z.literal(false, { error: 'seul «\u00a0false\u00a0» est attendu.' }).optional(),
  /** Cursor of the list on screen: photos taken down or refused since then are not shown again by mistake. */
  repere: line(100).optional(),
};

const changed = z.object({ message: z.string(), photos: z.array(photo) });

const notChanged = z.object({
  message: z.string(),
  /** The message is a sentence that somebody has to confirm first. */
  attestation: z.literal(true).optional(),
  /** The message is a question: families asked for the removal of this number of the photos. See `malgre_demandes`. */
  demandes: z.number().optional(),
});

/** Seconds of a hundred years. */
const SHIFT_MAX = 3_155_760_000;

const stayId = whole(1, 999_999_999_999_999).meta({ title: 'Séjour' });

const moment = line(40)
  .transform((value) => readMoment(value, true))
  .refine((value): value is string => value !== undefined, { error: 'une date et une heure sont attendues.' })
  .meta({ title: 'Prise le' });

/** SHA-256 of a file as it was taken, in hexadecimal. */
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, { error: 'une empreinte SHA-256 est attendue.' });

/** The tus metadata of a file, given before its bytes are sent. */
export const sentPhoto = z.object({
  stageId: stayId,
  filename: line(255).prefault('').meta({ title: 'Nom du fichier' }),
  /** SHA-256 of the file as it was taken, whichever version is sent. */
  empreinte: fingerprint.meta({ title: 'Empreinte' }),
  version: z.enum(PHOTO_VERSIONS).meta({ title: 'Version' }),
  /** Capture time, on the photographer's clock; the one in the file, if any, takes precedence. */
  prise_le: moment.optional(),
  /** The camera whose clock says so, as `cameraName` writes it. */
  appareil: z
    .string()
    .regex(CAMERA, { error: 'le nom d’un appareil est attendu.' })
    .optional()
    .meta({ title: 'Appareil' }),
  /** Seconds since it was chosen on the sender's device, by the clock of this device; it was taken before. */
  choisie_depuis: whole(0, WAITED_MAX).optional().meta({ title: 'Choisie depuis' }),
});
export type SentPhoto = z.infer<typeof sentPhoto>;

const attestation = z.object({
  formulaire: z.string(),
  atteste_le: instant,
  acteur: z.string(),
});

/** Remainder of an attestation once the photos of the stay are erased: numbers, and no name of a child. */
const proof = attestation.extend({
  oui: z.number(),
  non: z.number(),
  inconnu: z.number(),
  photos: z.number(),
  efface_le: instant,
});

const dayWord = z.object({
  jour: z.string(),
  mot: z.string(),
  /** Number of photos; for families, of visible ones. */ photos: z.number(),
});

const fraction = (least: number) =>
  z
    .number({ error: 'un nombre est attendu.' })
    .min(least, { error: `${least} au moins est attendu.` })
    .max(1, { error: '1 au plus est attendu.' });

/** A rectangle of a photo as it is shown, in fractions of its width and its height. */
const zone = z
  .object({ x: fraction(0), y: fraction(0), l: fraction(ZONE_LEAST), h: fraction(ZONE_LEAST) })
  .refine(({ x, y, l, h }) => x + l <= 1.001 && y + h <= 1.001, { error: 'une zone sort de la photo.' });

/** Photos of one camera: how many, and the capture times of the first and of the last one, as they are now. */
const span = { nombre: z.number(), du: z.string(), au: z.string() };

const clocks = z.object({
  /** Clocks that were wrong, about which nobody has answered; that of most photos first. */
  a_regler: z.array(
    z.object({
      appareil: z.string(),
      ...span,
      /** The photo by which to say when they were taken, and its capture time as it is now. */
      photo: z.number(),
      prise_le: z.string(),
      raison: z.enum(CLOCK_REASONS),
      /** Seconds by which it was probably wrong. */
      decalage: z.number(),
      /** Other photos of the camera, whose capture times may be right; `aussi`: they would be after `decalage` too. */
      autres: z.object({ ...span, aussi: z.boolean() }).nullable(),
    }),
  ),
  /** Answers given, the last first; `decalage` 0: the photos were left as they are. */
  reglees: z.array(
    z.object({
      id: z.number(),
      appareil: z.string(),
      decalage: z.number(),
      decide_le: instant,
      nombre: z.number(),
    }),
  ),
});

const OF_STAY = ['photos', 'director', 'family'] as const;
const CHECKERS = ['photos', 'director'] as const;
const OF_STAY_BY_ID = { access: OF_STAY, params: idParams };
const CHECKERS_BY_ID = { access: CHECKERS, params: idParams };
const CHECKERS_BY_DAY = { access: CHECKERS, params: z.object({ id, date: day() }) };
const ON_IDS = { body: json(z.object({ ids })) };

export const photoCalls = {
  'GET /stages/:id/photos': call({
    summary:
      'Les photos d’un séjour, le dernier jour d’abord, chacun dans son ordre\u202f; aux familles, celles qui sont publiées',
    ...OF_STAY_BY_ID,
    query: z.object({
      /** `suite` of the previous answer. */
      apres: line(100).optional(),
      limite: z.coerce.number().int().min(1).max(PHOTOS_LISTED).default(200),
      /** Only for staff and directors. */
      statut: state.optional(),
    }),
    reply: z.object({
      photos: z.array(photo),
      /** Cursor of the next page; null: this is the last one. */
      suite: z.string().nullable(),
      /** Number of photos on all pages. */
      total: z.number(),
      /** Cursor with which to ask for the changes after this answer. */
      repere: z.string(),
    }),
  }),
  'GET /stages/:id/photos/changements': call({
    summary: 'Ce qui a changé dans les photos d’un séjour depuis un repère',
    ...OF_STAY_BY_ID,
    query: z.object({ depuis: line(100) }),
    reply: z.object({
      photos: z.array(photo),
      /** Ids of the photos that the viewer no longer sees. */
      parties: z.array(z.number()),
      repere: z.string(),
      /** Too much has changed, or the cursor is not valid: the whole list has to be read again. */
      tout: z.boolean(),
    }),
  }),
  'GET /stages/:id/photos/suivi': call({
    summary: 'Où en sont les photos d’un séjour',
    ...CHECKERS_BY_ID,
    reply: z.object({
      par_statut: z.record(state, z.number()),
      /** Photos whose publication time is in the future. */
      programmees: z.number(),
      /** Photos whose full version has not arrived. */
      legeres: z.number(),
      octets: z.number(),
      demandes: z.number(),
      plus_ancienne_demande: instant.nullable(),
      /** Null: nobody has confirmed yet. */
      attestation: attestation.nullable(),
      /** Proof of the photos erased last; null: there were none. */
      preuve: proof.nullable(),
      photos_jusquau: z.string(),
      /** From when families and directors no longer see the photos. */
      fin: instant,
      horloges: clocks,
    }),
  }),
  'POST /stages/:id/horloges': call({
    summary: 'Réponse sur l’horloge d’un appareil : ses photos sont redatées, ou laissées comme elles sont',
    ...CHECKERS_BY_ID,
    body: json(
      z.object({
        /** One of the photos whose capture time cannot be right. */
        photo: whole(1).meta({ title: 'Photo' }),
        /** Seconds by which they were taken later than they say; 0: they are left as they are. */
        decalage: whole(-SHIFT_MAX, SHIFT_MAX, 'cette date est trop éloignée.').meta({
          title: 'Date et heure',
        }),
        /** Whether the other photos of the camera move as well. */
        toutes: z.boolean().default(false),
      }),
    ),
    reply: z.object({ message: z.string(), /** Of the answer. */ id: z.number() }),
  }),
  'DELETE /stages/:id/horloges/:n': call({
    summary: 'Annulation d’une réponse sur l’horloge d’un appareil',
    access: CHECKERS,
    params: z.object({ id, n: id }),
  }),
  'GET /stages/:id/flux': call({
    summary:
      'Événements\u202f: «\u00a0photos\u00a0» à chaque changement des photos d’un séjour, sans rien en dire',
    access: OF_STAY,
    byCookie: true,
    params: idParams,
    media: 'text/event-stream',
    reply: z.file(),
  }),
  'GET /stages/:id/photos.zip': call({
    summary:
      'Les photos publiées d’un séjour, d’un jour ou d’une sélection, en un fichier ZIP qui se reprend',
    access: OF_STAY,
    byCookie: true,
    params: idParams,
    query: z.object({ jour: day().optional(), selection: line(100).optional() }),
    media: 'application/zip',
    reply: z.file(),
  }),
  'POST /photos/selection': call({
    summary: 'Une sélection de photos, à télécharger ensemble dans les vingt-quatre heures',
    access: OF_STAY,
    body: json(z.object({ stageId: stayId, ids })),
    status: 201,
    reply: z.object({ cle: z.string() }),
  }),
  'POST /photos/connues': call({
    summary: 'Lesquels de ces fichiers sont arrivés, et ce qu’ils sont devenus',
    access: CHECKERS,
    onFullDisk: true,
    body: json(z.object({ stageId: stayId, empreintes: z.array(fingerprint).max(1_000) })),
    reply: z.object({
      connues: z.array(
        z.object({
          empreinte: z.string(),
          id: z.number(),
          version: z.enum(PHOTO_VERSIONS),
          statut: state,
          refus: z.string(),
        }),
      ),
    }),
  }),
  'PATCH /photos': call({
    summary: 'Décision ou correction sur plusieurs photos d’un séjour',
    access: CHECKERS,
    onFullDisk: true,
    body: json(z.object({ ids, ...changes })),
    reply: changed,
    conflict: notChanged,
  }),
  'PATCH /photos/:id': call({
    summary: 'Décision ou correction sur une photo',
    ...CHECKERS_BY_ID,
    onFullDisk: true,
    body: json(z.object(changes)),
    reply: changed,
    conflict: notChanged,
  }),
  'POST /photos/supprimer': call({
    summary: 'Plusieurs photos d’un séjour sont mises à la corbeille, pour quatorze jours',
    access: CHECKERS,
    onFullDisk: true,
    ...ON_IDS,
  }),
  'DELETE /photos/:id': call({
    summary: 'Une photo est mise à la corbeille, pour quatorze jours',
    ...CHECKERS_BY_ID,
  }),
  'POST /photos/retablir': call({
    summary: 'Des photos d’un séjour sortent de la corbeille\u202f; elles sont à vérifier',
    access: CHECKERS,
    ...ON_IDS,
  }),
  'POST /photos/confirmer': call({
    summary:
      'Des photos que la direction d’un séjour a supprimées en nombre pourront être effacées, quatorze jours plus tard',
    access: ['photos'],
    ...ON_IDS,
  }),
  'POST /photos/effacer': call({
    summary: 'Effacement immédiat et pour de bon de photos d’un séjour, à la corbeille ou non',
    access: ['photos'],
    onFullDisk: true,
    ...ON_IDS,
  }),
  'POST /photos/:id/retouche': call({
    summary: 'Une photo est tournée, ou des zones en sont rendues floues',
    ...CHECKERS_BY_ID,
    body: json(
      z.object({
        /** `fichiers.w320` of the photo that was on screen: it is not changed if it has become another one since. */
        fichier: line(60),
        /** Quarter turns clockwise. */
        quarts: z.literal([0, 1, 2, 3], { error: '0, 1, 2 ou 3 est attendu.' }).default(0),
        /** To be blurred before the photo is turned. */
        zones: z
          .array(zone, { error: 'une liste de zones est attendue.' })
          .max(ZONES_AT_ONCE, { error: `${ZONES_AT_ONCE} zones au plus.` })
          .default([])
          .meta({ title: 'Zones' }),
      }),
    ),
    reply: changed,
  }),
  'POST /photos/:id/avant/:n': call({
    summary: 'Le dernier floutage d’une photo est annulé\u202f: elle est montrée comme avant',
    access: ['photos'],
    params: z.object({ id, n: id }),
    body: json(z.object({ /** As in a retouch. */ fichier: line(60) })),
    reply: changed,
  }),
  'POST /photos/garder-floutees': call({
    summary:
      'Des photos que la direction d’un séjour a floutées en nombre le restent\u202f; comme elles étaient, elles sont effacées quatorze jours plus tard',
    access: ['photos'],
    ...ON_IDS,
  }),
  'POST /photos/:id/retrait': call({
    summary: 'Demande de retrait d’une photo, cachée aussitôt à toutes les familles',
    ...OF_STAY_BY_ID,
    onFullDisk: true,
    body: json(z.object({ mot: paragraphs(1_000).prefault('').meta({ title: 'Mot' }) })),
    reply: z.object({
      message: z.string(),
      /** False past the daily limits, or once a person has decided: the photo stays visible until a new decision. */
      masquee: z.boolean(),
    }),
  }),
  'GET /stages/:id/retraits': call({
    summary: 'Ce qui a été décidé des retraits demandés par cette connexion, tant qu’elle ne l’a pas lu',
    ...OF_STAY_BY_ID,
    reply: z.array(
      z.object({
        id: z.number(),
        demande_le: instant,
        decision: z.enum(REMOVAL_DECISIONS),
        /** What the team wrote; may be blank. */
        reponse: z.string(),
        decide_le: instant,
      }),
    ),
  }),
  'POST /stages/:id/retraits/lus': call({
    summary: 'Des réponses aux demandes de retrait de cette connexion ont été lues',
    ...OF_STAY_BY_ID,
    onFullDisk: true,
    body: json(
      z.object({
        ids: z.array(whole(1), { error: 'une liste de réponses est attendue.' }).max(PHOTOS_AT_ONCE),
      }),
    ),
  }),
  'POST /stages/:id/attestation': call({
    summary: 'Confirmation que les autorisations de droit à l’image ont été recueillies',
    ...CHECKERS_BY_ID,
    reply: z.object({ message: z.string(), attestation }),
  }),
  'GET /stages/:id/jours': call({
    summary: 'Les jours d’un séjour qui ont des photos ou un mot, le dernier d’abord',
    ...OF_STAY_BY_ID,
    reply: z.array(dayWord),
  }),
  'GET /stages/:id/jours/:date': call({
    summary: 'Le mot d’un jour',
    access: OF_STAY,
    params: z.object({ id, date: day() }),
    reply: dayWord,
  }),
  'PUT /stages/:id/jours/:date': call({
    summary: 'Le mot d’un jour, écrit par la direction du séjour\u202f; vide, il est effacé',
    ...CHECKERS_BY_DAY,
    body: json(z.object({ mot: paragraphs(2_000).meta({ title: 'Mot du jour' }) })),
  }),
  'POST /stages/:id/jours/:date/ordre': call({
    summary: 'Des photos d’un jour, déplacées dans ce jour',
    ...CHECKERS_BY_DAY,
    body: json(
      z.object({
        /** In the order in which they follow each other afterwards. */
        ids,
        /** The photo before which they are put; null: at the end of the day. */
        avant: whole(1).nullable().meta({ title: 'Avant' }),
      }),
    ),
  }),
  'DELETE /stages/:id/jours/:date/ordre': call({
    summary: 'Les photos d’un jour, remises dans l’ordre des prises de vue',
    ...CHECKERS_BY_DAY,
  }),
};
