import { stat } from 'node:fs/promises';
import type { Access, Database } from '#platform/server/db/database.ts';
import { hasMigrated } from '#platform/server/db/migration.ts';
import { fileOf, listFaults } from '#platform/server/db/sqlite.ts';
import { countUnread, isWhole, listDamaged } from '#platform/server/files/integrityStore.ts';
import { compareFiles, GRACE_MS } from '#platform/server/files/orphans.ts';
import { countOwnerless, listRegistered } from '#platform/server/files/registerStore.ts';
import { BACKUP, countGivenUp, listSuccesses } from '#platform/server/jobs/jobsStore.ts';
import { listMissed, type Scheduled } from '#platform/server/jobs/schedule.ts';
import { named } from '#platform/server/names.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { type Check, COMMANDS, type Finding, fail, fine, listed, warn } from './check.ts';

export function dataChecks(services: Services, works: readonly Scheduled[]): Check[] {
  return [
    ...databaseChecks(services),
    ...workChecks(services, works),
    ...backupChecks(services),
    ...fileChecks(services),
  ];
}

/** Average milliseconds of a write from which something is wrong with the disk or the database. */
const SLOW_WRITES_MS = 500;

function databaseChecks({ database, metrics }: Services): Check[] {
  return [
    {
      key: 'base-lente',
      part: 'base',
      label: 'enregistrements lents',
      command: COMMANDS.doctor,
      async staff() {
        if (metrics.averageWriteMs() < SLOW_WRITES_MS) return undefined;
        return 'Les enregistrements sont lents. Si cela dure plus d’une heure, prévenez la personne qui héberge le site.';
      },
    },
    { key: 'base-abimee', part: 'base', operator: () => damage(database) },
    { key: 'dernieres-ecritures', part: 'base', operator: () => lastWrites(database) },
  ];
}

/** Checks the file of the database for damage. PostgreSQL has no such check of the whole: no finding for it. */
async function damage(database: Database): Promise<Finding[]> {
  if (database.engine === 'postgres') return [];
  const faults = await listFaults(database.db);
  if (faults.length > 0)
    return [fail(`Base de données\u202f: elle est abîmée ${listed(faults)}. Remettez une sauvegarde.`)];
  return [fine('Base de données\u202f: rien n’y est abîmé.')];
}

/** Limit for the WAL file: normally some 4 MB; far more means that another program prevents checkpoints. */
const LAST_WRITES_BYTES = 64 * 1024 * 1024;

async function lastWrites({ engine, db }: Database): Promise<Finding[]> {
  if (engine === 'postgres') return [];
  const { size = 0 } = (await stat(`${await fileOf(db)}-wal`).catch(() => undefined)) ?? {};
  if (size > LAST_WRITES_BYTES)
    return [
      warn(
        `passerelle.db-wal pèse ${weightOf(size)}\u202f: un autre programme garde la base ouverte. Arrêtez-le, ou relancez le site.`,
      ),
    ];
  return [fine('Base de données\u202f: rien n’y retient les dernières écritures.')];
}

