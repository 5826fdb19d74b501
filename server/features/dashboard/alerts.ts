import { dayAt } from '../../../shared/time.ts';
import { countGivenUp } from '../../jobs/jobs.ts';
import type { Services } from '../../services.ts';
import { countUnreadMessages, listUnready } from './store.ts';

/** Part of the disk below which staff is told, while there is time to act. */
const LOW_DISK = 0.1;
/** How long before a stay staff is told that somebody is missing. */
const SOON_DAYS = 14;
/** Stays that a sentence names; the others are counted. */
const NAMED = 2;
const DAY_MS = 24 * 3_600_000;

export interface Alert {
  texte: string;
  panneau: string | null;
}

/** What asks for somebody’s attention, in sentences for staff; the first ones weigh the most. */
export async function listAlerts(services: Services): Promise<Alert[]> {
  const found = [
    { texte: await lowDisk(services), panneau: null },
    { texte: unannouncedProxy(services), panneau: null },
    { texte: await givenUpJobs(services), panneau: null },
    { texte: await unreadyStays(services, 'affectations', 'directeur'), panneau: 'sejours' },
    { texte: await unreadyStays(services, 'stagiaires', 'enfant inscrit'), panneau: 'sejours' },
    { texte: await unreadMessages(services), panneau: 'messages' },
  ];
  return found.flatMap(({ texte, panneau }) => (texte === undefined ? [] : [{ texte, panneau }]));
}

async function lowDisk({ staging }: Services): Promise<string | undefined> {
  const { free, total } = await staging.disk();
  if (free >= total * LOW_DISK) return undefined;
  const percent = Math.floor((free / total) * 100);
  return `Le disque du site est presque plein\u202f: il en reste ${percent}\u202f%. Prévenez la personne qui héberge le site.`;
}

function unannouncedProxy({ proxy }: Services): string | undefined {
  if (!proxy.isUnannounced) return undefined;
  return (
    'Des visites semblent passer par un relais (proxy) que le site ne connaît pas\u202f: il les croit toutes ' +
    'venues de la même adresse. La personne qui héberge le site doit régler TRUST_PROXY (0 s’il n’y a pas de relais).'
  );
}

async function givenUpJobs({ database, clock }: Services): Promise<string | undefined> {
  const count = await countGivenUp(database.db, clock());
  if (count === 0) return undefined;
  const subject =
    count === 1
      ? 'Une tâche de fond a été abandonnée après plusieurs échecs'
      : `${count} tâches de fond ont été abandonnées après plusieurs échecs`;
  return `${subject}\u202f: le journal technique du serveur dit pourquoi.`;
}

async function unreadMessages({ database }: Services): Promise<string | undefined> {
  const count = await countUnreadMessages(database.db);
  if (count === 0) return undefined;
  return count === 1 ? 'Un message de contact à lire.' : `${count} messages de contact à lire.`;
}

async function unreadyStays(
  { database, config, clock }: Services,
  table: 'affectations' | 'stagiaires',
  missing: string,
): Promise<string | undefined> {
  const day = (after: number) => dayAt(new Date(clock().getTime() + after * DAY_MS), config.TIME_ZONE);
  const names = await listUnready(database.db, table, { today: day(0), until: day(SOON_DAYS) });
  if (names.length === 0) return undefined;
  const subject =
    names.length === 1
      ? 'Un séjour est en cours ou commence'
      : `${names.length} séjours sont en cours ou commencent`;
  const others = names.length - NAMED;
  const rest = others > 0 ? [others === 1 ? 'un autre' : `${others} autres`] : [];
  const named = new Intl.ListFormat('fr').format([...names.slice(0, NAMED), ...rest]);
  return `${subject} dans moins de ${SOON_DAYS} jours sans ${missing}\u202f: ${named}.`;
}
