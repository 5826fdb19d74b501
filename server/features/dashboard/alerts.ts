import { DAY_MS, dayAt } from '../../../shared/time.ts';
import { countGivenUp } from '../../jobs/jobs.ts';
import { listMissed, type Scheduled } from '../../jobs/schedule.ts';
import { passwordMark } from '../../mail/compose.ts';
import type { Services } from '../../services.ts';
import type { StayDoor } from '../../stays.ts';
import { type Alert, named } from './alert.ts';
import { failedMails, localLinks, relayTrouble, withoutServer } from './mails.ts';
import { photoAlerts } from './photos.ts';
import { countUnreadMessages, listUnready, listUnsent, type Soon } from './store.ts';

/** Part of the disk below which staff is told, while there is time to act. */
const LOW_DISK = 0.1;
/** How long before a stay staff is told that somebody is missing. */
const SOON_DAYS = 14;

/** What asks for somebody’s attention, in sentences for staff; the first ones weigh the most. */
export async function listAlerts(services: Services, works: readonly Scheduled[]): Promise<Alert[]> {
  const { db } = services.database;
  const soon = soonOf(services);
  const markOf = (stay: StayDoor) => passwordMark(services.secrets, stay, 'stagiaire');
  const found: { texte: string | undefined; panneau: string | null; adresse?: string | null }[] = [
    { texte: await lowDisk(services), panneau: null },
    { texte: unannouncedProxy(services), panneau: null },
    { texte: await givenUpJobs(services), panneau: null },
    { texte: await missedWorks(services, works), panneau: null },
    { texte: await relayTrouble(services), panneau: 'envois' },
    { texte: await withoutServer(services), panneau: 'envois' },
    { texte: await failedMails(services), panneau: 'envois' },
    ...(await photoAlerts(services)),
    { texte: unready(await listUnready(db, 'affectations', soon), 'sans directeur'), panneau: 'sejours' },
    { texte: unready(await listUnready(db, 'stagiaires', soon), 'sans enfant inscrit'), panneau: 'sejours' },
    {
      texte: unready(
        await listUnsent(db, soon, markOf),
        'sans que les codes soient partis vers les familles',
      ),
      panneau: 'codes-envoyer',
    },
    { texte: await unreadMessages(services), panneau: 'messages' },
    { texte: brokenErasures(services), panneau: null },
    { texte: localLinks(services), panneau: null },
  ];
  return found.flatMap(({ texte, panneau, adresse = null }) =>
    texte === undefined ? [] : [{ texte, panneau, adresse }],
  );
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

function brokenErasures({ erasuresFile }: Services): string | undefined {
  if (erasuresFile.isWhole) return undefined;
  return (
    'Le fichier des effacements est perdu, incomplet ou abîmé\u202f: une sauvegarde remise en service pourrait faire ' +
    'revenir des données effacées. Prévenez la personne qui héberge le site.'
  );
}

async function missedWorks(
  { database, clock }: Services,
  works: readonly Scheduled[],
): Promise<string | undefined> {
  const missed = await listMissed(database.db, works, clock());
  if (missed.length === 0) return undefined;
  const subject =
    missed.length === 1
      ? 'Un travail régulier du site n’aboutit plus'
      : `${missed.length} travaux réguliers du site n’aboutissent plus`;
  const names = missed.map(({ label }) => label).join(', ');
  return `${subject} (${names})\u202f: le journal technique du serveur dit pourquoi.`;
}

function soonOf({ config, clock }: Services): Soon {
  const day = (after: number) => dayAt(new Date(clock().getTime() + after * DAY_MS), config.TIME_ZONE);
  return { today: day(0), until: day(SOON_DAYS) };
}

/** Says of stays, by their names, that they come near without something. */
function unready(names: readonly string[], missing: string): string | undefined {
  if (names.length === 0) return undefined;
  const subject =
    names.length === 1
      ? 'Un séjour est en cours ou commence'
      : `${names.length} séjours sont en cours ou commencent`;
  return `${subject} dans moins de ${SOON_DAYS} jours ${missing}\u202f: ${named(names)}.`;
}
