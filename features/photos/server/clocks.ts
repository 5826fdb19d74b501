import type { Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, invalid, notFound } from '#platform/server/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { plainCamera } from '#platform/shared/camera.ts';
import {
  DAY_MS,
  dayAfter,
  daysBetween,
  HOUR_MS,
  instantAt,
  readMoment,
  wallClock,
} from '#platform/shared/time.ts';
import { PHOTO_STATES } from '../shared/states.ts';
import type { ClockReason } from '../shared/terms.ts';
import { numberChange } from './changesStore.ts';
import {
  type ClockRow,
  countByClock,
  type DatedPhoto,
  deleteClock,
  insertClock,
  listClocks,
  listDated,
  movePhotos,
} from './clocksStore.ts';
import { datedAt, isDayOf } from './days.ts';
import { type HeldStay, onStay } from './held.ts';
import { areSeen, type PhotoRow } from './store.ts';

/*
 * Clocks of cameras. A capture time cannot be right when it lies outside the stay, or after the moment at which its
 * photo was chosen to be sent; and it is doubtful in the middle of several nights in which no other camera of the stay
 * took a photo: so late shows a clock that is many hours behind. Such photos are shown to those who check, who say when
 * one of them was taken: all that the same clock dated move by as much, also those that are still to come. A clock that
 * is behind by an hour or two looks like one that is right.
 */

type Dates = Pick<Stay, 'date_debut' | 'date_fin'>;

const MINUTE_MS = 60_000;
/** How far the clocks of a phone and of the site may differ. */
const AHEAD_MS = 15 * MINUTE_MS;
/** Hours between which everybody at a camp sleeps, and is awake. */
const NIGHT = [2, 5] as const;
const DAY = [7, 23] as const;
/** A night train, a night of stars: what is asked about takes so many nights, and so many photos in all of them. */
const NIGHTS_LEAST = 2;
const NIGHT_PHOTOS_LEAST = 5;

/** Photos dated by one clock that was wrong. */
interface WrongClock {
  appareil: string;
  /** In the order of their capture times, which cannot be right. */
  photos: [DatedPhoto, ...DatedPhoto[]];
  /** The other photos of the camera, whose capture times may be right. */
  others: DatedPhoto[];
  reason: ClockReason;
}

/** The wrong clocks among photos about which nobody has answered, that of most photos first. */
function wrongClocks(photos: readonly DatedPhoto[], stay: Dates, timeZone: string): WrongClock[] {
  const isPossible = judgeOf(stay, timeZone);
  const found: WrongClock[] = [];
  for (const [appareil, taken] of Map.groupBy(photos, (photo) => photo.appareil)) {
    const judged = Map.groupBy(taken, (photo) => isPossible(photo.prise_le, photo));
    const [wrong = [], others = []] = [judged.get(false), judged.get(true)];
    const isOutside = ({ prise_le }: DatedPhoto) => !isDayOf(stay, prise_le.slice(0, 10));
    for (const run of runsOf(wrong, stay))
      if (run.some(isShowable))
        found.push({
          appareil,
          photos: run,
          others,
          reason: run.some(isOutside) ? 'hors_sejour' : 'apres',
        });
    const asleep = wrong.length === 0 ? asleepIn(appareil, taken, photos) : undefined;
    if (asleep) found.push({ appareil, ...asleep, reason: 'nuit' });
  }
  return found.sort((one, other) => other.photos.length - one.photos.length);
}

/** The photos of a camera taken in nights in which no other one took any, if they are too many to be right. */
function asleepIn(
  appareil: string,
  taken: readonly DatedPhoto[],
  all: readonly DatedPhoto[],
): Pick<WrongClock, 'photos' | 'others'> | undefined {
  const isElsewhere = (photo: DatedPhoto) => photo.appareil !== appareil;
  const shared = new Set(all.filter((photo) => isElsewhere(photo) && isAtNight(photo)).map(dayOf));
  const judged = Map.groupBy(taken, (photo) => isAtNight(photo) && !shared.has(dayOf(photo)));
  const [first, ...rest] = (judged.get(true) ?? []).toSorted(inTime);
  // Nobody else tells the days of the stay from its nights.
  if (!first || !all.some(isElsewhere)) return undefined;
  const photos: WrongClock['photos'] = [first, ...rest];
  const isMuch = photos.length >= NIGHT_PHOTOS_LEAST && new Set(photos.map(dayOf)).size >= NIGHTS_LEAST;
  return isMuch && photos.some(isShowable) ? { photos, others: judged.get(false) ?? [] } : undefined;
}

