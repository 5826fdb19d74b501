import { sql, type Transaction } from 'kysely';
import { ConfigError } from '#platform/server/config.ts';
import type { Access, Database, Engine } from '#platform/server/db/database.ts';
import type { Migration } from '#platform/server/db/migration.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import * as foundation from './0001-foundation.ts';
import * as audience from './0002-audience.ts';
import * as example from './0003-example.ts';
import * as minutesText from './0004-minutes-text.ts';
import * as contact from './0005-contact.ts';
import * as staff from './0006-staff.ts';
import * as stays from './0007-stays.ts';
import * as mails from './0008-mails.ts';
import * as photos from './0009-photos.ts';
import * as uploads from './0010-uploads.ts';
import * as secondFactor from './0011-second-factor.ts';
import * as journalChain from './0012-journal-chain.ts';
import * as scrub from './0013-scrub.ts';
import * as alerts from './0014-alerts.ts';
import * as newestFirst from './0015-newest-first.ts';
import * as indexes from './0016-indexes.ts';
import * as oneOrderEach from './0017-one-order-each.ts';
import * as importUndo from './0018-import-undo.ts';
import * as exampleJobs from './0019-example-jobs.ts';
import * as oneQueue from './0020-one-queue.ts';
import * as importHeaders from './0021-import-headers.ts';
import * as directorImports from './0022-director-imports.ts';
import * as drafts from './0023-drafts.ts';
import * as provisionalPassword from './0024-provisional-password.ts';
import * as stayBooklets from './0025-stay-booklets.ts';
import * as endsAndSavings from './0026-ends-and-savings.ts';
import * as benefitCategories from './0027-benefit-categories.ts';
import * as searchText from './0028-search-text.ts';
import * as photosFirst from './0029-photos-first.ts';
import * as removalAnswers from './0030-removal-answers.ts';
import * as photoOrder from './0031-photo-order.ts';
import * as photoRetouch from './0032-photo-retouch.ts';
import * as cameraClock from './0033-camera-clock.ts';
import * as photoChosen from './0034-photo-chosen.ts';
import * as sessionProof from './0035-session-proof.ts';
import * as sessionPlaces from './0036-session-places.ts';
import * as photoBin from './0037-photo-bin.ts';
import * as rights from './0038-rights.ts';
import * as passkeys from './0039-passkeys.ts';
import * as takeover from './0040-takeover.ts';
import * as burstOrder from './0041-burst-order.ts';
import * as importAnswers from './0042-import-answers.ts';
import * as devicesAndChallenges from './0043-devices-and-challenges.ts';
import * as photosBefore from './0044-photos-before.ts';
import * as knownAddresses from './0045-known-addresses.ts';
import * as ruledOut from './0046-ruled-out.ts';
import * as endedSessions from './0047-ended-sessions.ts';
import * as links from './0048-links.ts';
import * as lightJpegs from './0049-light-jpegs.ts';
import * as evenings from './0050-evenings.ts';
import * as erasureProofs from './0051-erasure-proofs.ts';
import * as creations from './0052-creations.ts';
import * as invitations from './0053-invitations.ts';

interface NamedMigration {
  name: string;
  up: Migration;
  /**
   * The oldest migration whose programs go on with the database after this one, as it only adds what they do not miss.
   * `none`: programs of before refuse it, and the site has to be away during the upgrade.
   */
  opensFrom: 'none' | `${number}-${string}`;
}

/**
 * All migrations of the schema, oldest first. A released one is never edited; the next change is a new file. What a
 * version no longer uses is taken away one version later, by a migration that opens from that version's last one.
 */
