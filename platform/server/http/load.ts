import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '#platform/server/log.ts';
import { bearerToken } from './access.ts';
import { notNow } from './errors.ts';
import { tokenHash } from './sessions.ts';

/*
 * One queue for all requests, so that no other queue grows: not the database's, not the disk's, and not that of new
 * connections, of which the event loop accepts one per turn. While the queue is empty and not too many reads wait for
 * the first byte of their answer, nobody waits; otherwise each turn takes a few milliseconds' worth of requests. A
 * request that has waited too long is told to come back instead, before any work: its browser would soon give up, and
 * those behind it are still in time. Only the time in the queue counts: a slow reader already has a first byte, and a
 * long form or a wait to sign in is no read, so neither is part of it. A spike is no overload: somebody who asks for
 * forty small photos at once would rather wait for them.
 */

/** Reads in progress at most: as many as come, at a thousand a second, in the 64 ms that a file may take. */
const AT_ONCE = 64;
/** Time, in ms, after which a read counts as stuck and others may start. */
const STUCK_MS = 500;
/** Most requests that leave the queue in one turn: to be answered, and, at a tenth of the work, to come back. */
const A_TURN = { answered: 16, refused: 60 };
/** Time in the queue, in ms, that is too long: what a whole answer may take on a busy evening. */
const WAIT_MS = 400;
/** Once waits have been too long for this time, in ms, without a pause as long, it is no spike. */
const BURST_MS = 1_000;
/** Seconds after which to come back; random, so that not all do at once. */
const BACK = { least: 2, most: 5 };
/** Shortest time, in ms, between two log lines about it. */
const SAID_EVERY_MS = 60_000;
/** Most staff sign-ins remembered. */
const STAFF_MAX = 200;

/** Not queued: what is monitored from outside, and what answered pages still need, which is sent from memory. */
const FIRST = /^\/(healthz|readyz|metrics|assets\/.*)$/;

interface Load {
  /** Takes a request in its turn, or at once for staff; or tells it to come back. */
  inTurn(waiting: Waiting): void;
  /** Remembers that this token has just proved to be of staff, who do not wait. Grants nothing else. */
  knowStaff(token: string): void;
}

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  take(): void;
  /** Tells the client to come back after so many seconds. */
  refuse(seconds: number): void;
}

export function openLoad(log: Log): Load {
  const line: (Waiting & { since: number })[] = [];
  const staff = new Set<string>();
  let atWork = 0;
  let isComing = false;
  let tooLong = { first: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  let said = Number.NEGATIVE_INFINITY;

  function goOn(): void {
    const [first] = line;
    if (isComing || !first || (atWork >= AT_ONCE && !hasStoodTooLong(first))) return;
    isComing = true;
    setImmediate(() => {
      isComing = false;
      for (const next of leaving(A_TURN.refused, hasStoodTooLong)) tellToComeBack(next);
      for (const next of leaving(A_TURN.answered, () => atWork < AT_ONCE)) start(next);
      goOn();
    });
  }

  /** Takes requests from the front of the queue as long as they may leave it; skips those that the client closed. */
  function* leaving(most: number, may: (next: { since: number }) => boolean) {
    for (let [next] = line; next && most > 0 && may(next); [next] = line) {
      line.shift();
      if (next.response.destroyed) continue;
      most--;
      yield next;
    }
  }

  function countUntilAnswered(response: ServerResponse): void {
    atWork++;
    let isCounted = true;
    const end = () => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(stuck);
      atWork--;
      goOn();
    };
    const stuck = setTimeout(end, STUCK_MS).unref();
    // The head leaves with the first bytes of the body.
    for (const name of ['write', 'end'] as const) {
      const send = response[name].bind(response) as (...args: unknown[]) => never;
      response[name] = (...args: unknown[]) => {
        end();
        return send(...args);
      };
    }
    response.once('close', end);
  }

  function start({ request, response, take }: Waiting): void {
    if (request.method === 'GET' || request.method === 'HEAD') countUntilAnswered(response);
    take();
  }

  /** True when this request has waited too long, and requests have done so for longer than a spike lasts. */
  function hasStoodTooLong({ since }: { since: number }): boolean {
    const now = performance.now();
    if (now - since < WAIT_MS) return false;
    tooLong = { first: now - tooLong.last > BURST_MS ? now : tooLong.first, last: now };
    return now - tooLong.first >= BURST_MS;
  }

  function tellToComeBack({ refuse }: Waiting): void {
    const now = performance.now();
    if (now - said > SAID_EVERY_MS) {
      said = now;
      log.warn({ waiting: line.length, atWork }, 'too many requests: some are told to come back');
    }
    refuse(BACK.least + Math.floor(Math.random() * (BACK.most + 1 - BACK.least)));
  }

  function isFirst(request: IncomingMessage): boolean {
    if (FIRST.test(request.url ?? '')) return true;
    const token = bearerToken(request);
    return token !== undefined && staff.has(tokenHash(token));
  }

  return {
    inTurn(waiting) {
      const mustWait = line.length > 0 || atWork >= AT_ONCE;
      if (!mustWait) return start(waiting);
      if (isFirst(waiting.request)) return waiting.take();
      line.push({ ...waiting, since: performance.now() });
      goOn();
    },
    knowStaff(token) {
      const hash = tokenHash(token);
      // Moved to the end, as the oldest is forgotten first.
      staff.delete(hash);
      staff.add(hash);
      for (const oldest of staff) {
        if (staff.size <= STAFF_MAX) break;
        staff.delete(oldest);
      }
    },
  };
}

const REFUSAL = notNow();
const REFUSED = JSON.stringify(REFUSAL.body());

/** Answers that there are too many requests, as a page or as JSON, whichever the client can read. */
export function sendTooMany(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
  seconds: number,
): void {
  const isPage = !request.url?.startsWith('/api/') && request.headers.accept?.includes('text/html');
  const body = isPage ? pageOf(REFUSAL.message, seconds) : REFUSED;
  response
    .writeHead(REFUSAL.status, {
      ...headers,
      ...(isPage ? PAGE_POLICY : {}),
      'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      'cache-control': 'no-store',
      'retry-after': String(seconds),
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
function pageOf(message: string, seconds: number): string {
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${seconds}">
<title>Un instant</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Un instant</h1>
<p>${message} Cette page s’ouvrira d’elle-même.</p>
</body>
</html>`;
}
