import { PHOTO_NOTICE_DAYS } from '#features/photos/shared/terms.ts';
import { type PublicSettings, readSettings } from '#features/site/server/settingsStore.ts';
import { arePhotosOver, lastPhotoDay, type Stay } from '#features/stays/server/staysStore.ts';
import { named } from '#platform/server/named.ts';
import type { Services } from '#platform/server/services.ts';
import { frenchDay } from '#platform/shared/dates.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import type { Alert } from './alert.ts';
import { countPhotos, listEnding, listRequests, type PhotoCounts } from './store.ts';

/** What asks for attention among the photos of stays. */

/** Time that photos may take to be prepared before staff are told. */
const SLOW_MS = HOUR_MS;

export async function photoAlerts(services: Services): Promise<Alert[]> {
  const { database, config, clock } = services;
  const now = clock();
  const settings = await readSettings(database.db, config);
  const isOpen = (stay: Stay) => !arePhotosOver(stay, settings, config, now);
  const waiting = (await countPhotos(database.db, new Date(now.getTime() - SLOW_MS))).filter(isOpen);
  const requests = (await listRequests(database.db)).filter(isOpen);
  return [
    toCheck(waiting),
    toDecide(requests, now),
    slow(waiting),
    await ending(services, settings, now),
  ].flatMap((alert) => alert ?? []);
}

type CountedStay = Stay & PhotoCounts;

/** Where it is seen to: the photos of the stay when there is one, else the choice of a stay. */
function at(texte: string, stays: readonly Stay[]): Alert {
  const [only, ...others] = stays;
  if (only === undefined || others.length > 0) return { texte, panneau: 'photos', adresse: null };
  return { texte, panneau: null, adresse: `/photos-modify/${only.id}` };
}

function namesOf(stays: readonly Stay[]): string {
  return named(stays.map(({ nom_stage }) => `«\u00a0${nom_stage}\u00a0»`));
}

function total(stays: readonly CountedStay[], column: keyof PhotoCounts): number {
  return stays.reduce((sum, stay) => sum + stay[column], 0);
}

function toCheck(waiting: readonly CountedStay[]): Alert | undefined {
  const stays = waiting.filter(({ a_verifier }) => a_verifier > 0);
  if (stays.length === 0) return undefined;
  const count = total(stays, 'a_verifier');
  return at(`${count === 1 ? 'Une photo' : `${count} photos`} à vérifier\u202f: ${namesOf(stays)}.`, stays);
}

function toDecide(requests: readonly (Stay & { demande_le: string })[], now: Date): Alert | undefined {
  if (requests.length === 0) return undefined;
  const stays = [...new Map(requests.map((stay) => [stay.id, stay])).values()];
  const oldest = requests
    .map(({ demande_le }) => demande_le)
    .reduce((one, other) => (other < one ? other : one));
  const days = Math.floor((now.getTime() - Date.parse(oldest)) / DAY_MS);
  const since = days < 1 ? 'depuis moins d’un jour' : `depuis ${days}\u00a0jour${days > 1 ? 's' : ''}`;
  const subject =
    requests.length === 1
      ? `Une demande de retrait attend une décision ${since}`
      : `${requests.length} demandes de retrait attendent une décision, la plus ancienne ${since}`;
  return at(`${subject}\u202f: ${namesOf(stays)}.`, stays);
}

function slow(waiting: readonly CountedStay[]): Alert | undefined {
  const stays = waiting.filter(({ lentes }) => lentes > 0);
  if (stays.length === 0) return undefined;
  const count = total(stays, 'lentes');
  const subject = count === 1 ? 'Une photo reste' : `${count} photos restent`;
  const where = namesOf(stays);
  return at(
    `${subject} en préparation depuis plus d’une heure (${where})\u202f: le journal technique du serveur dit pourquoi.`,
    stays,
  );
}

/** Those that are over already are erased within a day, unless somebody prolongs them. */
async function ending(
  { database, config }: Services,
  { photos_conservation_jours: days }: PublicSettings,
  now: Date,
): Promise<Alert | undefined> {
  const soon = dayAt(new Date(now.getTime() + PHOTO_NOTICE_DAYS * DAY_MS), config.TIME_ZONE);
  const lastDay = (stay: Stay) => lastPhotoDay(stay, days, config.TIME_ZONE);
  const stays = (await listEnding(database.db, soon, days)).filter((stay) => lastDay(stay) <= soon);
  if (stays.length === 0) return undefined;
  const list = named(
    stays.map(
      (stay) => `«\u00a0${stay.nom_stage}\u00a0» (dernier jour\u202f: le ${shortDay(lastDay(stay))})`,
    ),
  );
  const subject =
    stays.length === 1
      ? 'Les photos d’un séjour sont bientôt effacées'
      : `Les photos de ${stays.length} séjours sont bientôt effacées`;
  return at(`${subject}\u202f: ${list}.`, stays);
}

/** « 1er septembre ». */
function shortDay(date: string): string {
  const { day, month } = frenchDay(date);
  return `${day} ${month}`;
}
