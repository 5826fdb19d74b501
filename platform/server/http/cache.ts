import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, crc32, gzip, gzipSync } from 'node:zlib';
import type { Database } from '#platform/server/db/open.ts';
import type { Metrics } from '#platform/server/metrics/metrics.ts';

/*
 * Public lists kept in memory, ready to send. A write drops what it changes before it is acknowledged; an
 * answer that was being read meanwhile is not kept, so nobody sees an old list after a 2xx. The other processes of the
 * site are told of it. What another program writes, a command that erases somebody most of all, drops everything at the
 * next look; where the database does not tell of it, no answer is kept for long.
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
   * Sends a kept answer to a plain GET without a token, and says under which id; undefined when there is none.
   */
  answer(request: IncomingMessage, response: ServerResponse, requestId: () => string): string | undefined;
  /**
   * The bytes for `url` in `group`: kept ones, or those `make` reads. `until` is when they stop being right.
   */
  get(url: string, group: string, make: Make): Promise<{ body: Buffer; etag: string }>;
  /** Forgets a group, in every process; after the commit and before the answer of every write to it. */
  drop(group: string): Promise<void>;
}

/** Addresses kept at most; beyond, the one not asked for the longest makes room. */
const KEPT_MAX = 64;
/** Their bytes at most, before they are compressed. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** How long, in ms, an answer is kept where nobody tells of what others write. */
const UNTOLD_MS = 60_000;

/**
 * Tells two answers of one address apart; a checksum does, and costs a fifth of a hash. Weak, as the same tag
 * goes with each way of compressing.
 */
export function etagOf(body: Buffer): string {
  return `W/"${crc32(body).toString(36)}-${body.length.toString(36)}"`;
}

/** True when `If-None-Match` names this tag, weakened or not, among others, or any by a star. */
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

/** The best way of compressing that a request takes; undefined: none. */
export function encodingFor(headers: IncomingHttpHeaders): 'br' | 'gzip' | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const text = String(accepted);
  return ENCODINGS.br.test(text) ? 'br' : ENCODINGS.gzip.test(text) ? 'gzip' : undefined;
}

export function openCache(
  headers: Record<string, string>,
  clock: () => Date,
  { changedElsewhere, news }: Pick<Database, 'changedElsewhere' | 'news'>,
  metrics: Pick<Metrics, 'cached'>,
): AnswerCache {
  const kept = new Map<string, CachedAnswer & { group: string }>();
  const generations = new Map<string, number>();
  /** What is being read, for whoever asks meanwhile: a burst after a write reads once. */
  const readings = new Map<string, { generation: number; answer: Promise<{ body: Buffer; etag: string }> }>();
  /** Rises with what others wrote; added to a generation, it tells what was read before from what was after. */
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
  news.hear('kept', (group) => (group === undefined ? forgetAll() : forget(group)));

  function fresh(url: string): (CachedAnswer & { group: string }) | undefined {
    if (changedElsewhere?.()) forgetAll();
    const found = kept.get(url);
    if (found && found.until <= clock().getTime()) {
      kept.delete(url);
      return undefined;
    }
    return found;
  }

  /** Lets those go that were not asked for the longest, until there is room for so many bytes. */
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
      // Used last, to leave last.
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
      // One that began before the last write may miss it.
      if (under?.generation === generation) return under.answer;
      const answer = read(url, group, generation, make);
      readings.set(url, { generation, answer });
      try {
        return await answer;
      } finally {
        if (readings.get(url)?.answer === answer) readings.delete(url);
      }
    },
    async drop(group) {
      forget(group);
      await news.tell('kept', group);
    },
  };
}

/** Bytes below which compressing gains nothing. */
const WORTH_COMPRESSING = 1024;

/** Compressed once, when first asked for. */
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
/** Half as long as the next one up, for a few percent more bytes. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Compresses what is sent once, outside the thread that answers. */
export function compressed(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'br' ? compressBrotli(body, FAST) : compressGzip(body);
}