const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-foundation', up: foundation.up, opensFrom: 'none' },
  { name: '0002-audience', up: audience.up, opensFrom: 'none' },
  { name: '0003-example', up: example.up, opensFrom: 'none' },
  { name: '0004-minutes-text', up: minutesText.up, opensFrom: 'none' },
  { name: '0005-contact', up: contact.up, opensFrom: 'none' },
  { name: '0006-staff', up: staff.up, opensFrom: 'none' },
  { name: '0007-stays', up: stays.up, opensFrom: 'none' },
  { name: '0008-mails', up: mails.up, opensFrom: 'none' },
  { name: '0009-photos', up: photos.up, opensFrom: 'none' },
  { name: '0010-uploads', up: uploads.up, opensFrom: 'none' },
  { name: '0011-second-factor', up: secondFactor.up, opensFrom: 'none' },
  { name: '0012-journal-chain', up: journalChain.up, opensFrom: 'none' },
  { name: '0013-scrub', up: scrub.up, opensFrom: 'none' },
  { name: '0014-alerts', up: alerts.up, opensFrom: 'none' },
  { name: '0015-newest-first', up: newestFirst.up, opensFrom: 'none' },
  { name: '0016-indexes', up: indexes.up, opensFrom: 'none' },
  { name: '0017-one-order-each', up: oneOrderEach.up, opensFrom: 'none' },
  { name: '0018-import-undo', up: importUndo.up, opensFrom: 'none' },
  { name: '0019-example-jobs', up: exampleJobs.up, opensFrom: 'none' },
  { name: '0020-one-queue', up: oneQueue.up, opensFrom: 'none' },
  { name: '0021-import-headers', up: importHeaders.up, opensFrom: 'none' },
  { name: '0022-director-imports', up: directorImports.up, opensFrom: 'none' },
  { name: '0023-drafts', up: drafts.up, opensFrom: 'none' },
  { name: '0024-provisional-password', up: provisionalPassword.up, opensFrom: 'none' },
  { name: '0025-stay-booklets', up: stayBooklets.up, opensFrom: 'none' },
  { name: '0026-ends-and-savings', up: endsAndSavings.up, opensFrom: 'none' },
  { name: '0027-benefit-categories', up: benefitCategories.up, opensFrom: 'none' },
  { name: '0028-search-text', up: searchText.up, opensFrom: 'none' },
  { name: '0029-photos-first', up: photosFirst.up, opensFrom: 'none' },
  { name: '0030-removal-answers', up: removalAnswers.up, opensFrom: 'none' },
  { name: '0031-photo-order', up: photoOrder.up, opensFrom: 'none' },
  { name: '0032-photo-retouch', up: photoRetouch.up, opensFrom: 'none' },
  { name: '0033-camera-clock', up: cameraClock.up, opensFrom: 'none' },
  { name: '0034-photo-chosen', up: photoChosen.up, opensFrom: 'none' },
  { name: '0035-session-proof', up: sessionProof.up, opensFrom: 'none' },
  { name: '0036-session-places', up: sessionPlaces.up, opensFrom: 'none' },
  { name: '0037-photo-bin', up: photoBin.up, opensFrom: 'none' },
  { name: '0038-rights', up: rights.up, opensFrom: 'none' },
  { name: '0039-passkeys', up: passkeys.up, opensFrom: 'none' },
  { name: '0040-takeover', up: takeover.up, opensFrom: 'none' },
  { name: '0041-burst-order', up: burstOrder.up, opensFrom: '0040-takeover' },
  { name: '0042-import-answers', up: importAnswers.up, opensFrom: '0040-takeover' },
  { name: '0043-devices-and-challenges', up: devicesAndChallenges.up, opensFrom: '0040-takeover' },
  { name: '0044-photos-before', up: photosBefore.up, opensFrom: '0040-takeover' },
  { name: '0045-known-addresses', up: knownAddresses.up, opensFrom: '0040-takeover' },
  { name: '0046-ruled-out', up: ruledOut.up, opensFrom: '0040-takeover' },
  { name: '0047-ended-sessions', up: endedSessions.up, opensFrom: '0040-takeover' },
  { name: '0048-links', up: links.up, opensFrom: '0040-takeover' },
  { name: '0049-light-jpegs', up: lightJpegs.up, opensFrom: '0040-takeover' },
  { name: '0050-evenings', up: evenings.up, opensFrom: '0040-takeover' },
  { name: '0051-erasure-proofs', up: erasureProofs.up, opensFrom: '0040-takeover' },
  { name: '0052-creations', up: creations.up, opensFrom: '0040-takeover' },
  { name: '0053-invitations', up: invitations.up, opensFrom: '0040-takeover' },
];

