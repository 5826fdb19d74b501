import { passwordMark } from '#features/mails/server/compose.ts';
import type { StayDoor } from '#features/stays/server/staysStore.ts';
import { named } from '#platform/server/named.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, dayAt } from '#platform/shared/time.ts';
import type { Alert } from './alert.ts';
import type { Trouble } from './health.ts';
import { photoAlerts } from './photos.ts';
import { countUnreadMessages, listUnready, listUnsent, type Soon } from './store.ts';

/** How long before a stay staff is told that somebody is missing. */
const SOON_DAYS = 14;

/**
 * What asks for somebody’s attention, in sentences for staff; the first ones weigh the most. `troubles`: of the site
 * itself, of which the urgent ones are said here.
 */
export async function listAlerts(services: Services, troubles: readonly Trouble[]): Promise<Alert[]> {
  const { db } = services.database;
  const soon = soonOf(services);
  const markOf = (stay: StayDoor) => passwordMark(services.secrets, stay, 'stagiaire');
  const found: { texte: string | undefined; panneau: string | null; adresse?: string | null }[] = [
    ...troubles.flatMap(({ watch: { isUrgent, panel = null }, texte }) =>
      isUrgent ? [{ texte, panneau: panel }] : [],
    ),
    { texte: unannouncedProxy(services), panneau: null },
    ...(await photoAlerts(services)),
    { texte: unready(await listUnready(db, 'affectations', soon), 'sans directeur'), panneau: 'sejours' },
    { texte: unready(await listUnready(db, 'stagiaires', soon), 'sans enfant inscrit'), panneau: 'sejours' },
    {
      texte: unready(
        await listUnsent(services.database, soon, markOf),
        'sans que les codes soient partis vers les familles',
      ),
      panneau: 'codes-envoyer',
    },
    { texte: await unreadMessages(services), panneau: 'messages' },
    { texte: localLinks(services), panneau: null },
  ];
  return found.flatMap(({ texte, panneau, adresse = null }) =>
    texte === undefined ? [] : [{ texte, panneau, adresse }],
  );
}

function unannouncedProxy({ proxy }: Services): string | undefined {
  if (!proxy.isUnannounced) return undefined;
  return (
    'Des visites semblent passer par un relais (proxy) que le site ne connaît pas\u202f: il les croit toutes ' +
    'venues de la même adresse. La personne qui héberge le site doit régler TRUST_PROXY (0 s’il n’y a pas de relais).'
  );
}

async function unreadMessages({ database }: Services): Promise<string | undefined> {
  const count = await countUnreadMessages(database.db);
  if (count === 0) return undefined;
  return count === 1 ? 'Un message de contact à lire.' : `${count} messages de contact à lire.`;
}

/** Mails leave by a relay of this machine, with addresses that work on this machine alone. */
function localLinks({ config, publicUrl }: Services): string | undefined {
  if (config.SMTP_URL === undefined || config.PUBLIC_URL !== undefined) return undefined;
  return (
    `Les messages et les étiquettes mènent à ${publicUrl}, que personne d’autre ne peut ouvrir. ` +
    'La personne qui héberge le site doit régler PUBLIC_URL.'
  );
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
