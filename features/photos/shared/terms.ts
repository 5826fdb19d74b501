/*
 * The words and the limits of the photo site, on the wire and on screen. Free of zod, so that browsers need not load
 * it.
 */

/** Where a photo stands in its life, as those who look after it read it. */
export const PHOTO_STATES = {
  /** Its file has come, and its sizes are being made. */
  recue: 'En préparation',
  a_verifier: 'À vérifier',
  publiee: 'Publiée',
  refusee: 'Refusée',
  /** Somebody asked for its removal: nobody else sees it until a person decides. */
  retiree: 'Retirée sur demande',
  /** Its file cannot be made into a photo; why is in `refus`. */
  illisible: 'Illisible',
} as const;
export type PhotoState = keyof typeof PHOTO_STATES;

/** The states that a person gives to a photo. */
export const DECISIONS = ['a_verifier', 'publiee', 'refusee', 'retiree'] as const;
export type Decision = (typeof DECISIONS)[number];

/** `legere` is made on the phone, so that it arrives soon; `complete` is the file as it was taken. */
export const PHOTO_VERSIONS = ['legere', 'complete'] as const;
export type PhotoVersion = (typeof PHOTO_VERSIONS)[number];

/** Longest side in pixels of what is shown, by the name of the size; smaller pictures stay as they are. */
export const PHOTO_SIZES = { w320: 320, w960: 960, w1920: 1920 } as const;
export type PhotoSize = keyof typeof PHOTO_SIZES;
/** Longest side in pixels of the JPEG for keeping, which full versions alone have. */
export const KEEPING_MAX = 4096;
/** Longest side in pixels of a light version, which the phone makes. */
export const LIGHT_MAX = 1920;

/** Bytes of one photo as it is sent. */
export const PHOTO_BYTES = 30 * 1024 * 1024;
/** What a stay may hold. */
export const STAY_PHOTOS = 5_000;
export const STAY_BYTES = 25 * 1024 ** 3;

/** Photos named in one call: those whose state is asked, changed or selected. */
export const PHOTOS_AT_ONCE = 5_000;
/** Photos of one answer of the list. */
export const PHOTOS_LISTED = 1_000;

/** Removals that one sign-in asks for in a day and that hide the photo at once; those beyond wait for a person. */
export const REMOVALS_A_DAY = 20;
/** The same of a stay in all: whoever has its password may sign in as often as they like. */
export const REMOVALS_OF_STAY = 100;
/** Requests for the removal of a photo that are kept until a person decides, besides the one that hid it. */
export const REMOVALS_KEPT = 10;

/** What whoever publishes the first photos of a stay confirms. */
export const ATTESTATION = 'Je confirme que les autorisations de droit à l’image ont été recueillies';
/** Which wording was confirmed: part of the proof, it changes with the sentence. */
export const ATTESTATION_FORM = '2026-11';

/** Under `/api/api`: where files are sent, in the protocol of tus 1.0. */
export const UPLOAD_PATH = '/photos/envoi';
/** Where the files of photos are served. */
export const PHOTO_FOLDER = '/api/photos/';

/** The names of a photo's files. */
export type PhotoFiles = Record<PhotoSize, string> & { jpeg: string | null };

/** `nom` is what all of them begin with. */
export function photoFiles(nom: string, hasJpeg: boolean): PhotoFiles {
  return {
    w320: `${nom}_320.webp`,
    w960: `${nom}_960.webp`,
    w1920: `${nom}_1920.webp`,
    jpeg: hasJpeg ? `${nom}.jpg` : null,
  };
}

/** Days before the last one of a stay's photos on which its families are told by mail. */
export const PHOTO_NOTICE_DAYS = 7;

/** Years during which it can be proven, without a name, that the families of an erased stay had agreed to photos. */
export const CONSENT_PROOF_YEARS = 5;
