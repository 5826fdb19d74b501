import { countGivenUp } from '../../jobs/jobs.ts';
import type { Services } from '../../services.ts';
import { countUnreadMessages } from './store.ts';

/** Part of the disk below which staff is told, while there is time to act. */
const LOW_DISK = 0.1;

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
