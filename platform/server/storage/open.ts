import { join } from 'node:path';
import { bucketOf, type Config } from '#platform/server/config.ts';
import { diskStorage } from './disk.ts';
import type { Storage } from './storage.ts';

/** Most sites have none: its library takes as long to load as a good part of the rest. */
const s3 = () => import('./s3.ts');

/** The bucket that the environment names, else the folder `files` of `DATA_DIR`. */
export async function storageOf(config: Config): Promise<Storage> {
  const bucket = bucketOf(config);
  return bucket ? (await s3()).bucketStorage(bucket) : diskStorage(join(config.DATA_DIR, 'files'));
}

/** The same, once a bucket was read, written and erased in; throws a `ConfigError` for one where that is not possible. */
export async function openStorage(config: Config): Promise<Storage> {
  const bucket = bucketOf(config);
  if (bucket) await (await s3()).tryBucket(bucket);
  return storageOf(config);
}
