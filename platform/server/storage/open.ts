import { join } from 'node:path';
import { bucketOf, type Config } from '#platform/server/config.ts';
import { diskStorage } from './disk.ts';
import type { BucketAsked } from './s3.ts';
import type { Storage } from './storage.ts';

/** Loaded on demand, as most sites have no bucket: its library takes as long to load as a good part of the rest. */
const s3 = () => import('./s3.ts');

/** The bucket that the environment names, else the folder `files` of `DATA_DIR`. */
export async function storageOf(config: Config, onAsked: BucketAsked = () => {}): Promise<Storage> {
  const bucket = bucketOf(config);
  return bucket ? (await s3()).bucketStorage(bucket, onAsked) : diskStorage(join(config.DATA_DIR, 'files'));
}

/** Like `storageOf`, but first tries to read, write and erase in the bucket; throws a `ConfigError` when that fails. */
export async function openStorage(config: Config, onAsked?: BucketAsked): Promise<Storage> {
  const bucket = bucketOf(config);
  if (bucket) await (await s3()).tryBucket(bucket);
  return storageOf(config, onAsked);
}
