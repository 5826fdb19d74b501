import { requirePhotos } from '#features/stays/server/endedStaysStore.ts';
import type { Stay } from '#features/stays/server/staysStore.ts';
import { invalid } from '#platform/server/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { dateIn, UNKNOWN_HOUR } from '#platform/shared/capture.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import type { SentPhoto } from '../calls.ts';
import { numberChange } from './changesStore.ts';
import { onStay } from './held.ts';
import { deleteWord, getPhotoStay, listDays, type PhotoRow, putWord, viewerOf } from './store.ts';

export function dayHandlers(services: Services) {
  const { database, clock } = services;
  const { db } = database;
  return {
    'GET /stages/:id/jours': async ({ params: { id }, session }) => {
      await getPhotoStay(services, db, session, id);
      return listDays(db, id, viewerOf(session, clock()));
    },
    'GET /stages/:id/jours/:date': async ({ params: { id, date }, session }) => {
      await getPhotoStay(services, db, session, id);
      const days = await listDays(db, id, viewerOf(session, clock()));
      return days.find(({ jour }) => jour === date) ?? { jour: date, mot: '', photos: 0 };
    },
    'PUT /stages/:id/jours/:date': ({ params: { id, date }, body, ...context }) =>
      onStay(services, context, id, async ({ transaction, stay, now }) => {
        const isBlank = body.mot.trim() === '';
        requireDayOf(stay, date);
        if (!isBlank) await requirePhotos(services, transaction, stay);
        await (isBlank ? deleteWord(transaction, id, date) : putWord(transaction, id, date, body.mot, now));
        await numberChange(transaction, id, true);
        return {
          answer: { message: isBlank ? 'Mot du jour effacé' : 'Mot du jour enregistré' },
          action: isBlank ? 'effacement du mot d’un jour' : 'mot d’un jour',
        };
      }),
  } satisfies Partial<Handlers>;
}

/** Throws 422 for a day outside the stay, see `isDayOf`. */
export function requireDayOf(stay: Stay, day: string): void {
  if (isDayOf(stay, day)) return;
  throw invalid({ jour: 'ce jour n’est pas un jour du séjour.' }, { jour: 'Jour' });
}

type Dates = Pick<Stay, 'date_debut' | 'date_fin'>;

/** Whether a day belongs to a stay, counting the day before its start and the day after its end. */
export function isDayOf({ date_debut, date_fin }: Dates, day: string): boolean {
  return day >= dayAfter(date_debut, -1) && day <= dayAfter(date_fin, 1);
}

/**
 * The day of a stay under which a photo is shown: the day on which it was taken if `isDayOf` accepts it, else the day
 * on which it was received, moved to the nearest day of the stay.
 */
export function dayOfPhoto({ date_debut, date_fin }: Dates, takenAt: string, received: string): string {
  const taken = takenAt.slice(0, 10);
  if (isDayOf({ date_debut, date_fin }, taken)) return taken;
  if (received < date_debut) return date_debut;
  return received > date_fin ? date_fin : received;
}

/**
 * When a photo that is received was taken: by the name of its file, if that is a day of the stay and no camera says better
 * (the order stands in `platform/shared/capture.ts`), else as the sender says; undefined where nobody does.
 */
export function takenBy(
  stay: Dates,
  { filename, prise_le, appareil }: Pick<SentPhoto, 'filename' | 'prise_le' | 'appareil'>,
): string | undefined {
  const named = appareil ? undefined : dateIn(filename);
  if (!named || !isDayOf(stay, named.slice(0, 10))) return prise_le;
  if (named.includes('T')) return named;
  return prise_le?.startsWith(named) ? prise_le : `${named}${UNKNOWN_HOUR}`;
}

/** Most numbers of a name that count. */
const NUMBERS_MAX = 8;

/** What sorts a photo among those of its second, see `PhotosTable`. */
export function suiteOf(taken: string, filename: string): string {
  if (hasFraction(taken)) return '';
  const numbers = filename.replace(/\.\w+$/, '').match(/\d+/g) ?? [];
  return numbers
    .slice(0, NUMBERS_MAX)
    .map((number) => number.slice(-10).padStart(10, '0'))
    .join(' ');
}

/** Whether a capture time tells photos of one second apart. */
export const hasFraction = (taken: string) => !taken.endsWith('.000Z');

/**
 * A photo at another capture time: its day follows, unless a person has chosen another day. Every change of `prise_le`
 * comes from here.
 */
export function datedAt(
  photo: Pick<PhotoRow, 'jour' | 'prise_le' | 'created_at'> & Partial<Pick<PhotoRow, 'rang'>>,
  stay: Dates,
  taken: string,
  timeZone: string,
): Pick<PhotoRow, 'prise_le' | 'rang' | 'jour'> {
  const received = dayAt(new Date(photo.created_at), timeZone);
  const isOwn = photo.jour !== dayOfPhoto(stay, photo.prise_le, received);
  // A photo that somebody moved keeps its place.
  const rang = (photo.rang ?? photo.prise_le) === photo.prise_le ? taken : (photo.rang ?? taken);
  return { prise_le: taken, rang, jour: isOwn ? photo.jour : dayOfPhoto(stay, taken, received) };
}
