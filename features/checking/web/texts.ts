import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { atHour } from '#platform/shared/dates.ts';
import { DAY_MS, dayAfter, dayAt, HOUR_MS, wallClock } from '#platform/shared/time.ts';
import { momentOf, numberText, weekdayOf } from '#platform/web/ui/texts.ts';
import type { Verdict } from './decisions.tsx';

/** « 1 photo », « 1 200 photos », with what follows in both numbers: `countOf(2, 'publiée')`. */
export function countOf(count: number, ...words: readonly string[]): string {
  const many = count > 1;
  const named = ['photo', ...words].map((word) => (many ? `${word}s` : word)).join(' ');
  return `${numberText(count)}\u00a0${named}`;
}

export function removalsText(count: number): string {
  return count === 1
    ? 'Une demande de retrait à décider'
    : `${numberText(count)}\u00a0demandes de retrait à décider`;
}

/** Name of a photo in words: its caption, else the time at which it was taken. No child is named. */
export function photoName(
  { legende, prise_le }: Pick<Photo, 'legende' | 'prise_le'>,
  locale: string,
): string {
  return legende || `Photo du ${momentOf(prise_le, locale)}`;
}

/** Name of the actor of a journal entry; all directors of a stay share one password, and thus one name. */
export function actorText(acteur: string): string {
  return acteur.startsWith('directeur du séjour') ? 'la direction du séjour' : acteur;
}

const MINUTE_MS = 60_000;

/** Age of something that awaits an answer: « il y a 3 heures ». */
export function ageOf(instant: string, now: number): string {
  const age = Math.max(0, now - Date.parse(instant));
  const since = (unit: number, word: string) => {
    const count = Math.floor(age / unit);
    return `il y a ${count}\u00a0${word}${count > 1 ? 's' : ''}`;
  };
  if (age < MINUTE_MS) return 'à l’instant';
  if (age < HOUR_MS) return since(MINUTE_MS, 'minute');
  return age < DAY_MS ? since(HOUR_MS, 'heure') : since(DAY_MS, 'jour');
}

export function isScheduled({ statut, publiee_le }: Photo, now: number): boolean {
  return PHOTO_STATES[statut].isPublic && publiee_le !== null && Date.parse(publiee_le) > now;
}

interface Clocks {
  locale: string;
  timeZone: string;
}

/** A future instant in words: « à 20 h », « demain à 20 h », « le jeudi 9 juillet à 20 h ». */
export function whenText(instant: string, { locale, timeZone }: Clocks): string {
  const wall = wallClock(new Date(instant), timeZone);
  const [day, today] = [wall.slice(0, 10), dayAt(new Date(), timeZone)];
  const hour = atHour(wall);
  if (day === today) return hour;
  return day === dayAfter(today, 1) ? `demain ${hour}` : `le ${weekdayOf(day, locale)} ${hour}`;
}

const VERDICTS: Record<Verdict['statut'], string> = { publiee: 'publiée', refusee: 'écartée' };

/** A decision in words: « 2 photos publiées », « 16 photos seront publiées à 20 h », « 1 photo écartée ». */
export function decidedText(count: number, { statut, publiee_le }: Verdict, clocks: Clocks): string {
  if (statut !== 'publiee' || !publiee_le) return countOf(count, VERDICTS[statut]);
  return `${countOf(count)} ${count > 1 ? 'seront publiées' : 'sera publiée'} ${whenText(publiee_le, clocks)}`;
}
