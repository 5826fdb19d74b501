import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Services } from '#platform/server/services.ts';
import { dayAfter, dayAt, instantAt } from '#platform/shared/time.ts';
import type { Stay } from './staysStore.ts';

/** How long the photos of a stay are shown. Its passwords sign in as long. */
export interface PhotoTime {
  /** The last day on which they are shown. */
  lastDay: string;
  /** The instant at which that day ends. */
  end: Date;
  /** Whether it has ended: only staff see the photos, nobody signs in to the stay, and no codes are sent for it. */
  isOver: boolean;
}

/** What the photo time of a stay depends on, besides the settings and the clock. */
type Timed = Pick<Stay, 'date_fin' | 'created_at' | 'conservation_jours'>;

export async function photoTimeOf(services: Services, db: Access, stay: Timed): Promise<PhotoTime> {
  return (await photoTimes(services, db))(stay);
}

/** For several stays: returns a function that gives the photo time of each, by the settings and the clock of now. */
export async function photoTimes(services: Services, db: Access): Promise<(stay: Timed) => PhotoTime> {
  const { photos_conservation_jours: days } = await readSettings(db, services.config);
  const now = services.clock();
  return (stay) => photoTimeAt(services, stay, days, now);
}

/**
 * The photo time of a stay when its settings are read with it. `saved`: the retention that staff saved, if they did.
 * Retention counts from the end of the stay, or from the day it was created when that is later.
 */
export function photoTimeAt(
  { config }: Services,
  stay: Timed,
  saved: string | number | null,
  now: Date,
): PhotoTime {
  const { TIME_ZONE, PHOTO_RETENTION_DAYS } = config;
  const recorded = dayAt(new Date(stay.created_at), TIME_ZONE);
  const from = stay.date_fin > recorded ? stay.date_fin : recorded;
  const lastDay = dayAfter(from, stay.conservation_jours ?? Number(saved ?? PHOTO_RETENTION_DAYS));
  const end = instantAt(`${dayAfter(lastDay, 1)}T00:00:00.000Z`, TIME_ZONE);
  // A date or a retention that is none throws above: then nothing is shown to anybody, and nothing is erased.
  return { lastDay, end, isOver: end <= now };
}
