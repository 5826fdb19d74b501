import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isChangeCutOff } from '#app/server/secretKey.ts';
import { requireSecretKey } from '#features/site/server/settingsStore.ts';
import { type Moved, moveSite } from '#operations/copy/move.ts';
import { bucketOf, type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { adoptNextKey, makeSecrets } from '#platform/server/secrets.ts';
import { diskStorage } from '#platform/server/storage/disk.ts';
import { erasureFileIn, erasuresOf } from '#platform/server/storage/erasureFile.ts';
import { openStorage } from '#platform/server/storage/open.ts';
import { openStaging } from '#platform/server/storage/uploadStaging.ts';
import { requireSite, runCommand } from './command.ts';

/* Moves a site from SQLite to PostgreSQL, also while it runs. */

const USAGE = `Usage :
  npm run move -- --to postgres://… [--files s3://BUCKET]
      déménage la base de DATA_DIR dans cette base PostgreSQL vide, et avec --files les fichiers dans ce bucket,
      celui des variables S3_… ; sans --files, ils restent où ils sont`;

function read(words: string[]): { to: string; bucket: string | undefined } {
  try {
    const options = { to: { type: 'string' }, files: { type: 'string' } } as const;
    const { to = '', files } = parseArgs({ args: words, options }).values;
    const bucket = files === undefined ? undefined : /^s3:\/\/([^/]+)$/.exec(files)?.[1];
    if (/^postgres(ql)?:\/\//.test(to) && URL.canParse(to) && (files === undefined || bucket))
      return { to, bucket };
  } catch {
    // An unknown option.
  }
  throw new ConfigError(USAGE);
}

await runCommand(async (words) => {
  const { to, bucket } = read(words);
  const config = readConfig();
  const directory = config.DATA_DIR;
  if (config.DATABASE_URL) throw new ConfigError('DATABASE_URL\u202f: ce site est déjà sur PostgreSQL.');
  requireSite(config);
  if (bucket !== undefined && bucket !== bucketOf(config)?.name)
    throw new ConfigError(`S3_BUCKET\u202f: donnez avec --files les variables S3_… du bucket ${bucket}.`);
  const source = openDatabase({ directory });
  const target = openDatabase({ url: to, directory });
  const storage = bucket === undefined ? undefined : await openStorage(config);
  try {
    if (config.SECRET_KEY) await requireSecretKey(source.db, makeSecrets(config.SECRET_KEY));
    else if (await isChangeCutOff(source.db, directory)) adoptNextKey(directory);
    const staging = await openStaging(join(directory, 'staging'));
    const files = storage && {
      from: diskStorage(join(directory, 'files')),
      storage,
      staging,
      erasures: { from: erasureFileIn(directory), to: erasuresOf(config, storage, staging) },
    };
    const name = whereTo(to, bucket);
    const moved = await moveSite({ database: source, directory }, { database: target, name, files });
    return tell(config, moved, to, bucket);
  } finally {
    await source.close();
    await target.close();
    storage?.close();
  }
});

/** The destination of the move as text, without its password. */
function whereTo(to: string, bucket: string | undefined): string {
  const { host, pathname } = new URL(to);
  return `postgres://${host}${pathname}${bucket === undefined ? '' : ` et s3://${bucket}`}`;
}

function tell(
  config: Config,
  { rows, files, missing }: Moved,
  to: string,
  bucket: string | undefined,
): string {
  const { password } = new URL(to);
  const key = join(config.DATA_DIR, 'secret.key');
  const compared = bucket === undefined ? '' : `, ${files} fichiers relus et égaux`;
  const lines = [
    `Le site a déménagé\u202f: ${rows} lignes relues et égales${compared}.`,
    'L’ancien site ne prend plus rien\u202f: arrêtez-le, puis lancez le nouveau avec ces variables\u202f:',
    `  DATABASE_URL=${password === '' ? to : to.replace(`:${password}@`, ':MOT_DE_PASSE@')}`,
    config.SECRET_KEY === undefined && existsSync(key)
      ? `  SECRET_KEY=… le contenu de ${key}`
      : '  SECRET_KEY=… la même que jusqu’ici',
  ];
  if (bucket !== undefined) lines.push('  les variables S3_… de cette commande');
  if (missing.length > 0)
    lines.push(
      `ATTENTION, des fichiers manquaient déjà au site (${missing.length})\u202f: ${missing.slice(0, 5).join(', ')}`,
    );
  lines.push(
    bucket === undefined
      ? `Gardez ${config.DATA_DIR} comme DATA_DIR\u202f: effacements.jsonl et les fichiers y restent.`
      : 'DATA_DIR ne sert plus qu’à recevoir\u202f: un dossier pour chaque processus.',
  );
  return lines.join('\n');
}