function workChecks({ database: { db }, clock }: Services, works: readonly Scheduled[]): Check[] {
  return [
    {
      key: 'taches',
      part: 'travaux',
      label: 'tâches de fond abandonnées',
      command: COMMANDS.errors,
      isUrgent: true,
      async staff() {
        const count = await countGivenUp(db, clock());
        if (count === 0) return undefined;
        const subject =
          count === 1
            ? 'Une tâche de fond a été abandonnée après plusieurs échecs'
            : `${count} tâches de fond ont été abandonnées après plusieurs échecs`;
        return `${subject}\u202f: le journal technique du serveur dit pourquoi.`;
      },
      async operator() {
        const count = await countGivenUp(db, clock());
        if (count === 0) return fine('Tâches de fond\u202f: aucune n’est abandonnée.');
        return warn(
          `Tâches de fond abandonnées après plusieurs échecs\u202f: ${count}. Le journal technique du serveur dit pourquoi.`,
        );
      },
    },
    {
      key: 'travaux',
      part: 'travaux',
      label: 'travaux réguliers qui n’aboutissent plus',
      command: COMMANDS.errors,
      isUrgent: true,
      async staff() {
        const missed = await listMissed(db, works, clock());
        if (missed.length === 0) return undefined;
        const subject =
          missed.length === 1
            ? 'Un travail régulier du site n’aboutit plus'
            : `${missed.length} travaux réguliers du site n’aboutissent plus`;
        const names = missed.map(({ label }) => label).join(', ');
        return `${subject} (${names})\u202f: le journal technique du serveur dit pourquoi.`;
      },
      async operator() {
        const missed = await listMissed(db, works, clock());
        if (missed.length === 0) return fine('Travaux réguliers\u202f: tous aboutissent.');
        const names = missed.map(({ label }) => label);
        return warn(
          `Travaux réguliers qui n’aboutissent plus ${listed(names)}\u202f: mettez le site en marche, ou lisez son journal technique.`,
        );
      },
    },
  ];
}

/** Most milliseconds between two backups: a day, and the time that one takes. */
const BACKUP_LATE_MS = DAY_MS + 2 * HOUR_MS;
const BACKUP_OLD_MS = 7 * DAY_MS;
/** Age of a site in milliseconds from which it must have been backed up. */
const BACKUP_DUE_MS = 3 * DAY_MS;

function backupChecks({ database: { db }, clock }: Services): Check[] {
  /** The last backup and its age in milliseconds; undefined when there has been none. */
  async function measure() {
    const last = (await listSuccesses(db)).get(BACKUP);
    return last ? { last, age: clock().getTime() - Date.parse(last) } : undefined;
  }
  /** Whether the site is that old: whether a migration is, as the first ones made it. */
  async function isDue() {
    return hasMigrated(db, new Date(clock().getTime() - BACKUP_DUE_MS));
  }
  return [
    {
      key: 'sauvegarde',
      part: 'sauvegardes',
      label: 'sauvegarde trop ancienne',
      command: COMMANDS.lastBackup,
      isUrgent: true,
      async staff() {
        const backup = await measure();
        if (!backup || backup.age <= BACKUP_LATE_MS) return undefined;
        return 'La dernière sauvegarde du site date de plus d’un jour. La personne qui héberge le site doit voir pourquoi la suivante n’a pas eu lieu.';
      },
      async operator() {
        const backup = await measure();
        if (!backup) {
          const told = (await isDue()) ? fail : warn;
          return told(
            'Sauvegarde\u202f: aucune sauvegarde n’a été faite. Mettez-en une en place, chaque jour.',
          );
        }
        const since = `Sauvegarde\u202f: la dernière est du ${backup.last}.`;
        if (backup.age > BACKUP_OLD_MS) return fail(`${since} Cherchez pourquoi il n’y en a plus.`);
        if (backup.age > BACKUP_LATE_MS) return warn(`${since} Il en faut une chaque jour.`);
        return fine(since);
      },
    },
    {
      key: 'sauvegarde-attendue',
      part: 'sauvegardes',
      label: 'site jamais sauvegardé',
      command: COMMANDS.nightlyBackups,
      isUrgent: true,
      async staff() {
        if ((await measure()) || !(await isDue())) return undefined;
        return 'Le site a plus de trois jours et n’a jamais été sauvegardé\u202f: une panne du disque emporterait tout. La personne qui héberge le site doit mettre une sauvegarde en place.';
      },
    },
    {
      key: 'sauvegarde-jamais',
      part: 'sauvegardes',
      label: 'aucune sauvegarde',
      only: 'portal',
      async staff() {
        if ((await measure()) || (await isDue())) return undefined;
        return 'Demandez à la personne qui héberge le site comment il est sauvegardé.';
      },
    },
  ];
}

