import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, crc32, gzip, gzipSync } from 'node:zlib';
import type { Database } from '#platform/server/db/database.ts';
import type { Metrics } from '#platform/server/metrics.ts';

/*
 * Public answers cached in memory, ready to send. A write drops the answers it changes before it is acknowledged; an
 * answer that was being read meanwhile is not cached, so nobody sees an old list after a 2xx. The other processes of
 * the site are notified. Writes of another program, above all a command that erases somebody, drop everything at the
 * next access; where the database does not report them, no answer is cached for long.
 */

interface CachedAnswer {
  body: Buffer;
  etag: string;
  /** Instant, in ms, at which a start or an end of publication changes the answer. */
  until: number;
  gzip: Buffer | undefined;
  brotli: Buffer | undefined;
}

type Make = () => Promise<{ body: Buffer; until: Date | undefined }>;

export interface AnswerCache {
  /**
   * Answers a plain GET without a token from the cache and returns the request id; undefined when nothing is cached.
   */
  answer(request: IncomingMessage, response: ServerResponse, requestId: () => string): string | undefined;
  /** The bytes for `url` in `group`, from the cache or read by `make`. `until` is when they stop being valid. */
  get(url: string, group: string, make: Make): Promise<{ body: Buffer; etag: string }>;
  /** Drops a group in every process; called after the commit and before the answer of every write to it. */
  drop(group: string): Promise<void>;
}

/** Most addresses cached; beyond, the least recently requested one is evicted. */
const KEPT_MAX = 64;
/** Most bytes cached, before compression. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Time, in ms, for which an answer is cached where writes of other programs are not reported. */
const UNTOLD_MS = 60_000;

/**
 * The ETag of an answer. A checksum is enough to tell two answers of one address apart, and costs a fifth of a hash.
 * Weak, as the same tag goes with every encoding.
 */
export function etagOf(body: Buffer): string {
  return `W/"${crc32(body).toString(36)}-${body.length.toString(36)}"`;
}

/** True when `If-None-Match` lists this tag, weak or not, or is a star. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || opaque(tag) === opaque(etag);
  });
}

const opaque = (tag: string) => tag.replace(/^W\//, '');

const ENCODINGS = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
};

/** The best encoding that a request accepts; undefined: none. */
export function encodingFor(headers: IncomingHttpHeaders): 'br' | 'gzip' | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const text = String(accepted);
  return ENCODINGS.br.test(text) ? 'br' : ENCODINGS.gzip.test(text) ? 'gzip' : undefined;
}

export function openCache(
  headers: Record<string, string>,
  clock: () => Date,
  { changedElsewhere, notifications }: Pick<Database, 'changedElsewhere' | 'notifications'>,
  metrics: Pick<Metrics, 'cached'>,
): AnswerCache {
  const kept = new Map<string, CachedAnswer & { group: string }>();
  const generations = new Map<string, number>();
  /** Reads in progress, shared by requests that come meanwhile: a spike after a write reads once. */
  const readings = new Map<string, { generation: number; answer: Promise<{ body: Buffer; etag: string }> }>();
  /** Number of writes by others; added to a generation, it tells reads from before such a write from later ones. */
  let writtenElsewhere = 0;
  const common = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  }).flat();

  const generationOf = (group: string) => writtenElsewhere + (generations.get(group) ?? 0);

  function forget(group: string): void {
    generations.set(group, (generations.get(group) ?? 0) + 1);
    for (const [url, one] of kept) if (one.group === group) kept.delete(url);
  }
  function forgetAll(): void {
    writtenElsewhere += 1;
    kept.clear();
  }
  notifications.listen('kept', (group) => (group === undefined ? forgetAll() : forget(group)));

  function fresh(url: string): (CachedAnswer & { group: string }) | undefined {
    if (changedElsewhere?.()) forgetAll();
    const found = kept.get(url);
    if (found && found.until <= clock().getTime()) {
      kept.delete(url);
      return undefined;
    }
    return found;
  }

  /** Evicts the least recently requested answers until there is room for `bytes` more. */
  function makeRoom(bytes: number): void {
    let held = [...kept.values()].reduce((sum, one) => sum + one.body.length, 0);
    for (const [url, one] of kept) {
      if (kept.size < KEPT_MAX && held + bytes <= KEPT_BYTES) return;
      kept.delete(url);
      held -= one.body.length;
    }
  }

  async function read(
    url: string,
    group: string,
    generation: number,
    make: Make,
  ): Promise<{ body: Buffer; etag: string }> {
    const { body, until } = await make();
    const etag = etagOf(body);
    if (generationOf(group) === generation && body.length <= KEPT_BYTES) {
      makeRoom(body.length);
      const untold = changedElsewhere ? Number.POSITIVE_INFINITY : clock().getTime() + UNTOLD_MS;
      const end = Math.min(until?.getTime() ?? untold, untold);
      kept.set(url, { group, body, etag, until: end, gzip: undefined, brotli: undefined });
    }
    return { body, etag };
  }

  return {
    answer(request, response, requestId) {
      if (request.method !== 'GET' || request.headers.authorization !== undefined) return undefined;
      const url = request.url ?? '';
      const found = fresh(url);
      if (!found) return undefined;
      metrics.cached('hit');
      // Moved to the end, as eviction begins with the least recently used.
      kept.delete(url);
      kept.set(url, found);
      const id = requestId();
      const head = [...common, 'etag', found.etag, 'x-request-id', id];
      if (isUnchanged(request.headers['if-none-match'], found.etag)) {
        response.writeHead(304, head).end();
        return id;
      }
      const encoding = found.body.length < WORTH_COMPRESSING ? undefined : encodingFor(request.headers);
      const body = encoded(found, encoding);
      head.push('content-length', String(body.length));
      if (encoding) head.push('content-encoding', encoding);
      response.writeHead(200, head).end(body);
      return id;
    },
    async get(url, group, make) {
      const found = fresh(url);
      metrics.cached(found ? 'hit' : 'miss');
      if (found) return found;
      const generation = generationOf(group);
      const under = readings.get(url);
      // A read that began before the last write may miss it.
      if (under?.generation === generation) return under.answer;
      const answer = read(url, group, generation, make);
      readings.set(url, { generation, answer });
      try {
        return await answer;
      } finally {
        if (readings.get(url)?.answer === answer) readings.delete(url);
      }
    },
    drop: (group) => notifications.send('kept', group),
  };
}

/** Bytes below which compressing gains nothing. */
const WORTH_COMPRESSING = 1024;

/** The body in this encoding, compressed once, when first requested. */
function encoded(kept: CachedAnswer, encoding: 'br' | 'gzip' | undefined): Buffer {
  if (!encoding) return kept.body;
  if (encoding === 'gzip') {
    kept.gzip ??= gzipSync(kept.body);
    return kept.gzip;
  }
  kept.brotli ??= brotliCompressSync(kept.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return kept.brotli;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Takes half as long as the next level up, for a few percent more bytes. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Compresses a body that is sent once, outside the main thread. */
export function compressed(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'br' ? compressBrotli(body, FAST) : compressGzip(body);
}