/** Whether a moment lies between two hours, from the first, up to the second. */
function isBetween([from, to]: readonly [number, number], moment: string): boolean {
  const hour = Number(moment.slice(11, 13));
  return hour >= from && hour < to;
}

const isAtNight = ({ prise_le }: DatedPhoto) => isBetween(NIGHT, prise_le);

const dayOf = ({ prise_le }: DatedPhoto) => prise_le.slice(0, 10);

/** Whether anybody sees a photo, or decides on it: nobody is asked about others. */
const isShowable = ({ statut, nom }: DatedPhoto) =>
  nom !== null && PHOTO_STATES[statut].isPrepared && !PHOTO_STATES[statut].isHidden;

type Judge = (taken: string, photo: Pick<PhotoRow, 'created_at' | 'choisie_le'>) => boolean;

/** Whether a photo of a stay may have been taken at a moment, as far as its choice and the dates of the stay say. */
function judgeOf(stay: Dates, timeZone: string): Judge {
  // Reading clocks of a time zone takes long: asked only of what is later than on any of its clocks.
  const offsets = ['01', '07'].map((month) => {
    const day = new Date(`${stay.date_debut.slice(0, 4)}-${month}-01T00:00:00.000Z`);
    return Date.parse(wallClock(day, timeZone)) - day.getTime();
  });
  const least = Math.min(...offsets);
  return (taken, photo) => {
    if (!isDayOf(stay, taken.slice(0, 10))) return false;
    const latest = Date.parse(chosenAt(photo)) + AHEAD_MS;
    return Date.parse(taken) - least <= latest || instantAt(taken, timeZone).getTime() <= latest;
  };
}

/** When a photo was there at the latest: chosen on its sender's device, else received. */
function chosenAt({ created_at, choisie_le }: Pick<PhotoRow, 'created_at' | 'choisie_le'>): string {
  return choisie_le ?? created_at;
}

/** Photos in runs that one stay can hold: a camera may be wrong in several ways, or hold photos of another summer. */
function runsOf(photos: readonly DatedPhoto[], stay: Dates): WrongClock['photos'][] {
  const longest = (daysBetween(stay.date_debut, stay.date_fin) + 2) * DAY_MS;
  const runs: WrongClock['photos'][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const photo of photos.toSorted(inTime)) {
    const taken = Date.parse(photo.prise_le);
    if (taken - last > longest) runs.push([photo]);
    else runs.at(-1)?.push(photo);
    last = taken;
  }
  return runs;
}

function inTime(one: DatedPhoto, other: DatedPhoto): number {
  return one.prise_le < other.prise_le ? -1 : one.prise_le > other.prise_le ? 1 : one.id - other.id;
}

/**
 * Seconds by which a clock was probably wrong: the smallest shift after which no photo is later than its choice, nor
 * than the stay, nor of the night. In whole hours for a clock of these days, in whole days for a wrong date; a clock that
 * lost its power begins anew with a year, at no hour that means anything.
 */
function guessOf(clock: WrongClock, stay: Dates, timeZone: string): number {
  const { photos, reason } = clock;
  if (reason === 'nuit') return hoursToDay(clock, stay, timeZone) * 3_600;
  const isOutside = reason === 'hors_sejour';
  const end = isOutside ? Date.parse(dayAfter(stay.date_fin, 1)) - MINUTE_MS : Number.POSITIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const photo of photos) {
    const chosen = Date.parse(wallClock(new Date(chosenAt(photo)), timeZone));
    most = Math.min(most, Math.min(chosen, end) - Date.parse(photo.prise_le));
  }
  const isReset = photos[0].prise_le.slice(5, 10) === '01-01';
  const unit = isOutside ? (isReset ? MINUTE_MS : DAY_MS) : HOUR_MS;
  return (Math.floor(most / unit) * unit) / 1_000;
}

