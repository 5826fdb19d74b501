import type { Stay } from '#features/stays/server/staysStore.ts';
import { dayAfter } from '#platform/shared/time.ts';

type Dates = Pick<Stay, 'date_debut' | 'date_fin'>;

/** Whether a day is one of a stay, the day before it and the one after it among them. */
export function isDayOf({ date_debut, date_fin }: Dates, day: string): boolean {
  return day >= dayAfter(date_debut, -1) && day <= dayAfter(date_fin, 1);
}

/**
 * The day of a stay under which a photo is shown: the one on which it was taken when that is one of the stay or beside
 * it, else the one on which it came, or the nearest of the stay.
 */
export function dayOfPhoto({ date_debut, date_fin }: Dates, takenAt: string, received: string): string {
  const taken = takenAt.slice(0, 10);
  if (isDayOf({ date_debut, date_fin }, taken)) return taken;
  if (received < date_debut) return date_debut;
  return received > date_fin ? date_fin : received;
}
