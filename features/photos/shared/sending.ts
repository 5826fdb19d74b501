import { weightOf } from '#platform/shared/bytes.ts';
import { readMoment } from '#platform/shared/time.ts';
import type { PhotoState, PhotoVersion } from './terms.ts';

/*
 * Decisions of the upload queue, apart from the transfer itself: which photo goes next, how long to wait, what to
 * display.
 */

/** Most bytes of a photo sent without a light version first, which would hardly arrive sooner. */
export const LIGHT_WORTH = 600_000;
/** Estimated bytes of a light version until it is made. */
const LIGHT_GUESS = 450_000;

/** State of a photo in the upload queue of a device. */
export type SendingState =
  | 'waiting'
  | 'preparing'
  | 'sending'
  /** All of it has arrived. */
  | 'received'
  /** The site had it before. */
  | 'known'
  /** It had arrived, and has since been erased from the site. */
  | 'gone'
  | 'failed'
  /** Its file was not kept on the device, for lack of room or of time: it has to be chosen again. */
  | 'missing';

export interface Sending {
  state: SendingState;
  /** SHA-256 of its file; blank until the file is read. */
  empreinte: string;
  /** Bytes of its file. */
  taille: number;
  /** The best version that the site has. */
  has: PhotoVersion | undefined;
  /** Bytes of its light version; 0: none will be sent; undefined: not made yet. */
  lightSize: number | undefined;
  /** Bytes that have arrived of the version being sent. */
  sent: number;
  /** Its state on the site; undefined until the site is asked. */
  statut: PhotoState | undefined;
  /** Instant, in ms, before which it is not tried again. */
  retryAt: number;
}

/** Whether the next transfer is small and gives the site its first version of the photo. */
function isQuick({ has, lightSize, taille }: Sending): boolean {
  return has === undefined && (lightSize !== 0 || taille <= LIGHT_WORTH);
}

/** The photo to send next: all light versions first, and full ones only once every file has been read. */
export function nextToSend<T extends Sending>(photos: Iterable<T>, now: number): T | undefined {
  let whole: T | undefined;
  let isAllRead = true;
  for (const photo of photos) {
    if (photo.empreinte === '') {
      isAllRead &&= photo.state !== 'waiting' && photo.state !== 'preparing';
      continue;
    }
    if (photo.state !== 'waiting' || photo.retryAt > now) continue;
    if (isQuick(photo)) return photo;
    whole ??= photo;
  }
  return isAllRead ? whole : undefined;
}

/** Backoff in ms before the next try, after `failures` failed tries in a row. */
export function waitAfter(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 60_000);
}

/** Whether nothing of a photo is left to send. */
export function isOver({ state }: Pick<Sending, 'state'>): boolean {
  return state === 'received' || state === 'known' || state === 'gone';
}

export interface Tally {
  /** All photos but those erased from the site, which somebody did on purpose. */
  total: number;
  /** Photos that have arrived in full. */
  done: number;
  /** Photos of which only the light version has arrived. */
  light: number;
  failed: number;
  missing: number;
  /** Photos still to be sent. */
  left: number;
  /** Photos that have arrived in full, but are not prepared yet, as far as is known. */
  unprepared: number;
  /** Bytes to send in all, and bytes already sent. */
  bytes: number;
  bytesDone: number;
}

export function tallyOf(photos: Iterable<Sending>): Tally {
  const tally = { total: 0, done: 0, light: 0, failed: 0, missing: 0, left: 0, unprepared: 0 };
  let [bytes, bytesDone] = [0, 0];
  for (const photo of photos) {
    if (photo.state === 'gone') continue;
    tally.total++;
    if (photo.state === 'failed') tally.failed++;
    else if (photo.state === 'missing') tally.missing++;
    else if (photo.state === 'received' || photo.state === 'known') {
      tally.done++;
      if (photo.statut === undefined || photo.statut === 'recue') tally.unprepared++;
    } else tally.left++;
    if (photo.has === 'legere' && photo.state !== 'failed') tally.light++;
    const size = sizeOf(photo);
    bytes += size.all;
    bytesDone += size.done;
  }
  return { ...tally, bytes, bytesDone };
}

function sizeOf({ state, taille, lightSize, has, sent }: Sending): { all: number; done: number } {
  if (state === 'known' || state === 'failed' || state === 'missing') return { all: 0, done: 0 };
  const light = lightSize ?? (taille > LIGHT_WORTH && has === undefined ? LIGHT_GUESS : 0);
  const all = light + taille;
  if (state === 'received') return { all, done: all };
  return { all, done: Math.min(all, (has === 'legere' ? light : 0) + sent) };
}

/** Milliseconds over which the rate is measured. */
const MEASURED_MS = 30_000;
/** Milliseconds of measuring before the rate is used. */
const KNOWN_AFTER_MS = 5_000;

/** Measures the rate at which bytes are sent. */
export class Rate {
  private samples: { at: number; bytes: number }[] = [];

  /** Adds a sample: `bytes` sent since the previous one; `at` in ms. */
  add(at: number, bytes: number): void {
    this.samples.push({ at, bytes });
    while (this.samples[0] && this.samples[0].at < at - MEASURED_MS) this.samples.shift();
  }