/** Thrown for a database that a newer version of the product has migrated. */
export class DatabaseTooNew extends Error {
  constructor(name: string) {
    super(`La base de données vient d’une version plus récente (${name})\u202f: mettez le programme à jour.`);
  }
}

/** A migration as the database remembers it. */
interface Done {
  nom: string;
  /** Its `opensFrom`, null for `none`. The column itself is absent where version 1.0.0 was the last to open. */
  ouvre_depuis?: string | null;
}

async function doneOn(db: Access): Promise<readonly Done[]> {
  return (await sql<Done>`select * from migrations order by nom`.execute(db)).rows;
}

/** Names of what was done. Throws `DatabaseTooNew` where a newer version did what this one cannot go on with. */
function namesOf(done: readonly Done[]): ReadonlySet<string> {
  const own = MIGRATIONS.at(-1)?.name ?? '';
  const barring = done.find(
    ({ nom, ouvre_depuis }) => !isKnown(nom) && !(ouvre_depuis && ouvre_depuis <= own),
  );
  if (barring) throw new DatabaseTooNew(barring.nom);
  return new Set(done.map(({ nom }) => nom));
}

/** Lists the migrations that the next start will run; throws `DatabaseTooNew`. */
export async function listPending({ db }: Database): Promise<string[]> {
  const names = namesOf(await doneOn(db));
  return MIGRATIONS.filter(({ name }) => !names.has(name)).map(({ name }) => name);
}

/**
 * Brings the schema up to date, all or nothing: the missing migrations run in one transaction with their
 * record. Several processes may call it at once.
 */
export async function migrate(database: Database): Promise<void> {
  await database.write((transaction) => migrateIn(transaction, database.engine));
}

/** Like `migrate`, within a given transaction, and only up to migration `last` if given. */
export async function migrateIn(
  transaction: Transaction<Tables>,
  engine: Engine,
  last = MIGRATIONS.at(-1)?.name ?? '',
): Promise<void> {
  // An advisory lock, as the table of migrations may not exist yet; the number is arbitrary.
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(20261121)`.execute(transaction);
  await sql`
    create table if not exists migrations (nom text primary key, faite_le text not null, ouvre_depuis text)
  `.execute(transaction);
  const done = await doneOn(transaction);
  const names = namesOf(done);
  if (done.some((one) => one.ouvre_depuis === undefined))
    await sql`alter table migrations add column ouvre_depuis text`.execute(transaction);
  for (const { name, up, opensFrom } of MIGRATIONS) {
    if (names.has(name) || name > last) continue;
    await up(transaction, engine);
    const row = sql.join([name, new Date().toISOString(), opensFrom === 'none' ? null : opensFrom]);
    await sql`insert into migrations (nom, faite_le, ouvre_depuis) values (${row})`.execute(transaction);
  }
}

/** The last migration run on a database. Throws `DatabaseTooNew`, or `ConfigError` for a database without a site. */
export async function readLastMigration(db: Access): Promise<string> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'migrations'))
    throw new ConfigError('Cette base de données ne contient pas de site.');
  const { rows } = await sql<{ nom: string | null }>`select max(nom) as nom from migrations`.execute(db);
  const last = rows[0]?.nom ?? '';
  requireKnown(last);
  return last;
}

/** Throws `DatabaseTooNew` for a migration that this version does not know: it cannot copy what that one has added. */
export function requireKnown(name: string): void {
  if (!isKnown(name)) throw new DatabaseTooNew(name);
}

function isKnown(name: string): boolean {
  return MIGRATIONS.some((migration) => migration.name === name);
}
