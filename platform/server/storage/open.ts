import { join } from 'node:path';
import { bucketOf, type Config } from '#platform/server/config.ts';
import { diskStorage } from './disk.ts';
import type { BucketAsked } from './s3.ts';
import { FileMissing, type Storage } from './storage.ts';

/** Loaded on demand, as most sites have no bucket: its library takes as long to load as a good part of the rest. */
const s3 = () => import('./s3.ts');

/** The bucket that the environment names, else the folder `files` of `DATA_DIR`. */
export async function storageOf(config: Config, onAsked: BucketAsked = () => {}): Promise<Storage> {
  const bucket = bucketOf(config);
  return withinItself(
    bucket ? (await s3()).bucketStorage(bucket, onAsked) : diskStorage(join(config.DATA_DIR, 'files')),
  );
}

/** Like `storageOf`, but first tries to read, write and erase in the bucket; throws a `ConfigError` when that fails. */
export async function openStorage(config: Config, onAsked?: BucketAsked): Promise<Storage> {
  const bucket = bucketOf(config);
  if (bucket) await (await s3()).tryBucket(bucket);
  return storageOf(config, onAsked);
}

/**
 * Keeps keys from leading out of a storage: they are made of rows, and a row may come from a backup that somebody has
 * changed. Nothing is ever found or erased under such a key; keeping a file there throws.
 */
function withinItself(storage: Storage): Storage {
  const { link } = storage;
  const requireInside = (key: string) => {
    if (!isInside(key)) throw new FileMissing(key);
  };
  return {
    ...storage,
    async keep(localPath, key) {
      if (!isInside(key)) throw new Error(`The key ${key} leads out of the storage`);
      await storage.keep(localPath, key);
    },
    async read(key, range) {
      requireInside(key);
      return storage.read(key, range);
    },
    async fetch(key, localPath) {
      requireInside(key);
      await storage.fetch(key, localPath);
    },
    has: async (key) => isInside(key) && storage.has(key),
    remove: (keys) => storage.remove(keys.filter(isInside)),
    ...(link && {
      async link(key, type, seconds) {
        requireInside(key);
        return link(key, type, seconds);
      },
    }),
  };
}

/** True when no part of a key is blank or leads upwards, on any system. */
function isInside(key: string): boolean {
  return !/[\\\0]/.test(key) && key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
