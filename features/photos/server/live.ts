import { PassThrough } from 'node:stream';
import { notNow } from '#platform/server/http/errors.ts';
import { shortened } from '#platform/server/http/rateLimits.ts';
import { EventStream, type Handlers } from '#platform/server/http/serve.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { listLiveSessions, listNumbers } from './changesStore.ts';
import { getPhotoStay, viewerOf } from './store.ts';

/*
 * Tells browsers that the photos of a stay have changed, by server-sent events that say nothing else. Changes are found
 * by one database read for all watched stays, soon after a change in any process, and every two seconds for scheduled
 * publications and lost notifications. A stream ends with its session.
 */

/** Owner and subject of a stream. */
interface Watching {
  sessionId: number;
  stageId: number;
  /** The shortened IP address, which many families may share. */
  network: string;
  /** Which changes the stream reports: `all` of them, or those `seen` by families. */
  by: keyof Mark;
}

export interface LivePhotos {
  /** Announces a change in the photos of a stay, so that this process and the others read the changes soon. */
  changed(stageId: number): void;
  /** Opens a stream of the events of a stay, for a session that may see it. */
  open(watcher: Watching): Promise<PassThrough>;
  /** Number of open streams. */
  streams(): number;
  /** Ends every stream and refuses new ones. */
  stop(): void;
}

/** Milliseconds between two reads when nothing is announced. */
const LOOK_MS = 2_000;
/** Least milliseconds between two reads, however often photos change: at each event every browser asks what changed. */
const SHORTEST_MS = 500;
const HEARTBEAT_MS = 20_000;
/** Most streams per session, network and stay; the oldest ends when one more opens, so that none starves the others. */
const CEILINGS = [
  ['sessionId', 10],
  ['network', 300],
  ['stageId', 1_000],
] as const;
const STREAMS_MAX = 5_000;

const EVENT = 'event: photos\ndata:\n\n';
/** A comment line, which browsers ignore: it shows proxies and the server that the connection is still open. */
const COMMENT = ':\n\n';

interface Watcher extends Watching {
  stream: PassThrough;
}

/** Text that differs after a change in the photos or words of a stay: any change, or one that families see. */
interface Mark {
  all: string;
  seen: string;
}

export function openLivePhotos(services: Services): LivePhotos {
  const { log } = services;
  /** In the order of opening. */
  const watchers = new Set<Watcher>();
  /** Last read state of the stays that are, or were, watched. */
  const marks = new Map<number, Mark>();
  let lastLook = 0;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  /** Something changed during a read, which may have missed it. */
  let isBehind = false;
  let isStopped = false;

  const staysOf = (of: Iterable<Watcher>) => [...new Set([...of].map(({ stageId }) => stageId))];

  function end(watcher: Watcher): void {
    watchers.delete(watcher);
    watcher.stream.end();
  }

  /** Writes to streams, and ends those whose session is over. */
  async function tell(text: string, told: readonly Watcher[]): Promise<void> {
    if (told.length === 0) return;
    const live = await listLiveSessions(services.database.db, staysOf(told), services.clock());
    for (const watcher of told) {
      // Closed meanwhile.
      if (!watchers.has(watcher)) continue;
      if (live.has(watcher.sessionId)) watcher.stream.write(text);
      else end(watcher);
    }
  }

  function lookIn(ms: number): void {
    clearTimeout(timer);
    if (!isStopped && watchers.size > 0) timer = setTimeout(() => void look(), ms).unref();
  }

  function lookSoon(): void {
    if (isLooking) isBehind = true;
    else lookIn(Math.max(0, lastLook + SHORTEST_MS - Date.now()));
  }

  async function look(): Promise<void> {
    isLooking = true;
    isBehind = false;
    lastLook = Date.now();
    try {
      const found = await readMarks(services, staysOf(watchers));
      const hasNews = ({ stageId, by }: Watcher) => found.get(stageId)?.[by] !== marks.get(stageId)?.[by];
      await tell(
        EVENT,
        [...watchers].filter((watcher) => found.has(watcher.stageId) && hasNews(watcher)),
      );
      for (const [stageId, mark] of found) marks.set(stageId, mark);
    } catch (error) {
      log.warn({ err: error }, 'changes of photos cannot be looked for');
    }
    isLooking = false;
    if (isBehind) lookSoon();
    else lookIn(LOOK_MS);
  }

  const heart = setInterval(() => {
    tell(COMMENT, [...watchers]).catch((error) => log.warn({ err: error }, 'sign-ins cannot be looked up'));
  }, HEARTBEAT_MS).unref();

  services.database.news.hear('photos', (stageId) => {
    // Without an id, notifications of any stay may have been lost.
    if (stageId === undefined || marks.has(Number(stageId))) lookSoon();
  });

  return {
    changed(stageId) {
      if (marks.has(stageId)) lookSoon();
      void services.database.news.tell('photos', String(stageId));
    },
    async open(watching) {
      const { stageId } = watching;
      // The state is read now, so that a change before the next read is noticed.
      if (!marks.has(stageId))
        marks.set(stageId, (await readMarks(services, [stageId])).get(stageId) ?? UNCHANGED);
      for (const [whose, most] of CEILINGS) {
        const alike = [...watchers].filter((one) => one[whose] === watching[whose]);
        if (alike.length >= most) end(alike[0] as Watcher);
      }
      if (isStopped || watchers.size >= STREAMS_MAX) throw notNow();
      const watcher = { ...watching, stream: new PassThrough() };
      watchers.add(watcher);
      watcher.stream.on('close', () => watchers.delete(watcher));
      // Sends a first line, so that the headers leave and the browser knows that it is connected.
      watcher.stream.write(COMMENT);
      if (watchers.size === 1 && !isLooking) lookIn(LOOK_MS);
      return watcher.stream;
    },
    streams: () => watchers.size,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(heart);
      for (const watcher of watchers) end(watcher);
    },
  };
}

/** The state of a stay without any change yet. */
const UNCHANGED: Mark = { all: '0 ', seen: '0 ' };

/** Reads the state of those stays that have had a change. */
async function readMarks(
  { database, clock }: Services,
  stageIds: readonly number[],
): Promise<Map<number, Mark>> {
  if (stageIds.length === 0) return new Map();
  const rows = await listNumbers(database.db, stageIds, clock());
  const markOf = (number: number, latest: string | null) => `${number} ${latest ?? ''}`;
  return new Map(
    rows.map(({ stage_id, numero, vu, latest }) => [
      stage_id,
      { all: markOf(numero, latest), seen: markOf(vu, latest) },
    ]),
  );
}

export function liveHandlers(services: Services, live: LivePhotos) {
  return {
    'GET /stages/:id/flux': async ({ params, session, ip }) => {
      await getPhotoStay(services, services.database.db, session, params.id);
      const { id: sessionId } = session as Session;
      const by = viewerOf(session, services.clock()).isFamily ? 'seen' : 'all';
      const watching = { sessionId, stageId: params.id, network: shortened(ip), by } as const;
      return new EventStream(await live.open(watching));
    },
  } satisfies Partial<Handlers>;
}
