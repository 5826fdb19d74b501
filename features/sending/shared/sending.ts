import { PHOTO_STATES, type PhotoState } from '#features/photos/shared/states.ts';
import { KEEPING_MAX, LIGHT_MAX, LIGHT_SHORT, type PhotoVersion } from '#features/photos/shared/terms.ts';

/*
 * Decisions of the upload queue, apart from the transfer itself: which photo goes next, how long to wait, what to
 * display.
 */

/** Most bytes of a photo sent without a light version first, which would hardly arrive sooner. */
export const LIGHT_WORTH = 600_000;
/** Estimated bytes of a light version until it is made. */
const LIGHT_GUESS = 450_000;

/** Longest side, in pixels, of the light version of a photo with these sides. */
export function lightSide(width: number, height: number): number {
  const ratio = Math.max(width, height) / Math.min(width, height);
  return Math.min(KEEPING_MAX, Math.max(LIGHT_MAX, Math.round(LIGHT_SHORT * ratio)));
}

/** State of a photo in the upload queue of a device. */
export type SendingState =
  | 'waiting'
  | 'preparing'
  | 'sending'
  /** All of it has arrived. */
  | 'received'
  /** The site had it before. */
  | 'known'
  /** Its light version has arrived, and its full one can never be taken. */
  | 'reduced'
  /** It can never be taken, however often it is sent. */
  | 'refused'
  /** It had arrived, and has since been erased from the site. */
  | 'gone'
  /** It may pass another time. */
  | 'failed'
  /** Its file was not kept on the device, for lack of room or of time: it has to be chosen again. */
  | 'missing';

export interface Sending {
  state: SendingState;
  /** SHA-256 of its file; blank until the file is read. */
  empreinte: string;
  taille: number;
  /** The best version that the site has. */
  has: PhotoVersion | undefined;
  /** Bytes of its light version; 0: none will be sent; undefined: not made yet. */
  lightSize: number | undefined;
  /** Bytes that have arrived of the version being sent. */
  sent: number;
  /** True while its file is stored on this device, from where a page opened later sends it. */
  isKept: boolean;
  /** Its state on the site; undefined until the site is asked. */
  statut: PhotoState | undefined;
  /** Instant, in ms, before which it is not tried again. */
  retryAt: number;
}

/** Whether the next transfer is small and gives the site its first version of the photo. */
function isQuick({ has, lightSize, taille }: Sending): boolean {
  return has === undefined && (lightSize !== 0 || taille <= LIGHT_WORTH);
}

/**
 * The photo to send next: all light versions first, then photos of which the site has nothing, then the full versions of
 * the others. None but light ones go before every file has been read.
 */
export function nextToSend<T extends Sending>(photos: Iterable<T>, now: number): T | undefined {
  let first: T | undefined;
  let whole: T | undefined;
  let isAllRead = true;
  for (const photo of photos) {
    if (photo.empreinte === '') {
      isAllRead &&= photo.state !== 'waiting' && photo.state !== 'preparing';
      continue;
    }
    if (photo.state !== 'waiting' || photo.retryAt > now) continue;
    if (isQuick(photo)) return photo;
    if (photo.has === undefined) first ??= photo;
    else whole ??= photo;
  }
  return isAllRead ? (first ?? whole) : undefined;
}

/** Backoff in ms before the next try, after `failures` failed tries in a row. */
export function waitAfter(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 60_000);
}

/** Whether the site still prepares it, or has not been asked. */
export function isUnprepared({ statut }: Pick<Sending, 'statut'>): boolean {
  return statut === undefined || PHOTO_STATES[statut].awaits === 'preparation';
}

/** Whether nothing of a photo is left to send. */
export function isOver({ state }: Pick<Sending, 'state'>): boolean {
  return ['received', 'known', 'reduced', 'refused', 'gone'].includes(state);
}

export type Tally = ReturnType<typeof tallyOf>;

