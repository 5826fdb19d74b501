import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readLastMigration } from '#app/migrations/migrate.ts';
import { tableKeys } from '#app/server/features.ts';
import { isChangeCutOff } from '#app/server/siteDatabase.ts';
import { putBackErasures } from '#features/audit/server/erasures.ts';
import { requireSecretKey } from '#features/site/server/settingsStore.ts';
import { keepFrom, load, requireEmptyDatabase, requireOnlyFiles } from '#operations/copy/load.ts';
import { AT_ONCE, isAsWritten, measure } from '#operations/copy/manifest.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import { bucketOf, type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { holdForMove } from '#platform/server/db/directory.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { listTables, readLastIds, readRows, type TableName } from '#platform/server/db/wholeTables.ts';
import { listHeldFiles } from '#platform/server/files/registerStore.ts';
import { adoptNextKey, makeSecrets, readSecretKey } from '#platform/server/secrets.ts';
import { diskStorage } from '#platform/server/storage/disk.ts';
import { type ErasureFile, erasureFileIn, erasuresOf } from '#platform/server/storage/erasureFile.ts';
import { openStorage } from '#platform/server/storage/open.ts';
import { FileMissing, type Storage } from '#platform/server/storage/storage.ts';
import { openStaging, type UploadStaging } from '#platform/server/storage/uploadStaging.ts';
import { requireSite, runCommand } from './command.ts';
import { variablesIn } from './variables.ts';

/* Moves a site from SQLite to PostgreSQL, also while it runs. */

const USAGE = `Usage :
  passerelle move < FICHIER
      déménage la base de DATA_DIR dans une base PostgreSQL vide, et les fichiers dans un bucket vide, s’il y en a un ;
      FICHIER contient les variables du nouveau site, une par ligne : DATABASE_URL=postgres://…, et S3_… ;
      sans S3_…, les fichiers restent où ils sont`;

/** The variables of the new site. Read from standard input, as its passwords would be seen among the words of a command. */
async function readVariables(words: string[]): Promise<Record<string, string>> {
  if (words.length > 0 || process.stdin.isTTY) throw new ConfigError(USAGE);
  const given = variablesIn(await text(process.stdin));
  if (!given.DATABASE_URL)
    throw new ConfigError(`DATABASE_URL\u202f: ce fichier ne dit pas où déménager.\n${USAGE}`);
  return given;
}

await runCommand(async (words) => {
  const config = readConfig();
  const directory = config.DATA_DIR;
  if (config.DATABASE_URL) throw new ConfigError('DATABASE_URL\u202f: ce site est déjà sur PostgreSQL.');
  const given = await readVariables(words);
  requireSite(config);
  const source = openDatabase({ directory });
  try {
    const key = given.SECRET_KEY ?? config.SECRET_KEY;
    if (key) await requireSecretKey(source.db, makeSecrets(key));
    else if (await isChangeCutOff(source.db, directory)) adoptNextKey(directory);
    const next = readConfig({ SECRET_KEY: key ?? readSecretKey(directory), ...given, DATA_DIR: directory });
    const moved = await moveTo(next, source);
    return tell(moved, next, key === undefined);
  } finally {
    await source.close();
  }
});

async function moveTo(next: Config, source: Database): Promise<Moved> {
  const { DATABASE_URL: url = '', DATA_DIR: directory } = next;
  const bucket = bucketOf(next)?.name;
  const target = openDatabase({ url, directory });
  const storage = bucket === undefined ? undefined : await openStorage(next);
  try {
    const staging = await openStaging(join(directory, 'staging'));
    const files = storage && {
      from: diskStorage(join(directory, 'files')),
      storage,
      staging,
      erasures: { from: erasureFileIn(directory), to: erasuresOf(next, storage, staging) },
    };
    const name = whereTo(url, bucket);
    return await moveSite({ database: source, directory }, { database: target, name, files });
  } finally {
    await target.close();
    storage?.close();
  }
}

