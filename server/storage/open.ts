import { join } from 'node:path';
import { bucketOf, type Config } from '../config.ts';
import { diskStorage } from './disk.ts';
import { bucketStorage, tryBucket } from './s3.ts';
import type { Storage } from './storage.ts';

/** The bucket that the environment names, else the folder `files` of `DATA_DIR`. */
export function storageOf(config: Config): Storage {
  const bucket = bucketOf(config);
  return bucket ? bucketStorage(bucket) : diskStorage(join(config.DATA_DIR, 'files'));
}

/** The same, once a bucket was read, written and erased in; throws a `ConfigError` for one where that is not possible. */
export async function openStorage(config: Config): Promise<Storage> {
  const bucket = bucketOf(config);
  if (bucket) await tryBucket(bucket);
  return storageOf(config);
}
