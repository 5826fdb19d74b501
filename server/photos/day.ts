import { dayAfter, type Stay } from '../stays.ts';

/**
 * The day of a stay under which a photo is shown: the one on which it was taken when that is one of the stay or beside
 * it, else the one on which it came, or the nearest of the stay.
 */
export function dayOfPhoto(
  { date_debut, date_fin }: Pick<Stay, 'date_debut' | 'date_fin'>,
  takenAt: string,
  received: string,
): string {
  const taken = takenAt.slice(0, 10);
  if (taken >= dayAfter(date_debut, -1) && taken <= dayAfter(date_fin, 1)) return taken;
  if (received < date_debut) return date_debut;
  return received > date_fin ? date_fin : received;
}
