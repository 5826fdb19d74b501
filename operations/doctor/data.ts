import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { listPending } from '#app/migrations/migrate.ts';
import { compareErasures } from '#features/audit/server/erasures.ts';
import { isChainOf, verifyChain } from '#features/audit/server/journal.ts';
import { isClockTrusted } from '#platform/server/clock.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import { isWhole, listDamaged } from '#platform/server/files/integrity.ts';
import { compareFiles, GRACE_MS } from '#platform/server/files/orphans.ts';
import { CONDEMNED, RECEIVED_FOLDER } from '#platform/server/files/register.ts';
import { countGivenUp } from '#platform/server/jobs/jobs.ts';
import { BACKUP, listMissed, listSuccesses, type Scheduled } from '#platform/server/jobs/schedule.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/* Checks of the database, and of the site's scheduled works and jobs recorded in it. */

/** Checks that no migration is pending; the other checks of tables depend on it. */
export async function version({ services: { database } }: Examined): Promise<Finding> {
  const pending = await listPending(database);
  if (pending.length === 0) return fine('Base de données\u202f: elle répond, à la version du programme.');
  return watch(
    'Base de données\u202f: elle vient d’une version plus ancienne. Le prochain démarrage du site la met à jour\u202f; ' +
      'le reste se vérifie après.',
  );
}

/** Checks the SQLite file for damage. PostgreSQL has no such check of the whole: no finding for it. */
export async function integrity({ services: { database } }: Examined): Promise<Finding[]> {
  if (database.engine === 'postgres') return [];
  const faults = await listFaults(database);
  if (faults.length > 0)
    return [treat(`Base de données\u202f: elle est abîmée ${listed(faults)}. Remettez une sauvegarde.`)];
  return [fine('Base de données\u202f: rien n’y est abîmé.')];
}

/** Limit for the WAL file: normally some 4 MB; far more means that another program prevents checkpoints. */
const LAST_WRITES_BYTES = 64 * 1024 * 1024;

export async function lastWrites({ services: { database } }: Examined): Promise<Finding[]> {
  if (database.engine === 'postgres') return [];
  const bytes = await lastWritesBytes(database);
  if (bytes > LAST_WRITES_BYTES)
    return [
      watch(
        `passerelle.db-wal pèse ${weightOf(bytes)}\u202f: un autre programme garde la base ouverte. Arrêtez-le, ou relancez le site.`,
      ),
    ];
  return [fine('Base de données\u202f: rien n’y retient les dernières écritures.')];
}

/** Checks the hash chain of the journal. */
export async function journal({ services: { database, secrets } }: Examined): Promise<Finding> {
  const { db } = database;
  if (!(await isChainOf(db, secrets)))
    return watch(
      'Journal\u202f: il n’est pas enchaîné avec cette clé secrète, et ne se vérifie pas. Le prochain démarrage du site y remédie, ou dit pourquoi non.',
    );
  const { wrong, isCut } = await verifyChain(db, secrets);
  if (wrong || isCut)
    return treat(
      'Journal\u202f: quelqu’un l’a changé sans passer par le site. «\u00a0npm run journal -- verifier\u00a0» dit où.',
    );
  return fine('Journal\u202f: il dit ce qui y a été écrit.');
}

/** Tolerated difference between clocks, in ms; an instant further ahead was written by a wrong clock. */
const DIFFER_MS = 5 * 60_000;

export async function clock({ services: { database, clock } }: Examined): Promise<Finding> {
  const now = clock();
  const last = await findLastInstant(database.db);
  if (last !== undefined && last.getTime() > now.getTime() + DIFFER_MS)
    return treat(
      `Horloge\u202f: la base de données a déjà vu le ${last.toISOString()}, et cette machine dit ${now.toISOString()}. Mettez-la à l’heure.`,
    );
  if (!(await isClockTrusted(database.db, now)))
    return watch(
      'Horloge\u202f: plus de 40 jours sans travail du site, ou l’horloge a sauté. Confirmez la date sur la première page du portail.',
    );
  return fine('Horloge\u202f: elle suit les derniers instants de la base de données.');
}

async function findLastInstant(db: Access): Promise<Date | undefined> {
  const told = await db
    .selectFrom('journal')
    .select(({ fn }) => fn.max('instant').as('last'))
    .executeTakeFirst();
  const worked = await db
    .selectFrom('planifications')
    .select(({ fn }) => fn.max('derniere_le').as('last'))
    .executeTakeFirst();
  const [last] = [told?.last, worked?.last]
    .flatMap((instant) => instant ?? [])
    .sort()
    .reverse();
  return last === undefined ? undefined : new Date(last);
}

