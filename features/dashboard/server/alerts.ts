import { passwordVersion } from '#features/mails/server/compose.ts';
import { PHOTO_NOTICE_DAYS } from '#features/photos/shared/terms.ts';
import { photoTimes } from '#features/stays/server/photoTime.ts';
import type { Stay, StayPasswords } from '#features/stays/server/staysStore.ts';
import { named } from '#platform/server/names.ts';
import type { Services } from '#platform/server/services.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { frenchDay } from '#platform/shared/dates.ts';
import type { Right } from '#platform/shared/roles.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import type { Trouble } from './health.ts';
import {
  countPhotos,
  countUnreadMessages,
  listEnding,
  listRequests,
  listUnready,
  listUnsent,
  type PhotoCounts,
  type Soon,
} from './store.ts';

/** Days before a stay from which staff are told of missing people or codes. */
const SOON_DAYS = 14;

/**
 * Everything that needs the attention of staff who have some of `rights`, in sentences, the most important first.
 * `troubles`: those of the site itself, of which only the urgent ones are included.
 */
export async function listAlerts(
  services: Services,
  troubles: readonly Trouble[],
  rights: readonly Right[],
): Promise<Alert[]> {
  const may = (...some: Right[]) => some.some((right) => rights.includes(right));
  const found: { texte: string | undefined; panneau: string | null; adresse?: string | null }[] = [
    ...troubles.flatMap(({ isUrgent, panel = null, texte, right = 'reglages' }) =>
      isUrgent && may(right) ? [{ texte, panneau: panel }] : [],
    ),
    ...(may('reglages') ? [{ texte: unannouncedProxy(services), panneau: null }] : []),
    ...(may('photos') ? await photoAlerts(services) : []),
    ...(may('sejours') ? await stayAlerts(services) : []),
    ...(may('contenus', 'sejours') ? [{ texte: await unreadMessages(services), panneau: 'messages' }] : []),
    ...(may('reglages') ? [{ texte: localLinks(services), panneau: null }] : []),
  ];
  return found.flatMap(({ texte, panneau, adresse = null }) =>
    texte === undefined ? [] : [{ texte, panneau, adresse }],
  );
}

async function stayAlerts(services: Services) {
  const { db } = services.database;
  const soon = soonOf(services);
  const versionOf = (stay: StayPasswords) => passwordVersion(services.secrets, stay, 'stagiaire');
  return [
    { texte: unready(await listUnready(db, 'affectations', soon), 'sans directeur'), panneau: 'sejours' },
    { texte: unready(await listUnready(db, 'stagiaires', soon), 'sans enfant inscrit'), panneau: 'sejours' },
    {
      texte: unready(
        await listUnsent(services.database, soon, versionOf),
        'sans que les codes soient partis vers les familles',
      ),
      panneau: 'codes-envoyer',
    },
  ];
}

function unannouncedProxy({ proxy }: Services): string | undefined {
  if (!proxy.isUnannounced) return undefined;
  return (
    'Des visites semblent passer par un relais (proxy) que le site ne connaît pas\u202f: il les croit toutes ' +
    'venues de la même adresse. La personne qui héberge le site doit lui dire combien de relais il y a.'
  );
}

async function unreadMessages({ database }: Services): Promise<string | undefined> {
  const count = await countUnreadMessages(database.db);
  if (count === 0) return undefined;
  return count === 1 ? 'Un message de contact à lire.' : `${count} messages de contact à lire.`;
}

/** Mails are sent while `PUBLIC_URL` is unset: their links work only on this machine. */
function localLinks({ config, publicUrl }: Services): string | undefined {
  if (config.SMTP_URL === undefined || config.PUBLIC_URL !== undefined) return undefined;
  return (
    `Les messages et les étiquettes mènent à ${publicUrl}, que personne d’autre ne peut ouvrir. ` +
    'La personne qui héberge le site doit régler l’adresse que les gens tapent.'
  );
}

function soonOf({ config, clock }: Services): Soon {
  const day = (after: number) => dayAt(new Date(clock().getTime() + after * DAY_MS), config.TIME_ZONE);
  return { today: day(0), until: day(SOON_DAYS) };
}

/** Sentence on stays, by their names, that start soon and still lack something. */
function unready(names: readonly string[], missing: string): string | undefined {
  if (names.length === 0) return undefined;
  const subject =
    names.length === 1
      ? 'Un séjour est en cours ou commence'
      : `${names.length} séjours sont en cours ou commencent`;
  return `${subject} dans moins de ${SOON_DAYS} jours ${missing}\u202f: ${named(names)}.`;
}

type Alert = ReplyOf<'GET /tableau-de-bord'>['alertes'][number];

/* Alerts on the photos of stays. */

/** Milliseconds that the preparation of photos may take before staff are told. */
const SLOW_MS = HOUR_MS;

async function photoAlerts(services: Services): Promise<Alert[]> {
  const { database, clock } = services;
  const now = clock();
  const timeOf = await photoTimes(services, database.db);
  const isOpen = (stay: Stay) => !timeOf(stay).isOver;
  const waiting = (await countPhotos(database.db, new Date(now.getTime() - SLOW_MS))).filter(isOpen);
  const requests = (await listRequests(database.db)).filter(isOpen);
  return [
    toCheck(waiting),
    toDecide(requests, now),
    slow(waiting),
    await ending(services, (stay) => timeOf(stay).lastDay, now),
  ].flatMap((alert) => alert ?? []);
}

type CountedStay = Stay & PhotoCounts;

/** An alert that leads to the photos of the stay when there is only one, else to the choice of a stay. */
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

/** Includes stays whose photos are already over: they are erased within a day, unless somebody prolongs them. */
async function ending(
  { database, config }: Services,
  lastDay: (stay: Stay) => string,
  now: Date,
): Promise<Alert | undefined> {
  const soon = dayAt(new Date(now.getTime() + PHOTO_NOTICE_DAYS * DAY_MS), config.TIME_ZONE);
  const stays = (await listEnding(database.db, soon)).filter((stay) => lastDay(stay) <= soon);
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

function shortDay(date: string): string {
  const { day, month } = frenchDay(date);
  return `${day} ${month}`;
}
