import { listDamaged } from '#platform/server/files/scrub.ts';
import { countGivenUp } from '#platform/server/jobs/jobs.ts';
import { BACKUP, listMissed, listSuccesses, type Scheduled } from '#platform/server/jobs/schedule.ts';
import { named } from '#platform/server/named.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import type { Watch } from './watch.ts';

/** Parts of the disk below which staff is told: while there is time to act, and when photos are taken no longer. */
const LOW_DISK = 0.15;
const FULL_DISK = 0.1;
/** A backup a day, and the time that it takes. */
const BACKUP_MS = DAY_MS + 2 * HOUR_MS;
/** Milliseconds that writes take when something is wrong with the disk or the database. */
const SLOW_WRITES_MS = 500;

export function machineWatches(services: Services, works: readonly Scheduled[]): Watch[] {
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
  // Below that, the other sentence says it.
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
