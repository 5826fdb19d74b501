import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { atOnce } from '#platform/server/concurrency.ts';
import { type Bucket, ConfigError } from '#platform/server/config.ts';
import { StorageUnreachable } from '#platform/server/errors.ts';
import { FileMissing, inside, isInside, PROBE, type Storage, unlessMissing } from './storage.ts';

/**
 * Timeouts in ms until a connection is open, and until an answer begins, for each try of a request: a person waits for
 * most of them.
 */
const CONNECT_MS = 3_000;
const ANSWER_MS = 5_000;
const TRIES = 2;
/** Slowest line, in bytes a ms, on which a file still reaches the bucket. */
const SLOWEST = 500;
/** Most connections, including those of files on their way to slow browsers. */
const CONNECTIONS = 500;
/** Requests at once when many files are erased. */
const AT_ONCE = 8;

/** Told of each request to the bucket once it has ended, its tries together; `ms` until the answer begins. */
export type BucketAsked = (
  operation: 'put' | 'get' | 'head' | 'delete' | 'list',
  outcome: 'answered' | 'missing' | 'failed',
  ms: number,
) => void;

/** Files in a bucket with the S3 protocol, whoever hosts it. */
export function bucketStorage(bucket: Bucket, onAsked: BucketAsked): Storage {
  const client = openClient(bucket);
  const ask = asking(onAsked);
  const at = (key: string) => ({ Bucket: bucket.name, Key: inside(key) });

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const { Body } = await ask('get', key, client.send(new GetObjectCommand({ ...at(key), Range })));
    return Body as Readable;
  }

  async function erase(key: string): Promise<void> {
    await unlessMissing(ask('delete', key, client.send(new DeleteObjectCommand(at(key)))));
  }

  return {
    async keep(localPath, key) {
      // Held whole, so that a failed request can be sent again: files are photographs and documents, not films.
      const Body = await readFile(localPath);
      // The bucket refuses data that arrive damaged.
      const ContentMD5 = createHash('md5').update(Body).digest('base64');
      const put = new PutObjectCommand({ ...at(key), Body, ContentMD5 });
      await ask('put', key, client.send(put, { requestTimeout: ANSWER_MS + Body.length / SLOWEST }));
      await rm(localPath);
    },
    read,
    readPieces: read,
    async fetch(key, localPath) {
      await pipeline(await read(key), createWriteStream(localPath, { mode: 0o600 }));
    },
    has: async (key) =>
      isInside(key) &&
      (await unlessMissing(ask('head', key, client.send(new HeadObjectCommand(at(key)))))) !== undefined,
    remove: (keys) => atOnce(AT_ONCE, keys.filter(isInside), erase),
    async *list(folder) {
      let from: string | undefined;
      do {
        const page = await ask(
          'list',
          folder,
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket.name,
              Prefix: `${folder}/`,
              ContinuationToken: from,
            }),
          ),
        );
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified !== undefined) yield { key: Key, keptAt: LastModified };
        from = page.NextContinuationToken;
      } while (from !== undefined);
    },
    link: async (key, type, seconds) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...at(key),
          ResponseContentType: type,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: seconds },
      ),
    close: () => client.destroy(),
  };
}

function openClient({ endpoint, region, accessKeyId, secretAccessKey }: Bucket): S3Client {
  return new S3Client({
    endpoint,
    region,
    // The bucket's name in the path: a self-hosted store seldom has a DNS name for each bucket.
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: TRIES,
    // Newer checksums are supported by Amazon only.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
}

/** Returns a function that waits for an answer of the bucket, and throws the errors of a storage for its own. */
function asking(onAsked: BucketAsked) {
  return async <T>(operation: Parameters<BucketAsked>[0], key: string, answer: Promise<T>): Promise<T> => {
    const started = performance.now();
    const end = (outcome: Parameters<BucketAsked>[1]) =>
      onAsked(operation, outcome, performance.now() - started);
    try {
      const answered = await answer;
      end('answered');
      return answered;
    } catch (error) {
      const isMissing = statusOf(error) === 404;
      end(isMissing ? 'missing' : 'failed');
      throw isMissing ? new FileMissing(key) : new StorageUnreachable(error);
    }
  };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** Tries the bucket before it is used. Throws a `ConfigError` that names the variable to correct. */
export async function tryBucket(bucket: Bucket): Promise<void> {
  const client = openClient(bucket);
  const at = { Bucket: bucket.name, Key: PROBE };
  try {
    // A listing first, as its answer says what is wrong; that to a `HEAD` may not.
    await client.send(new ListObjectsV2Command({ Bucket: bucket.name, MaxKeys: 1 }));
    await client.send(new PutObjectCommand({ ...at, Body: PROBE }));
    const { Body } = await client.send(new GetObjectCommand(at));
    // Some other server may answer any request with success.
    if ((await Body?.transformToString()) !== PROBE) throw new Error('Another text than was written');
    await client.send(new DeleteObjectCommand(at));
  } catch (error) {
    throw new ConfigError(explain(error), { cause: error });
  } finally {
    client.destroy();
  }
}

function explain(error: unknown): string {
  const code = error instanceof Error ? error.name : '';
  const status = statusOf(error);
  if (status === undefined)
    return 'S3_ENDPOINT\u202f: ce serveur de fichiers ne répond pas, ou ne parle pas S3. Vérifiez l’adresse.';
  if (code === 'NoSuchBucket') return 'S3_BUCKET\u202f: ce serveur de fichiers n’a pas de bucket de ce nom.';
  if (code === 'SignatureDoesNotMatch')
    return 'S3_SECRET_ACCESS_KEY\u202f: ce n’est pas le secret de S3_ACCESS_KEY_ID, ou ce compte n’existe pas.';
  if (/^AuthorizationHeaderMalformed$|Redirect$/.test(code))
    return 'S3_REGION\u202f: le bucket est dans une autre région.';
  if (status === 401 || status === 403)
    return 'S3_ACCESS_KEY_ID\u202f: ce compte n’est pas connu, ou ne peut pas lire, écrire et effacer dans S3_BUCKET.';
  return `S3_ENDPOINT\u202f: le serveur de fichiers répond «\u00a0${code}\u00a0» (${status}).`;
}