export async function jobs({ services: { database, clock } }: Examined): Promise<Finding> {
  const count = await countGivenUp(database.db, clock());
  if (count === 0) return fine('Tâches de fond\u202f: aucune n’est abandonnée.');
  return watch(
    `Tâches de fond abandonnées après plusieurs échecs\u202f: ${count}. Le journal technique du serveur dit pourquoi.`,
  );
}

export async function works({ services, works }: Examined): Promise<Finding> {
  const missed = await listMissed(services.database.db, works, services.clock());
  if (missed.length === 0) return fine('Travaux réguliers\u202f: tous aboutissent.');
  const names = missed.map(({ label }) => label);
  return watch(
    `Travaux réguliers qui n’aboutissent plus ${listed(names)}\u202f: mettez le site en marche, ou lisez son journal technique.`,
  );
}

const BACKUP_LATE_MS = 26 * HOUR_MS;
const BACKUP_OLD_MS = 7 * DAY_MS;

export async function backup({ services: { database, clock } }: Examined): Promise<Finding> {
  const last = (await listSuccesses(database.db)).get(BACKUP);
  if (!last)
    return watch('Sauvegarde\u202f: aucune sauvegarde n’a été faite. Mettez-en une en place, chaque jour.');
  const age = clock().getTime() - Date.parse(last);
  const since = `la dernière est du ${last}`;
  if (age > BACKUP_OLD_MS) return treat(`Sauvegarde\u202f: ${since}. Cherchez pourquoi il n’y en a plus.`);
  if (age > BACKUP_LATE_MS) return watch(`Sauvegarde\u202f: ${since}. Il en faut une chaque jour.`);
  return fine(`Sauvegarde\u202f: ${since}.`);
}

export async function erasures({ services }: Examined): Promise<Finding> {
  const { unreadable, lost } = await compareErasures(services.database.db, services.erasures, []);
  if (unreadable + lost === 0) return fine('effacements.jsonl\u202f: il est entier.');
  return treat(
    `effacements.jsonl\u202f: lignes illisibles ${unreadable}, perdues ${lost}. Remettez sa copie la plus récente, puis relancez le site.`,
  );
}

/* Checks of the files, and of the rows that refer to them. */

const PUT_BACK = 'Remettez-les depuis une sauvegarde, au même endroit.';

/** Compares the files in storage with the register: lost files, and files without a row. */
export async function register({ services }: Examined): Promise<Finding[]> {
  const strays: string[] = [];
  const before = new Date(services.clock().getTime() - GRACE_MS);
  const missing = await compareFiles(services, before, (key) => void strays.push(key));
  const found: Finding[] = [];
  if (missing.length > 0)
    found.push(
      treat(`Fichiers perdus\u202f: ${missing.length} ${listed(missing.map(({ key }) => key))}. ${PUT_BACK}`),
    );
  if (strays.length > 0)
    found.push(
      watch(
        `Fichiers que rien ne retient\u202f: ${strays.length} ${listed(strays)}. Le site en marche les met de côté chaque jour.`,
      ),
    );
  return found.length > 0 ? found : [fine('Fichiers\u202f: chacun a sa ligne, et chaque ligne le sien.')];
}

/** Time, in ms, since a file's last integrity check, which is weekly, after which a warning is given. */
const READ_LATE_MS = 8 * DAY_MS;

/** Checks the content of files: by the site's last integrity check or, with `isThorough`, by reading them all now. */
export async function content(examined: Examined): Promise<Finding> {
  const { services, isThorough } = examined;
  const damaged = isThorough ? await readAll(examined) : await listDamaged(services.database.db);
  if (damaged.length > 0)
    return treat(`Fichiers abîmés\u202f: ${damaged.length} ${listed(damaged)}. ${PUT_BACK}`);
  if (isThorough) return fine('Fichiers\u202f: relus à l’instant, tous sont intacts.');
  const late = new Date(services.clock().getTime() - READ_LATE_MS).toISOString();
  const unread = await countUnread(services.database.db, late);
  if (unread > 0)
    return watch(
      `Fichiers que le site n’a pas relus depuis plus d’une semaine\u202f: ${unread}. Mettez-le en marche, ou faites\u202f: npm run doctor -- --empreintes`,
    );
  return fine('Fichiers\u202f: à la dernière relecture, tous étaient intacts.');
}

