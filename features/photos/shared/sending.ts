import { weightOf } from '#platform/shared/bytes.ts';
import type { PhotoState, PhotoVersion } from './terms.ts';

/*
 * What is decided of photos on their way, apart from how they travel: which goes next, how long to wait, what is said.
 */

/** Bytes up to which a photo is sent as it is: a light version would hardly arrive sooner. */
export const LIGHT_WORTH = 600_000;
/** Bytes of a light version, as guessed until it is made. */
const LIGHT_GUESS = 450_000;

/** Where a photo stands on its way from a device. */
export type SendingState =
  | 'waiting'
  | 'preparing'
  | 'sending'
  /** All of it has arrived. */
  | 'received'
  /** It was there before. */
  | 'known'
  /** It had arrived, and was erased from the site since. */
  | 'gone'
  | 'failed'
  /** It was not kept, for lack of room or of time: it has to be chosen again. */
  | 'missing';

export interface Sending {
  state: SendingState;
  /** SHA-256 of its file; blank until it was read. */
  empreinte: string;
  /** Bytes of its file. */
  taille: number;
  /** The best version that the site has. */
  has: PhotoVersion | undefined;
  /** Bytes of its light version; 0: none will be sent; undefined: not made yet. */
  lightSize: number | undefined;
  /** Bytes that arrived of the version on its way. */
  sent: number;
  /** What became of it on the site, once the site was asked. */
  statut: PhotoState | undefined;
  /** Instant, in ms, before which it is not tried again. */
  retryAt: number;
}

/** It soon lets families see the photo. */
function isQuick({ has, lightSize, taille }: Sending): boolean {
  return has === undefined && (lightSize !== 0 || taille <= LIGHT_WORTH);
}

/** The photo to send next: all light versions first, and whole ones only once every file was read. */
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

/** Time, in ms, before the next try after that many in a row have failed. */
export function waitAfter(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 60_000);
}

/** Nothing of it is to be sent any more. */
export function isOver({ state }: Pick<Sending, 'state'>): boolean {
  return state === 'received' || state === 'known' || state === 'gone';
}

export interface Tally {
  /** All but those that are gone: somebody wanted it so. */
  total: number;
  /** Those that are there in full. */
  done: number;
  /** Those of which the light version alone is there. */
  light: number;
  failed: number;
  missing: number;
  /** Those that are still to go. */
  left: number;
  /** Those whose full version came and that the site has not prepared yet. */
  unprepared: number;
  /** What had or has to travel, and what of it did, in bytes. */
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

/** Time, in ms, that a rate is measured over, and before which it says nothing. */
const MEASURED_MS = 30_000;
const KNOWN_AFTER_MS = 5_000;

/** How fast bytes leave, measured while they do. */
export class Rate {
  private samples: { at: number; bytes: number }[] = [];

  /** `bytes` left since the last time; `at` in ms. */
  add(at: number, bytes: number): void {
    this.samples.push({ at, bytes });
    while (this.samples[0] && this.samples[0].at < at - MEASURED_MS) this.samples.shift();
  }

  forget(): void {
    this.samples = [];
  }

  /** Time, in ms, that so many bytes take; undefined while nobody can tell. */
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

/** Why nothing leaves although something should. */
export type Hindrance = { kind: 'paused' | 'offline' } | { kind: 'trouble'; message: string };

/** Where the whole sending stands, in a sentence; blank when there is nothing to say. */
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
  // Until it is prepared, a photo may prove to be none.
  return unprepared > 0 ? `${received}, le site les prépare…` : `${received}, rien ne manque`;
}

/** The same for those who hear it, and whom each photo would interrupt: said anew at each quarter. */
export function sendingNews(tally: Tally, hindrance: Hindrance | undefined): string {
  if (tally.left === 0 || hindrance) return sendingSentence(tally, hindrance);
  const quarters = Math.floor((4 * tally.done) / tally.total);
  const failures = tally.failed > 0 ? `, ${tally.failed}\u00a0en échec` : '';
  return `Envoi en cours\u202f: ${quarters * 25}\u202f%${failures}`;
}