/** The destination of the move as text, without its password. */
function whereTo(to: string, bucket: string | undefined): string {
  const { host, pathname } = new URL(to);
  return `postgres://${host}${pathname}${bucket === undefined ? '' : ` et s3://${bucket}`}`;
}

function tell({ rows, files, missing }: Moved, next: Config, isKeyInFolder: boolean): string {
  const directory = next.DATA_DIR;
  const hasBucket = bucketOf(next) !== undefined;
  const compared = hasBucket ? `, ${files} fichiers relus et égaux` : '';
  const lines = [
    `Le site a déménagé\u202f: ${rows} lignes relues et égales${compared}.`,
    'L’ancien site ne prend plus rien\u202f: arrêtez-le, puis lancez le nouveau avec les variables de ce fichier et',
    `  SECRET_KEY=… ${isKeyInFolder ? `le contenu de ${join(directory, 'secret.key')}` : 'la même que jusqu’ici'}`,
  ];
  if (missing.length > 0)
    lines.push(
      `ATTENTION, des fichiers manquaient déjà au site (${missing.length})\u202f: ${missing.slice(0, 5).join(', ')}`,
    );
  lines.push(
    hasBucket
      ? 'DATA_DIR ne sert plus qu’à recevoir\u202f: un dossier pour chaque processus.'
      : `Gardez ${directory} comme DATA_DIR\u202f: effacements.jsonl et les fichiers y restent.`,
  );
  return lines.join('\n');
}

/*
 * Moves a site to another database, and its files to another storage. Running or stopped, the site takes no writes
 * during the move nor after it; a move that fails or crashes leaves it as it was.
 */

interface From {
  database: Database;
  /** Folder of the SQLite database. */
  directory: string;
}

interface To {
  database: Database;
  /** Name of the new place, shown to people who start the old site. */
  name: string;
  /** Storages to copy files from and to, and the files of erasures of both; undefined when the files are not moved. */
  files:
    | {
        from: Storage;
        storage: Storage;
        staging: UploadStaging;
        erasures: { from: ErasureFile; to: ErasureFile };
      }
    | undefined;
}

interface Moved {
  rows: number;
  files: number;
  /** Keys of files that the site had already lost. */
  missing: string[];
}

async function moveSite({ database, directory }: From, to: To): Promise<Moved> {
  // The write lock is held until the end: what is read cannot change.
  return database.write(async (db) => {
    const hold = holdForMove(directory);
    try {
      await requireEmptyDatabase(to.database.db);
      const files = to.files ? await moveFiles(db, to.files) : { files: 0, missing: [] };
      const rows = await moveRows(db, database, to.database);
      hold.leave(to.name);
      return { rows, ...files };
    } finally {
      hold.end();
    }
  });
}

async function moveRows(db: Access, { engine }: Database, target: Database): Promise<number> {
  const migration = await readLastMigration(db);
  const lastIds = await readLastIds(db, engine);
  const tables = await listTables(db, tableKeys);
  const rows = (table: TableName) => readRows(db, table, tableKeys);
  return target.write((transaction) =>
    load(transaction, target.engine, { migration, lastIds, tables, rows }),
  );
}

async function moveFiles(db: Access, { from, storage, staging, erasures }: NonNullable<To['files']>) {
  const keys = (await listHeldFiles(db)).map(({ key }) => key);
  await requireOnlyFiles(storage, new Set(keys));
  await putBackErasures(erasures.to, [(await erasures.from.read()).content]);
  const missing: string[] = [];
  await atOnce(AT_ONCE, keys, async (key) => {
    try {
      const wanted = await measure(await from.read(key));
      await keepFrom(await from.read(key), { storage, staging }, key);
      if (!(await isAsWritten(await storage.read(key), wanted)))
        throw new Error(`Not as it was written: ${key}`);
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      missing.push(key);
    }
  });
  return { files: keys.length - missing.length, missing };
}
