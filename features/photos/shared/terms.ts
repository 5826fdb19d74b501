/*
 * The words and the limits of the photo site, on the wire and on screen. Free of zod, so that browsers need not load
 * it.
 */

/** Refusal of a file by its first bytes. */
export const NOT_A_PHOTO =
  'Ce fichier n’est pas une photo que le site sait lire\u202f: envoyez-la en JPEG, PNG, WebP, AVIF ou HEIC.';
/** Refusal of a file for which the site, not the file, is to blame: the only one that another attempt may mend. */
export const NOT_PREPARED = 'Cette photo n’a pas pu être préparée\u202f: envoyez-la de nouveau.';

/** What a person decides on a removal request: families no longer see the photo, or still do. */
export const REMOVAL_DECISIONS = ['retiree', 'gardee'] as const;
export type RemovalDecision = (typeof REMOVAL_DECISIONS)[number];

/** `legere` is made on the phone, so that it arrives soon; `complete` is the file as it was taken. */
export const PHOTO_VERSIONS = ['legere', 'complete'] as const;
export type PhotoVersion = (typeof PHOTO_VERSIONS)[number];

/**
 * Why a capture time cannot be right: it lies outside the stay, after the photo was chosen to be sent, or in the middle
 * of nights in which no other camera of the stay took a photo.
 */
export const CLOCK_REASONS = ['hors_sejour', 'apres', 'nuit'] as const;
export type ClockReason = (typeof CLOCK_REASONS)[number];

/** Longest side in pixels of each displayed size; smaller pictures keep their dimensions. */
export const PHOTO_SIZES = { w320: 320, w480: 480, w960: 960, w1920: 1920 } as const;
export type PhotoSize = keyof typeof PHOTO_SIZES;
/** Longest side in pixels of the JPEG for keeping. */
export const KEEPING_MAX = 4096;
/**
 * Longest side in pixels of a light version, which the phone makes; a panorama may be as long as `KEEPING_MAX`, as long as its
 * short side has no more than `LIGHT_SHORT`.
 */
export const LIGHT_MAX = 1920;
export const LIGHT_SHORT = 1080;

/** Most bytes of one photo file as uploaded. */
export const PHOTO_BYTES = 30 * 1024 * 1024;
/** Most photos of a stay, and most bytes of their files. */
export const STAY_PHOTOS = 5_000;
export const STAY_BYTES = 25 * 1024 ** 3;

/** Most seconds between the choice of a photo and its sending of which the site is told. */
export const WAITED_MAX = 31 * 86_400;

/** Most photos named in one call that changes, deletes or selects them. */
export const PHOTOS_AT_ONCE = 5_000;
/** Most photos in one answer of the list. */
export const PHOTOS_LISTED = 1_000;

/** Photos that the requests of one session can hide at once in a day; further requests wait for a person. */
export const REMOVALS_A_DAY = 20;
/** Like `REMOVALS_A_DAY`, for all sessions of a stay: anybody with its password can sign in any number of times. */
export const REMOVALS_OF_STAY = 100;
/** Most open removal requests kept for one photo, besides the one that hid it. */
export const REMOVALS_KEPT = 10;

/** Most zones of a photo that are blurred at once, and the least side of one, as a fraction of the photo's. */
export const ZONES_AT_ONCE = 20;
export const ZONE_LEAST = 0.01;

/** Sentence that must be confirmed before the first photos of a stay are published. */
export const ATTESTATION = 'Je confirme que les autorisations de droit à l’image ont été recueillies';
/** Version of `ATTESTATION`, stored in the proof; changes with the sentence. */
export const ATTESTATION_FORM = '2026-11';

/** Path, under `/api/api`, to which files are uploaded by the tus 1.0 protocol. */
export const UPLOAD_PATH = '/photos/envoi';
/** Path under which photo files are served. */
export const PHOTO_FOLDER = '/api/photos/';

/** Names of a photo's files; `jpeg` and `w480` are null for a photo prepared before these were made of it. */
export type PhotoFiles = Record<Exclude<PhotoSize, 'w480'>, string> & Record<'w480' | 'jpeg', string | null>;

/** Names of a photo's files, from their common prefix `nom`; every photo that is prepared now has the size of 480. */
export function photoFiles(nom: string, hasJpeg: boolean, has480 = true): PhotoFiles {
  return {
    w320: `${nom}_320.webp`,
    w480: has480 ? `${nom}_480.webp` : null,
    w960: `${nom}_960.webp`,
    w1920: `${nom}_1920.webp`,
    jpeg: hasJpeg ? `${nom}.jpg` : null,
  };
}

/** Days that a photo stays in the bin, and one as it was before it was blurred, before the site erases it for good. */
export const PHOTO_BIN_DAYS = 14;
/**
 * Photos that the directors of a stay throw away or blur in an hour, and in a day; of those beyond, nothing is erased before
 * staff have answered.
 */
export const DISCARDS_AN_HOUR = 50;
export const DISCARDS_A_DAY = 200;

/** Owner table of photos as they were before zones of them were blurred, in the file register. */
export const PHOTOS_BEFORE = 'photos_avant';

/** Days between the mail that warns families of the erasure and the last day of a stay's photos. */
export const PHOTO_NOTICE_DAYS = 7;

/** Years for which the nameless proof is kept that the families of an erased stay had agreed to photos. */
export const CONSENT_PROOF_YEARS = 5;