/** What is counted of a queue: not files that can never be taken, nor photos erased from the site, as somebody wished. */
export function tallyOf(photos: readonly Sending[]) {
  const counted = photos.filter(({ state }) => state !== 'refused' && state !== 'gone');
  const inState = (...states: SendingState[]) => counted.filter(({ state }) => states.includes(state));
  const isReady = (photo: Sending) => photo.has !== undefined || isOver(photo);
  const ready = counted.filter(isReady).length;
  const done = inState('received', 'known');
  const left = inState('waiting', 'preparing', 'sending');
  const [light, unready] = [left.filter(isReady), left.filter((photo) => !isReady(photo))];
  return {
    total: counted.length,
    /** Photos of which a version has arrived: families may see them once they are checked. */
    ready,
    /** Like `ready`, with the part that has arrived of the others. */
    readyPart: ready + sumOf(unready, (photo) => Math.min(1, photo.sent / (firstSize(photo) || 1))),
    done: done.length,
    /** Like `done`, with the part that has arrived of the full versions of the others. */
    donePart: done.length + sumOf(light, ({ sent, taille }) => sent / taille),
    /** Photos of which only the light version will ever be there. */
    reduced: inState('reduced').length,
    refused: photos.filter(({ state }) => state === 'refused').length,
    failed: inState('failed').length,
    missing: inState('missing').length,
    left: left.length,
    /** Photos still to be sent of which the site has no version. */
    unready: unready.length,
    /** Photos still to be sent that are lost to this device once the page is closed. */
    unkept: left.filter(({ isKept }) => !isKept).length,
    /** Photos that have arrived in full, but are not prepared yet, as far as is known. */
    unprepared: done.filter(isUnprepared).length,
    /** Bytes to send until all photos are ready, and until all have arrived in full. */
    bytesToReady: sumOf(unready, firstLeft),
    bytesLeft:
      sumOf(unready, (photo) => firstLeft(photo) + (lightSizeOf(photo) > 0 ? photo.taille : 0)) +
      sumOf(light, ({ sent, taille }) => Math.max(0, taille - sent)),
  };
}

function sumOf(photos: readonly Sending[], numberOf: (photo: Sending) => number): number {
  return photos.reduce((sum, photo) => sum + numberOf(photo), 0);
}

function lightSizeOf({ lightSize, taille }: Sending): number {
  return lightSize ?? (taille > LIGHT_WORTH ? LIGHT_GUESS : 0);
}

/** Bytes of the first version of a photo: the light one, or the full one where no light one will be sent. */
function firstSize(photo: Sending): number {
  return lightSizeOf(photo) || photo.taille;
}

/** Bytes of its first version still to send. */
function firstLeft(photo: Sending): number {
  return Math.max(0, firstSize(photo) - photo.sent);
}

const MEASURED_MS = 30_000;
/** Milliseconds of measuring before the rate is used. */
const KNOWN_AFTER_MS = 5_000;

export class Rate {
  private samples: { at: number; bytes: number }[] = [];
  /** Milliseconds a byte, as it was measured last: an estimate outlasts the cuts of a bad network. */
  private pace: number | undefined;

  /** Adds a sample: `bytes` sent since the previous one; `at` in ms. */
  add(at: number, bytes: number): void {
    this.samples.push({ at, bytes });
    while (this.samples[0] && this.samples[0].at < at - MEASURED_MS) this.samples.shift();
  }

  /** Begins to measure anew, as nothing is sent for a while. */
  rest(): void {
    this.samples = [];
  }

  /** Milliseconds that `bytes` will take; undefined while the rate is unknown. */
  timeFor(bytes: number, now: number): number | undefined {
    const [first, ...later] = this.samples;
    if (first && now - first.at >= KNOWN_AFTER_MS) {
      const left = later.reduce((sum, sample) => sum + sample.bytes, 0);
      if (left > 0) this.pace = (now - first.at) / left;
    }
    return this.pace === undefined ? undefined : bytes * this.pace;
  }
}

export function aboutTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'moins d’une minute';
  if (minutes < 60) return `environ ${minutes}\u00a0min`;
  const quarters = Math.round(minutes / 15);
  const rest = (quarters % 4) * 15;
  return `environ ${Math.floor(quarters / 4)}\u00a0h${rest > 0 ? `\u00a0${rest}` : ''}`;
}

/** Reason why nothing is sent although photos are waiting. */
export type Hindrance = { kind: 'paused' | 'offline' } | { kind: 'trouble'; message: string };

/** Sentence on the progress of all uploads; blank when there is nothing to say. */
export function sendingSentence(tally: Tally): string {
  const { total, ready, left } = tally;
  if (left === 0) return endSentence(tally);
  // Not what can be checked: that is counted with what others have sent to the stay.
  if (ready < total) return `${ready}\u00a0sur\u00a0${total} arrivées`;
  return ready === 1 ? '1\u00a0photo arrivée' : `${ready}\u00a0photos arrivées`;
}

function endSentence({ total, done, reduced, refused, failed, missing, unprepared }: Tally): string {
  if (total === 0) return refused > 0 ? 'Aucune photo reçue' : '';
  const arrived = done + reduced;
  const received = arrived === 1 ? '1\u00a0photo reçue' : `${arrived}\u00a0photos reçues`;
  const gaps = [
    reduced > 0 && `dont ${reduced}\u00a0en qualité réduite`,
    failed > 0 && `${failed}\u00a0en échec`,
    missing > 0 && `${missing}\u00a0à choisir de nouveau`,
  ].filter((gap) => gap !== false);
  if (gaps.length > 0) return `${arrived > 0 ? received : 'Aucune photo reçue'}, ${gaps.join(', ')}`;
  // Until it is prepared, a file may turn out not to be a photo.
  return unprepared > 0 ? `${received}, le site les prépare…` : `${received}, rien ne manque`;
}

