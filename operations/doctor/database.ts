import { listPending } from '#app/migrations/migrate.ts';
import { compareErasures } from '#features/audit/server/erasures.ts';
import { isChainOf, verifyChain } from '#features/audit/server/journalChain.ts';
import { isClockTrusted } from '#platform/server/clock.ts';
import { lastWritesBytes, listFaults } from '#platform/server/db/inspect.ts';
import type { Access } from '#platform/server/db/open.ts';
import { countGivenUp } from '#platform/server/jobs/jobs.ts';
import { BACKUP, listMissed, listSuccesses } from '#platform/server/jobs/schedule.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { type Examined, type Finding, fine, listed, treat, watch } from './finding.ts';

/** The database, and what it remembers of the site's own work. */

/** Whether the tables are those that this program knows; what else is asked of them depends on it. */
export async function version({ services: { database } }: Examined): Promise<Finding> {
  const pending = await listPending(database);
  if (pending.length === 0) return fine('Base de données\u202f: elle répond, à la version du programme.');
  return watch(
    'Base de données\u202f: elle vient d’une version plus ancienne. Le prochain démarrage du site la met à jour\u202f; ' +
      'le reste se vérifie après.',
  );
}

/** PostgreSQL has no check of the whole: nothing is said of it. */
export async function integrity({ services: { database } }: Examined): Promise<Finding[]> {
  if (database.engine === 'postgres') return [];
  const faults = await listFaults(database);
  if (faults.length > 0)
    return [treat(`Base de données\u202f: elle est abîmée ${listed(faults)}. Remettez une sauvegarde.`)];
  return [fine('Base de données\u202f: rien n’y est abîmé.')];
}

/** SQLite keeps some 4 MB there; far more means that somebody keeps it from being taken over. */
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

/** Whether the journal says what was written. */
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

/** Clocks of machines differ; what is further ahead was written by a wrong one. */
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