/** Hours by which all photos of a camera move into days, the fewest, forwards if they can. */
function hoursToDay({ photos, others }: WrongClock, stay: Dates, timeZone: string): number {
  const isPossible = judgeOf(stay, timeZone);
  const fits = (hours: number) =>
    [...photos, ...others].every((photo) => {
      const prise_le = shifted(photo.prise_le, hours * 3_600) ?? '';
      return isPossible(prise_le, photo) && isBetween(DAY, prise_le);
    });
  const forwards = Array.from({ length: 12 }, (_, index) => index + 1);
  return forwards.find(fits) ?? forwards.map((hours) => -hours).find(fits) ?? 12;
}

/** A capture time, so many seconds later; undefined beyond the years that the site knows. */
function shifted(moment: string, seconds: number): string | undefined {
  const time = Date.parse(moment) + seconds * 1_000;
  return Math.abs(time) <= 8.64e15 ? readMoment(new Date(time).toISOString(), true) : undefined;
}

/** The wrong clocks of a stay's photos, and the answers given, as those who check see them. */
export async function describeClocks(
  db: Access,
  stay: Stay,
  timeZone: string,
): Promise<ReplyOf<'GET /stages/:id/photos/suivi'>['horloges']> {
  const answers = await listClocks(db, stay.id);
  const counts = answers.length > 0 ? await countByClock(db, stay.id) : new Map<number, number>();
  const isPossible = judgeOf(stay, timeZone);
  const wrong = wrongClocks(await listDated(db, stay.id, null), stay, timeZone);
  return {
    a_regler: wrong.map((clock) => {
      const { appareil, photos, others, reason } = clock;
      const decalage = guessOf(clock, stay, timeZone);
      const fits = (photo: DatedPhoto) => isPossible(shifted(photo.prise_le, decalage) ?? '', photo);
      // The first one, which stays the same while the rest of the card arrives.
      const shown = photos.find(isShowable) ?? photos[0];
      return {
        appareil: plainCamera(appareil),
        photo: shown.id,
        prise_le: shown.prise_le,
        raison: reason,
        decalage,
        ...spanOf(photos),
        autres: others.length === 0 ? null : { ...spanOf(others.sort(inTime)), aussi: others.every(fits) },
      };
    }),
    reglees: answers.flatMap(({ id, appareil, decalage, decide_le }) => {
      const nombre = counts.get(id) ?? 0;
      return nombre === 0 ? [] : { id, appareil: plainCamera(appareil), decalage, decide_le, nombre };
    }),
  };
}

function spanOf(photos: readonly DatedPhoto[]) {
  return { nombre: photos.length, du: photos[0]?.prise_le ?? '', au: photos.at(-1)?.prise_le ?? '' };
}

/**
 * Capture time and day of a photo that is prepared, and its camera. A photo that an answer moved stays so when its full
 * version comes; the latest answer that fits moves a new one, if its clock showed a time before the answer: afterwards
 * it may have been set right.
 */
export async function dateByCamera(
  transaction: Access,
  photo: Pick<PhotoRow, 'jour' | 'prise_le' | 'created_at' | 'choisie_le' | 'appareil' | 'horloge_id'> &
    Partial<Pick<PhotoRow, 'rang'>>,
  stay: Stay,
  taken: string,
  camera: string,
  timeZone: string,
): Promise<Pick<PhotoRow, 'prise_le' | 'rang' | 'jour' | 'appareil' | 'horloge_id'>> {
  const appareil = camera || photo.appareil;
  const answers = appareil === '' ? [] : await listClocks(transaction, stay.id);
  const isPossible = judgeOf(stay, timeZone);
  const isAnswered = (answer: ClockRow) =>
    photo.horloge_id === null
      ? answer.appareil === appareil &&
        answer.decalage !== 0 &&
        taken < wallClock(new Date(answer.decide_le), timeZone) &&
        (answer.toutes === 1 || !isPossible(taken, photo)) &&
        isPossible(shifted(taken, answer.decalage) ?? '', photo)
      : answer.id === photo.horloge_id;
  const answer = answers.find(isAnswered);
  const moment = shifted(taken, answer?.decalage ?? 0) ?? taken;
  return { ...datedAt(photo, stay, moment, timeZone), appareil, horloge_id: answer?.id ?? null };
}