function fileChecks(services: Services): Check[] {
  const { database } = services;
  return [
    { key: 'registre', part: 'fichiers', operator: () => register(services) },
    {
      key: 'fichiers',
      part: 'fichiers',
      label: 'fichiers abîmés ou disparus',
      command: COMMANDS.putBackFiles,
      isUrgent: true,
      async staff() {
        const keys = await listDamaged(database.db);
        if (keys.length === 0) return undefined;
        const subject =
          keys.length === 1
            ? 'Un fichier du site est abîmé ou a disparu'
            : `${keys.length} fichiers du site sont abîmés ou ont disparu`;
        return `${subject} (${named(keys)})\u202f: prévenez la personne qui héberge le site, qui répare cela avec une sauvegarde.`;
      },
      operator: (isThorough) => damagedFiles(services, isThorough),
    },
    { key: 'proprietaires', part: 'fichiers', operator: () => owners(database.db) },
  ];
}

const PUT_BACK = 'Remettez-les depuis les sauvegardes\u202f: passerelle restore DOSSIER --fichiers';

/** Compares the files in storage with the register: lost files, and files without a row. */
async function register(services: Services): Promise<Finding[]> {
  const strays: string[] = [];
  const before = new Date(services.clock().getTime() - GRACE_MS);
  const missing = await compareFiles(services, before, (key) => void strays.push(key));
  const found: Finding[] = [];
  if (missing.length > 0)
    found.push(
      fail(`Fichiers perdus\u202f: ${missing.length} ${listed(missing.map(({ key }) => key))}. ${PUT_BACK}`),
    );
  if (strays.length > 0)
    found.push(
      warn(
        `Fichiers que rien ne retient\u202f: ${strays.length} ${listed(strays)}. Le site en marche les met de côté chaque jour.`,
      ),
    );
  return found.length > 0 ? found : [fine('Fichiers\u202f: chacun a sa ligne, et chaque ligne le sien.')];
}

/** Time, in ms, since a file's last integrity check, which is weekly, after which a warning is given. */
const READ_LATE_MS = 8 * DAY_MS;

/** Checks the content of files: by the site's last integrity check or, with `isThorough`, by reading them all now. */
async function damagedFiles(services: Services, isThorough: boolean): Promise<Finding> {
  const { db } = services.database;
  const damaged = isThorough ? await readAll(services) : await listDamaged(db);
  if (damaged.length > 0)
    return fail(`Fichiers abîmés\u202f: ${damaged.length} ${listed(damaged)}. ${PUT_BACK}`);
  if (isThorough) return fine('Fichiers\u202f: relus à l’instant, tous sont intacts.');
  const unread = await countUnread(db, new Date(services.clock().getTime() - READ_LATE_MS));
  if (unread > 0)
    return warn(
      `Fichiers que le site n’a pas relus depuis plus d’une semaine\u202f: ${unread}. Mettez-le en marche, ou faites\u202f: passerelle doctor --empreintes`,
    );
  return fine('Fichiers\u202f: à la dernière relecture, tous étaient intacts.');
}

async function readAll({ database, storage }: Services): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of await listRegistered(database.db)) {
    const key = keyOf(file.dossier, file.nom);
    if (!(await isWhole(storage, key, file))) damaged.push(key);
  }
  return damaged;
}

/** Finds files whose owner (a row of content, of a person or of a photo) no longer exists. */
async function owners(db: Access): Promise<Finding> {
  const gone = (await countOwnerless(db)).map(({ table, count }) => `${table}\u202f: ${count}`);
  if (gone.length === 0) return fine('Fichiers\u202f: chacun appartient à quelque chose qui existe.');
  return warn(
    `Fichiers dont le contenu n’existe plus ${listed(gone)}\u202f: personne ne peut les ouvrir. Gardez une sauvegarde, et signalez-le.`,
  );
}