  forget(): void {
    this.samples = [];
  }

  /** Milliseconds that `bytes` will take; undefined while the rate is unknown. */
  timeFor(bytes: number, now: number): number | undefined {
    const [first, ...later] = this.samples;
    if (!first || now - first.at < KNOWN_AFTER_MS) return undefined;
    const left = later.reduce((sum, sample) => sum + sample.bytes, 0);
    return left > 0 ? (bytes * (now - first.at)) / left : undefined;
  }
}

/** « environ 4 min ». */
export function aboutTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'moins d’une minute';
  if (minutes < 60) return `environ ${minutes}\u00a0min`;
  const quarters = Math.round(minutes / 15);
  const rest = (quarters % 4) * 15;
  return `environ ${Math.floor(quarters / 4)}\u00a0h${rest > 0 ? `\u00a0${rest}` : ''}`;
}

/** « 34 Mo sur 120 Mo ». */
export function amountSent({ bytes, bytesDone }: Tally): string {
  return `${weightOf(bytesDone)} sur ${weightOf(bytes)}`;
}

/** Reason why nothing is sent although photos are waiting. */
export type Hindrance = { kind: 'paused' | 'offline' } | { kind: 'trouble'; message: string };

/** Sentence on the progress of all uploads; blank when there is nothing to say. */
export function sendingSentence(tally: Tally, hindrance: Hindrance | undefined): string {
  const { total, done, left, failed, missing, unprepared } = tally;
  if (total === 0) return '';
  if (left > 0) {
    const count = `${done}\u00a0sur\u00a0${total}`;
    if (hindrance?.kind === 'paused') return `Envoi en pause\u202f: ${count}`;
    if (hindrance?.kind === 'offline') return 'Pas de réseau\u202f: l’envoi reprendra tout seul.';
    if (hindrance?.kind === 'trouble') return `${hindrance.message} L’envoi reprendra tout seul.`;
    return `Envoi en cours\u202f: ${count}`;
  }
  const received = done === 1 ? '1\u00a0photo reçue' : `${done}\u00a0photos reçues`;
  const gaps = [
    failed > 0 && (failed === 1 ? '1\u00a0en échec' : `${failed}\u00a0en échec`),
    missing > 0 && `${missing}\u00a0à choisir de nouveau`,
  ].filter((gap) => gap !== false);
  if (gaps.length > 0) return `${done > 0 ? received : 'Aucune photo reçue'}, ${gaps.join(', ')}`;
  // Until it is prepared, a file may turn out not to be a photo.
  return unprepared > 0 ? `${received}, le site les prépare…` : `${received}, rien ne manque`;
}

/** Like `sendingSentence`, for screen readers: changes only at each quarter, as each photo would interrupt them. */
export function sendingNews(tally: Tally, hindrance: Hindrance | undefined): string {
  if (tally.left === 0 || hindrance) return sendingSentence(tally, hindrance);
  const quarters = Math.floor((4 * tally.done) / tally.total);
  const failures = tally.failed > 0 ? `, ${tally.failed}\u00a0en échec` : '';
  return `Envoi en cours\u202f: ${quarters * 25}\u202f%${failures}`;
}

/** Length in bytes of the beginning of a JPEG that holds its capture time. */
export const CAPTURE_TIME_WITHIN = 128 * 1024;

const JPEG = 0xffd8;
const APP1 = 0xffe1;
/** « Exif » and two zeros. */
const EXIF_HEADER = 6;
const EXIF_FOLDER = 0x8769;
const TAKEN_AT = 0x9003;

/**
 * Capture time of a JPEG from its Exif data, on the clock of its camera, as read by `readMoment`; undefined when it has
 * none. `head`: the first bytes of the file.
 */
export function captureTimeIn(head: Uint8Array): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const tiff = tiffIn(view);
    return tiff && takenAt(tiff);
  } catch {
    // Cut or damaged: its offsets point outside of it.
    return undefined;
  }
}

function tiffIn(view: DataView): DataView | undefined {
  if (view.getUint16(0) !== JPEG) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    // « Exif » in four bytes.
    if (view.getUint16(at) !== APP1 || view.getUint32(at + 4) !== 0x45786966) continue;
    const start = at + 4 + EXIF_HEADER;
    return new DataView(view.buffer, view.byteOffset + start, view.byteLength - start);
  }
  return undefined;
}

function takenAt(tiff: DataView): string | undefined {
  // « II » or « MM ».
  const isLittle = tiff.getUint16(0) === 0x4949;
  const find = (folder: number, tag: number) => {
    const count = tiff.getUint16(folder, isLittle);
    for (let entry = folder + 2; entry < folder + 2 + count * 12; entry += 12) {
      if (tiff.getUint16(entry, isLittle) === tag) return tiff.getUint32(entry + 8, isLittle);
    }
    return undefined;
  };
  const folder = find(tiff.getUint32(4, isLittle), EXIF_FOLDER);
  const place = folder && find(folder, TAKEN_AT);
  if (!place) return undefined;
  let text = '';
  for (let at = place; at < place + 19; at++) text += String.fromCharCode(tiff.getUint8(at));
  return readMoment(text.replace(/^(\d{4}):(\d{2}):(\d{2}) /, '$1-$2-$3T'));
}