export function clockHandlers(services: Services) {
  const { database, config } = services;
  const timeZone = config.TIME_ZONE;

  async function move(
    { transaction, stay, now }: HeldStay,
    photos: readonly DatedPhoto[],
    seconds: number,
    horloge_id: number | null,
  ): Promise<void> {
    const moved = photos.map((photo) => {
      const taken = shifted(photo.prise_le, seconds);
      if (taken === undefined) throw invalid({ decalage: 'cette date est trop éloignée.' }, LABELS);
      return { id: photo.id, ...datedAt(photo, stay, taken, timeZone) };
    });
    const numero = await numberChange(transaction, stay.id, areSeen(photos, now));
    const change = { horloge_id, numero, modifie_le: now.toISOString() };
    await movePhotos(transaction, database.engine, moved, change);
  }

  return {
    'POST /stages/:id/horloges': ({
      params: { id },
      body: { photo: photoId, decalage, toutes },
      ...context
    }) =>
      onStay(services, context, id, async (held) => {
        const { transaction, stay, now } = held;
        const open = await listDated(transaction, id, null);
        const clocks = wrongClocks(open, stay, timeZone);
        const wrong = clocks.find(({ photos }) => photos.some((photo) => photo.id === photoId));
        const shown = wrong?.photos.find((photo) => photo.id === photoId);
        if (!wrong || !shown)
          throw conflict('L’horloge de cet appareil vient d’être réglée, ou cette photo n’est plus là.');
        const isMoved = decalage !== 0;
        if (isMoved) requirePossible(stay, shown, decalage);
        const photos = isMoved && toutes ? [...wrong.photos, ...wrong.others] : wrong.photos;
        const clockId = await insertClock(transaction, {
          stage_id: id,
          appareil: wrong.appareil,
          decalage,
          toutes: isMoved && toutes ? 1 : 0,
          decide_le: now.toISOString(),
        });
        await move(held, photos, decalage, clockId);
        const count = counted(photos.length);
        return {
          answer: { message: isMoved ? `Date corrigée pour ${count}` : 'Dates laissées', id: clockId },
          action: `${isMoved ? 'correction' : 'maintien'} de la date de ${count}`,
        };
      }),
    'DELETE /stages/:id/horloges/:n': ({ params: { id, n }, ...context }) =>
      onStay(services, context, id, async (held) => {
        const { transaction } = held;
        const answer = (await listClocks(transaction, id)).find((one) => one.id === n);
        if (!answer) throw notFound('Cette correction a déjà été annulée.');
        const photos = await listDated(transaction, id, n);
        await move(held, photos, -answer.decalage, null);
        await deleteClock(transaction, n);
        const count = counted(photos.length);
        return {
          answer: { message: `Date de l’appareil rétablie pour ${count}` },
          action: `date d’appareil rétablie pour ${count}`,
        };
      }),
  } satisfies Partial<Handlers>;

  /** Throws 422 when the photo by which an answer was given cannot have been taken then. */
  function requirePossible(stay: Stay, photo: DatedPhoto, seconds: number): void {
    const taken = shifted(photo.prise_le, seconds);
    const wrong = (why: string) => invalid({ decalage: why }, LABELS);
    if (taken === undefined || !isDayOf(stay, taken.slice(0, 10)))
      throw wrong('ce jour n’est pas un jour du séjour.');
    if (!judgeOf(stay, timeZone)(taken, photo))
      throw wrong('à cette heure, la photo était déjà choisie pour l’envoi.');
  }
}

const LABELS = { decalage: 'Date et heure' };

function counted(count: number): string {
  return count === 1 ? 'une photo' : `${count} photos`;
}
