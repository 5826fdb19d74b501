import { createHash, randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { notNow } from '#platform/server/errors.ts';
import type { Log } from '#platform/server/log.ts';
import { tokenHash } from '#platform/server/sessionsStore.ts';
import { bearerToken } from './access.ts';

/*
 * The queue for requests under overload; docs/decisions/0019 explains it with a drawing. A request is served at once
 * unless too many reads are in progress. Otherwise it waits here, first in, first out, instead of in the queues of the
 * database, the disk or the network. Once waits have been too long for a second, requests that waited too long are
 * refused with 503 and `Retry-After`, before any work. Staff and monitoring are never queued.
 */

/** Reads in progress at most: as many as arrive, at a thousand a second, in the 64 ms that a file may take. */
const READS_MAX = 64;
/** Time, in ms, after which a read no longer counts as in progress, so that stuck ones do not block the others. */
const STUCK_MS = 500;
/** Time, in ms, after which reads in progress are looked at again. */
const POLL_MS = 2;
/** Requests that leave the queue in one turn of the event loop, at most; to refuse one is a tenth of the work. */
const BATCH = { served: 16, refused: 60 };
/** Time in the queue, in ms, that is too long: what a whole answer may take on a busy evening. */
const WAIT_MAX_MS = 400;
/** Waits that are too long for less than this time, in ms, are a spike, which is served. */
const SPIKE_MS = 1_000;
/** Seconds in `Retry-After`; random, so that not all clients retry at once. */
const RETRY_AFTER = { min: 2, max: 5 };
/** Shortest time, in ms, between two log lines about refusals. */
const LOG_INTERVAL_MS = 60_000;
/** Most staff tokens remembered. */
const STAFF_MAX = 200;

/** Never queued: what is monitored from outside, and what answered pages still need, which is sent from memory. */
const UNQUEUED = /^\/(healthz|readyz|metrics|assets\/.*)$/;

interface RequestQueue {
  /** Serves a request, at once or after a wait, or refuses it. */
  admit(pending: Pending): void;
  /** Remembers that a token has just proved to be of staff, who are not queued. Grants nothing else. */
  rememberStaff(token: string): void;
}

interface Pending {
  request: IncomingMessage;
  response: ServerResponse;
  serve(): void;
  refuse(retryAfterSeconds: number): void;
}

type Queued = Pending & { since: number };

export function openRequestQueue(log: Log): RequestQueue {
  const queue: Queued[] = [];
  /** Start of each read in progress; those that ended are removed when room is needed. */
  const reads = new Map<ServerResponse, number>();
  const staff = new Set<string>();
  let isScheduled = false;
  let slow = { since: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  let loggedAt = Number.NEGATIVE_INFINITY;

  /** A read is in progress until its answer begins: a slow client that receives it costs nothing. */
  function hasRoom(): boolean {
    if (reads.size < READS_MAX) return true;
    const now = performance.now();
    for (const [response, start] of reads) {
      if (response.headersSent || response.destroyed || now - start >= STUCK_MS) reads.delete(response);
    }
    return reads.size < READS_MAX;
  }

  /** Only reads count: a form takes long to arrive, and a sign-in waits on purpose. */
  function serve({ request, response, serve }: Pending): void {
    if (request.method === 'GET' || request.method === 'HEAD') reads.set(response, performance.now());
    serve();
  }

  function schedule(): void {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    if (hasRoom()) setImmediate(runBatch);
    else setTimeout(runBatch, POLL_MS);
  }

  function runBatch(): void {
    isScheduled = false;
    for (const pending of dequeue(BATCH.refused, isOverdue)) refuse(pending);
    for (const pending of dequeue(BATCH.served, hasRoom)) serve(pending);
    schedule();
  }

  /** Takes at most `limit` requests from the front, while they satisfy the condition; drops those that were closed. */
  function* dequeue(limit: number, condition: (first: Queued) => boolean) {
    for (let [first] = queue; first && limit > 0 && condition(first); [first] = queue) {
      queue.shift();
      if (first.response.destroyed) continue;
      limit--;
      yield first;
    }
  }

  /** True for a request that has waited too long, once waits have been too long for longer than a spike. */
  function isOverdue({ since }: Queued): boolean {
    const now = performance.now();
    if (now - since < WAIT_MAX_MS) return false;
    // A pause as long as a spike ends the overload.
    slow = { since: now - slow.last > SPIKE_MS ? now : slow.since, last: now };
    return now - slow.since >= SPIKE_MS;
  }

  function refuse({ refuse }: Pending): void {
    const now = performance.now();
    if (now - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = now;
      log.warn({ queued: queue.length, reads: reads.size }, 'too many requests: some are refused');
    }
    refuse(randomInt(RETRY_AFTER.min, RETRY_AFTER.max + 1));
  }

  function isUnqueued(request: IncomingMessage): boolean {
    if (UNQUEUED.test(request.url ?? '')) return true;
    const token = bearerToken(request);
    return token !== undefined && staff.has(tokenHash(token));
  }

  return {
    admit(pending) {
      if (queue.length === 0 && hasRoom()) return serve(pending);
      if (isUnqueued(pending.request)) return pending.serve();
      queue.push({ ...pending, since: performance.now() });
      schedule();
    },
    rememberStaff(token) {
      const hash = tokenHash(token);
      // Moved to the end, as the first one is forgotten.
      staff.delete(hash);
      staff.add(hash);
      const [first] = staff;
      if (staff.size > STAFF_MAX && first !== undefined) staff.delete(first);
    },
  };
}

const REFUSAL = notNow();
const REFUSAL_JSON = JSON.stringify(REFUSAL.body());

/** Refuses a request of an overloaded site, as a page or as JSON, whichever the client can read. */
export function sendOverload(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
  retryAfter: number,
): void {
  const isPage = !request.url?.startsWith('/api/') && request.headers.accept?.includes('text/html');
  const body = isPage ? pageOf(REFUSAL.message, retryAfter) : REFUSAL_JSON;
  response
    .writeHead(REFUSAL.status, {
      ...headers,
      ...(isPage ? PAGE_POLICY : {}),
      'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      'cache-control': 'no-store',
      'retry-after': String(retryAfter),
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

const STYLE = 'body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1.125rem/1.6 sans-serif }';
/** Allows only this style: the site's stylesheet would be one more request. */
const PAGE_POLICY = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
};

/** A page that reloads by itself, as browsers do not heed `Retry-After`. */
function pageOf(message: string, retryAfter: number): string {
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${retryAfter}">
<title>Un instant</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Un instant</h1>
<p>${message} Cette page s’ouvrira d’elle-même.</p>
</body>
</html>`;
}