async function readAll({ services: { database, storage } }: Examined): Promise<string[]> {
  const files = await database.db
    .selectFrom('fichiers')
    .selectAll()
    .where('objet', '!=', CONDEMNED)
    .orderBy('dossier')
    .orderBy('nom')
    .execute();
  const damaged: string[] = [];
  for (const file of files) if (!(await isWhole(storage, file))) damaged.push(keyOf(file.dossier, file.nom));
  return damaged;
}

async function countUnread(db: Access, late: string): Promise<number> {
  const { count } = await db
    .selectFrom('fichiers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('verifie_le', '<', late)
    .where('created_at', '<', late)
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds files whose owner (a row of content, of a person or of a photo) no longer exists. */
export async function owners({ services: { database } }: Examined): Promise<Finding> {
  const { db } = database;
  const tables = await db
    .selectFrom('fichiers')
    .select('objet')
    .distinct()
    .where('objet', '!=', CONDEMNED)
    .execute();
  const gone: string[] = [];
  for (const { objet } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from fichiers
      where objet = ${objet} and not exists (select 1 from ${sql.table(objet)} as owner where owner.id = objet_id)
    `.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count > 0) gone.push(`${objet}\u202f: ${count}`);
  }
  if (gone.length === 0) return fine('Fichiers\u202f: chacun appartient à quelque chose qui existe.');
  return watch(
    `Fichiers dont le contenu n’existe plus ${listed(gone)}\u202f: personne ne peut les ouvrir. Gardez une sauvegarde, et signalez-le.`,
  );
}

/** Finds received photos that will never be prepared, as their file or their job is gone. */
export async function photos({ services: { database } }: Examined): Promise<Finding> {
  const { db } = database;
  const received = await db
    .selectFrom('photos')
    .select(['id', 'stage_id'])
    .where('statut', '=', 'recue')
    .execute();
  const files = await db
    .selectFrom('fichiers')
    .select('objet_id')
    .where('objet', '=', 'photos')
    .where('dossier', '=', RECEIVED_FOLDER)
    .execute();
  const jobs = await db.selectFrom('jobs').select('charge').where('nom', '=', 'prepare-photo').execute();
  const hasFile = new Set(files.map(({ objet_id }) => objet_id));
  const hasJob = new Set(jobs.map(({ charge }) => Number(JSON.parse(charge).id)));
  const stuck = received.filter(({ id }) => !hasFile.has(id) || !hasJob.has(id));
  if (stuck.length === 0) return fine('Photos\u202f: aucune n’attend une préparation qui ne viendra pas.');
  const stays = [...new Set(stuck.map(({ stage_id }) => `séjour ${stage_id}`))];
  return treat(
    `Photos reçues que rien ne prépare\u202f: ${stuck.length} ${listed(stays)}. Supprimez-les dans le portail, et demandez qu’on les renvoie.`,
  );
}

/* Reading the state of the SQLite file. */

/** Lists what the SQLite integrity and foreign key checks find wrong; empty when all is well. */
async function listFaults({ db }: Database): Promise<string[]> {
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const rows = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  return [
    ...pages.rows.flatMap(({ integrity_check: said }) => (said === 'ok' ? [] : [said.replace(/\s+/g, ' ')])),
    ...new Set(rows.rows.map(({ table, parent }) => `${table} sans ${parent}`)),
  ];
}

/** Size of the WAL file in bytes: the last writes, which a checkpoint moves into the database. */
async function lastWritesBytes({ db }: Database): Promise<number> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db);
  const found = await stat(`${rows[0]?.file}-wal`).catch(() => undefined);
  return found?.size ?? 0;
}

/** Result of a check. `texte` says what to do, in sentences for the person who hosts the site, maybe without help. */
export interface Finding {
  state: 'ok' | 'à surveiller' | 'à traiter';
  texte: string;
}

export const fine = (texte: string): Finding => ({ state: 'ok', texte });

export const watch = (texte: string): Finding => ({ state: 'à surveiller', texte });

export const treat = (texte: string): Finding => ({ state: 'à traiter', texte });

/** The site to inspect; the checks change nothing in it. */
export interface Examined {
  services: Services;
  works: readonly Scheduled[];
  /** When true, every file is read and compared with its hash. */
  isThorough: boolean;
}

/** Number of names listed in a sentence; the others are only counted. */
const NAMED = 5;

/** Formats names within a sentence: « (un, deux et 3 autres) ». */
export function listed(names: readonly string[]): string {
  const others = names.length - NAMED;
  const rest = others > 0 ? [others === 1 ? 'un autre' : `${others} autres`] : [];
  return `(${new Intl.ListFormat('fr').format([...names.slice(0, NAMED), ...rest])})`;
}
