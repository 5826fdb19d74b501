import { jsonIds } from '#platform/server/db/json.ts';
import type { Access } from '#platform/server/db/open.ts';
import { listDamaged } from '#platform/server/files/integrity.ts';
import { STAY_SIGN_IN } from '#platform/server/http/rateLimits.ts';
import {
  ALL_SIGN_INS,
  listSpikes,
  REFUSALS,
  REFUSALS_MANY,
  type Spike,
} from '#platform/server/http/spikes.ts';
import { countGivenUp } from '#platform/server/jobs/jobs.ts';
import { BACKUP, listMissed, listSuccesses, type Scheduled } from '#platform/server/jobs/schedule.ts';
import { countSent } from '#platform/server/mail/pacing.ts';
import { countWaiting, findRelayTrouble } from '#platform/server/mail/state.ts';
import { named } from '#platform/server/names.ts';
import type { Services } from '#platform/server/services.ts';
import { MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/** All health checks of the site, the most serious first. `works`: the scheduled works. */
export function healthChecks(services: Services, works: readonly Scheduled[]): HealthCheck[] {
  return [...machineChecks(services, works), ...mailChecks(services), ...signInChecks(services)];
}

/** The parts of the site, as staff read them. */
export const PARTS = {
  base: 'Base de données',
  disque: 'Disque',
  envois: 'E-mails',
  travaux: 'Travaux du site',
  sauvegardes: 'Sauvegardes',
  fichiers: 'Fichiers',
  connexions: 'Connexions',
} as const;
export type Part = keyof typeof PARTS;

/** A health check, for the portal's first page and for mails to those who run the site. */
export interface HealthCheck {
  /** Identifies the trouble in the database. */
  key: string;
  part: Part;
  /** The trouble in a few words. */
  label: string;
  /** Somebody has to act at once: shown at the top of the portal's first page. Others are shown beside their part. */
  isUrgent?: true;
  /**
   * Where the trouble is told; absent: in the portal and by mail. `portal`: mail itself is broken, or the trouble is
   * not worth one; `mail`: another health check tells it in the portal.
   */
  only?: 'portal' | 'mail';
  /** The panel where it is dealt with. */
  panel?: string;
  /** A sentence on what is wrong and what to do about it, without anybody's name; undefined: all is well. */
  look(): Promise<string | undefined>;
}

/** Fractions of free disk below which staff are told: while there is time to act, and when photos are refused. */
const LOW_DISK = 0.15;
const FULL_DISK = 0.1;
/** Most milliseconds between two backups: a day, and the time that one takes. */
const BACKUP_MS = DAY_MS + 2 * HOUR_MS;
/** Average milliseconds of a write from which something is wrong with the disk or the database. */
const SLOW_WRITES_MS = 500;

function machineChecks(services: Services, works: readonly Scheduled[]): HealthCheck[] {
  return [
    {
      key: 'disque-plein',
      part: 'disque',
      label: 'disque presque plein',
      isUrgent: true,
      look: () => fullDisk(services),
    },
    {
      key: 'disque',
      part: 'disque',
      label: 'disque qui se remplit',
      look: () => lowDisk(services),
    },
    {
      key: 'base-lente',
      part: 'base',
      label: 'enregistrements lents',
      look: async () => slowWrites(services),
    },
    {
      key: 'taches',
      part: 'travaux',
      label: 'tâches de fond abandonnées',
      isUrgent: true,
      look: () => givenUpJobs(services),
    },
    {
      key: 'travaux',
      part: 'travaux',
      label: 'travaux réguliers qui n’aboutissent plus',
      isUrgent: true,
      look: () => missedWorks(services, works),
    },
    {
      key: 'sauvegarde',
      part: 'sauvegardes',
      label: 'sauvegarde trop ancienne',
      isUrgent: true,
      look: () => oldBackup(services),
    },
    {
      key: 'sauvegarde-jamais',
      part: 'sauvegardes',
      label: 'aucune sauvegarde',
      only: 'portal',
      look: () => noBackup(services),
    },
    {
      key: 'fichiers',
      part: 'fichiers',
      label: 'fichiers abîmés ou disparus',
      isUrgent: true,
      look: () => damagedFiles(services),
    },
    {
      key: 'effacements',
      part: 'sauvegardes',
      label: 'fichier des effacements perdu ou abîmé',
      isUrgent: true,
      look: async () => brokenErasures(services),
    },
  ];
}

async function freeDisk({ staging }: Services): Promise<{ part: number; percent: number }> {
  const { free, total } = await staging.disk();
  return { part: free / total, percent: Math.floor((free / total) * 100) };
}

async function fullDisk(services: Services): Promise<string | undefined> {
  const { part, percent } = await freeDisk(services);
  if (part >= FULL_DISK) return undefined;
  return `Le disque du site est presque plein\u202f: il en reste ${percent}\u202f%. Prévenez la personne qui héberge le site.`;
}

async function lowDisk(services: Services): Promise<string | undefined> {
  const { part, percent } = await freeDisk(services);
  // Below that, `fullDisk` reports it.
  if (part >= LOW_DISK || part < FULL_DISK) return undefined;
  return (
    `Le disque du site se remplit\u202f: il en reste ${percent}\u202f%, et sous 10\u202f% les photos ne sont plus reçues. ` +
    'Prévenez la personne qui héberge le site.'
  );
}

function slowWrites({ metrics }: Services): string | undefined {
  if (metrics.averageWriteMs() < SLOW_WRITES_MS) return undefined;
  return 'Les enregistrements sont lents. Si cela dure plus d’une heure, prévenez la personne qui héberge le site.';
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

async function oldBackup({ database, clock }: Services): Promise<string | undefined> {
  const last = (await listSuccesses(database.db)).get(BACKUP);
  if (!last || Date.parse(last) + BACKUP_MS >= clock().getTime()) return undefined;
  return 'La dernière sauvegarde du site date de plus d’un jour. La personne qui héberge le site doit voir pourquoi la suivante n’a pas eu lieu.';
}

async function noBackup({ database }: Services): Promise<string | undefined> {
  if ((await listSuccesses(database.db)).get(BACKUP)) return undefined;
  return 'Demandez à la personne qui héberge le site comment il est sauvegardé.';
}

async function damagedFiles({ database }: Services): Promise<string | undefined> {
  const keys = await listDamaged(database.db);
  if (keys.length === 0) return undefined;
  const subject =
    keys.length === 1
      ? 'Un fichier du site est abîmé ou a disparu'
      : `${keys.length} fichiers du site sont abîmés ou ont disparu`;
  return `${subject} (${named(keys)})\u202f: prévenez la personne qui héberge le site, qui répare cela avec une sauvegarde.`;
}

function brokenErasures({ erasuresFile }: Services): string | undefined {
  if (erasuresFile.isWhole) return undefined;
  return (
    'Le fichier des effacements est perdu, incomplet ou abîmé\u202f: une sauvegarde remise en service pourrait faire ' +
    'revenir des données effacées. Prévenez la personne qui héberge le site.'
  );
}

/** Milliseconds that a trouble of the mail server lasts before staff are told: most pass by themselves. */
const TROUBLE_MS = HOUR_MS;
/** Milliseconds for which a failure is shown on the portal's first page. */
const FAILURES_MS = 7 * DAY_MS;
/** Failures in a day from which the cause is more than a few mistyped addresses. */
const FAILURES_MANY = 10;
/** Most hours that a message waits when all goes well: it is given up after six hours of trying. */
const WAIT_HOURS = 12;

function mailChecks(services: Services): HealthCheck[] {
  const mails = { part: 'envois', panel: 'envois' } as const;
  return [
    {
      ...mails,
      key: 'relais',
      label: 'aucun e-mail ne part',
      isUrgent: true,
      only: 'portal',
      look: () => relayTrouble(services),
    },
    {
      ...mails,
      key: 'sans-serveur',
      label: 'pas de serveur d’envoi',
      isUrgent: true,
      only: 'portal',
      look: () => withoutServer(services),
    },
    {
      ...mails,
      key: 'echecs',
      label: 'e-mails en échec',
      isUrgent: true,
      only: 'portal',
      look: () => failedMails(services),
    },
    {
      ...mails,
      key: 'echecs-nombreux',
      label: 'beaucoup d’e-mails en échec',
      only: 'mail',
      look: () => manyFailedMails(services),
    },
    {
      ...mails,
      key: 'attente',
      label: 'des e-mails attendent trop longtemps',
      look: () => longWait(services),
    },
  ];
}

/** The mail server has taken nothing for an hour. */
async function relayTrouble({ database, config, clock }: Services): Promise<string | undefined> {
  if (config.SMTP_URL === undefined) return undefined;
  const trouble = await findRelayTrouble(database.db);
  if (!trouble || Date.parse(trouble.depuis) + TROUBLE_MS > clock().getTime()) return undefined;
  return `Aucun e-mail ne part depuis plus d’une heure\u202f: ${MAIL_TROUBLES[trouble.erreur]}.`;
}

/** Messages wait for a mail server that nobody has set. */
async function withoutServer({ database, config }: Services): Promise<string | undefined> {
  if (config.SMTP_URL !== undefined) return undefined;
  const { count } = await database.db
    .selectFrom('envois_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('etat', '=', 'attente')
    .executeTakeFirstOrThrow();
  if (count === 0) return undefined;
  const subject = count === 1 ? 'Un e-mail attend' : `${count} e-mails attendent`;
  return `${subject}, car le site n’a pas de serveur d’envoi. La personne qui héberge le site doit régler SMTP_URL.`;
}

async function failedMails({ database, clock }: Services): Promise<string | undefined> {
  const count = await countFailed(database.db, new Date(clock().getTime() - FAILURES_MS));
  if (count === 0) return undefined;
  return count === 1
    ? 'Un e-mail n’a pas pu être remis ces sept derniers jours.'
    : `${count} e-mails n’ont pas pu être remis ces sept derniers jours.`;
}

async function manyFailedMails({ database, clock }: Services): Promise<string | undefined> {
  const count = await countFailed(database.db, new Date(clock().getTime() - DAY_MS));
  if (count < FAILURES_MANY) return undefined;
  return (
    `${count} e-mails n’ont pas pu être remis en 24 heures. Le portail en dit la raison dans «\u00a0E-mails envoyés\u00a0»\u202f: ` +
    'corrigez les adresses fausses\u202f; si un fournisseur refuse tout, prévenez la personne qui héberge le site.'
  );
}

async function longWait({ database, config, clock }: Services): Promise<string | undefined> {
  if (config.SMTP_URL === undefined || (await findRelayTrouble(database.db))) return undefined;
  const { count, oldest } = await countWaiting(database.db);
  if (oldest === null || Date.parse(oldest) + WAIT_HOURS * HOUR_MS > clock().getTime()) return undefined;
  // The daily limit is reached: messages are meant to wait.
  if (config.MAIL_PER_DAY && (await countSent(database.db, clock())) >= config.MAIL_PER_DAY) return undefined;
  const waiting = count === 1 ? 'Un e-mail attend' : `${count} e-mails attendent`;
  return (
    `${waiting}, depuis plus de ${WAIT_HOURS} heures pour le plus ancien. Le portail en dit la raison dans «\u00a0E-mails ` +
    'envoyés\u00a0»\u202f; si tous attendent, prévenez la personne qui héberge le site.'
  );
}

/**
 * Number of failures since an instant, without those codes that were sent again to the same address later. For other
 * mails, nothing tells whether a later one says the same.
 */
async function countFailed(db: Access, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('envois_messages as failed')
    .innerJoin('envois as mailing', 'mailing.id', 'failed.envoi_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('failed.etat', '=', 'echec')
    .where('failed.termine_le', '>=', since.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('envois_messages as again')
            .innerJoin('envois as later', 'later.id', 'again.envoi_id')
            .select('again.id')
            .whereRef('again.cle_destinataire', '=', 'failed.cle_destinataire')
            .whereRef('again.id', '>', 'failed.id')
            .where('again.etat', 'in', ['attente', 'envoi', 'envoye'])
            .whereRef('later.genre', '=', 'mailing.genre')
            .whereRef('later.type', '=', 'mailing.type')
            .whereRef('again.stage_id', '=', 'failed.stage_id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** Wrong passwords in an hour, on the whole site and for one account, that exceed what a whole summer camp mistypes. */
const WRONG_OF_ALL = 500;
const WRONG_OF_ONE = 100;

function signInChecks(services: Services): HealthCheck[] {
  return [
    {
      key: 'mots-de-passe',
      part: 'connexions',
      label: 'beaucoup de mots de passe faux',
      look: () => wrongPasswords(services),
    },
    {
      key: 'refus',
      part: 'connexions',
      label: 'une connexion qui essuie beaucoup de refus',
      look: () => refusals(services),
    },
  ];
}

async function wrongPasswords({ database, clock }: Services): Promise<string | undefined> {
  const bursts = await listSpikes(database.db, clock(), WRONG_OF_ONE);
  const where = bursts
    .filter(({ genre }) => genre !== REFUSALS)
    .filter(({ genre, nombre }) => genre !== ALL_SIGN_INS || nombre >= WRONG_OF_ALL)
    .map(whereOf);
  if (where.length === 0) return undefined;
  const list = new Intl.ListFormat('fr').format(new Set(where));
  return (
    `Beaucoup de mots de passe faux en une heure (${list})\u202f: quelqu’un essaie peut-être d’en deviner, et le site ` +
    'ralentit ces essais de lui-même. Si ce sont des familles qui ont un ancien code, renvoyez-leur le bon.'
  );
}

function whereOf({ genre, cle }: Spike): string {
  return genre === STAY_SIGN_IN ? `séjour nº\u00a0${cle}` : (WHERE[genre] ?? 'portail');
}

const WHERE: Record<string, string> = {
  [ALL_SIGN_INS]: 'tout le site',
  'comptes-rendus': 'comptes rendus',
};

async function refusals({ database, clock }: Services): Promise<string | undefined> {
  const found = await listSpikes(database.db, clock(), REFUSALS_MANY);
  const bursts = found.filter(({ genre }) => genre === REFUSALS);
  if (bursts.length === 0) return undefined;
  const stays = await database.db
    .selectFrom('sessions')
    .select('stage_id')
    .distinct()
    .where(
      'id',
      'in',
      jsonIds(
        database.engine,
        bursts.map(({ cle }) => Number(cle)),
      ),
    )
    .where('stage_id', 'is not', null)
    .orderBy('stage_id')
    .execute();
  const names = new Intl.ListFormat('fr').format(stays.map(({ stage_id }) => `séjour nº\u00a0${stage_id}`));
  const who = bursts.length === 1 ? 'une même connexion' : `${bursts.length} connexions`;
  return (
    `Plus de ${REFUSALS_MANY} refus en dix minutes pour ${who}${names === '' ? '' : ` (${names})`}\u202f: quelqu’un cherche ` +
    'peut-être ce qui ne lui est pas ouvert. Si rien ne l’explique, donnez un nouveau mot de passe au séjour ou au ' +
    'compte, ce qui met fin à ses connexions.'
  );
}