/** « 3 fichiers ne peuvent pas être pris »; blank when there is none. */
export function refusedSentence({ refused }: Pick<Tally, 'refused'>): string {
  if (refused === 0) return '';
  return refused === 1
    ? '1\u00a0fichier ne peut pas être pris'
    : `${refused}\u00a0fichiers ne peuvent pas être pris`;
}

/** « Toutes arrivées dans environ 4 min ». */
export function readyTime({ total }: Tally, ms: number): string {
  return `${total === 1 ? 'Arrivée' : 'Toutes arrivées'} dans ${aboutTime(ms)}`;
}

/** « Pleine qualité : 8 sur 70, environ 33 min »; `ms`: undefined while it cannot be estimated. */
export function wholeSentence({ done, total, reduced }: Tally, ms: number | undefined): string {
  const time = ms === undefined ? '' : `, ${aboutTime(ms)}`;
  return `Pleine qualité\u202f: ${done}\u00a0sur\u00a0${total - reduced}${time}`;
}

/** What holds up the uploads, a sentence. */
export function hindranceSentence(hindrance: Hindrance): string {
  if (hindrance.kind === 'trouble') return `${hindrance.message} L’envoi reprendra tout seul.`;
  return hindrance.kind === 'paused'
    ? 'Envoi en pause.'
    : 'Pas de réseau\u202f: l’envoi reprendra tout seul.';
}

/** What becomes of the photos still to be sent if the page is closed; blank when nothing would change. */
export function closingSentence({ left, unkept }: Tally, hindrance: Hindrance | undefined): string {
  if (left === 0) return '';
  if (unkept > 0) {
    const photos =
      unkept === 1
        ? '1\u00a0photo sera à choisir de nouveau'
        : `${unkept}\u00a0photos seront à choisir de nouveau`;
    return `Gardez cette page ouverte\u202f: si elle se ferme, ${photos}.`;
  }
  // Safari erases what a site keeps once nobody has opened it for a week, and private windows keep nothing.
  if (hindrance?.kind === 'paused')
    return 'Les photos qui attendent sont gardées 7\u00a0jours sur cet appareil, sauf en navigation privée.';
  return 'Gardez cette page ouverte\u202f: si elle se ferme, l’envoi s’arrête, et reprend quand vous la rouvrez dans les 7\u00a0jours. En navigation privée, les photos seront à choisir de nouveau.';
}

/** « 34 sur 70 arrivées · gardez cette page ouverte », for the other pages of the stay. */
export function barSentence(tally: Tally, hindrance: Hindrance | undefined): string {
  const { total, ready, done, reduced, unready } = tally;
  const count =
    unready > 0
      ? `${ready}\u00a0sur\u00a0${total} arrivées`
      : `Pleine qualité\u202f: ${done}\u00a0sur\u00a0${total - reduced}`;
  return `${count} · ${adviceOf(hindrance)}`;
}

function adviceOf(hindrance: Hindrance | undefined): string {
  if (hindrance?.kind === 'paused') return 'envoi en pause';
  if (hindrance?.kind === 'offline') return 'pas de réseau';
  return hindrance ? 'l’envoi reprendra tout seul' : 'gardez cette page ouverte';
}

/** All of it for screen readers: changes only at each quarter, as each photo would interrupt them. */
export function sendingNews(tally: Tally, hindrance: Hindrance | undefined): string {
  const refused = refusedSentence(tally);
  return [progressNews(tally, hindrance), refused].filter(Boolean).join('\u202f; ');
}

function progressNews(tally: Tally, hindrance: Hindrance | undefined): string {
  const { total, ready, done, reduced, left, unready, failed } = tally;
  if (left === 0) return sendingSentence(tally);
  if (hindrance?.kind === 'paused') return `Envoi en pause\u202f: ${sendingSentence(tally)}`;
  if (hindrance) return hindranceSentence(hindrance);
  const failures = failed > 0 ? `, ${failed}\u00a0en échec` : '';
  if (unready > 0) {
    return `Envoi en cours\u202f: ${quartersOf(ready / total)} des photos arrivées${failures}`;
  }
  const whole = quartersOf(done / (total - reduced));
  return `Photos arrivées, pleine qualité\u202f: ${whole}${failures}`;
}

function quartersOf(part: number): string {
  return `${Math.floor(4 * part) * 25}\u202f%`;
}
