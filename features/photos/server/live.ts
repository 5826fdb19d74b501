import { PassThrough } from 'node:stream';
import { notNow } from '#platform/server/errors.ts';
import { EventStream, type Handlers } from '#platform/server/http/serve.ts';
import { shortened } from '#platform/server/networks.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
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
  by: keyof Version;
}

export interface LivePhotos {
  /** Opens a stream of the events of a stay, for a session that may see it. */
  open(watcher: Watching): Promise<PassThrough>;
  /** Ends every stream and refuses new ones. */
  stop(): void;
}

/** Milliseconds between two reads when nothing is announced. */
const POLL_MS = 2_000;
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
interface Version {
  all: string;
  seen: string;
}

export function openLivePhotos(services: Services): LivePhotos {
  const { log, metrics } = services;
  /** In the order of opening. */
  const watchers = new Set<Watcher>();
  /** Last read state of the stays that are, or were, watched. */
  const versions = new Map<number, Version>();
  let lastRead = 0;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  /** Something changed during a read, which may have missed it. */
  let isBehind = false;
  let isStopped = false;

  const staysOf = (of: Iterable<Watcher>) => [...new Set([...of].map(({ stageId }) => stageId))];

  function forget(watcher: Watcher): void {
    watchers.delete(watcher);
    metrics.streams(watchers.size);
  }

  function end(watcher: Watcher, last?: string): void {
    forget(watcher);
    watcher.stream.end(last);
  }

  /** Ends the streams whose session is over, with an event: their pages ask what there is, are refused, and close. */
  async function endOver(): Promise<void> {
    // Without those that open meanwhile.
    const watched = [...watchers];
    if (watched.length === 0) return;
    const live = await listLiveSessions(services.database.db, staysOf(watched), services.clock());
    for (const watcher of watched) if (!live.has(watcher.sessionId)) end(watcher, EVENT);
  }

  function readIn(ms: number): void {
    clearTimeout(timer);
    if (!isStopped && watchers.size > 0) timer = setTimeout(() => void readChanges(), ms).unref();
  }

  function readSoon(): void {
    if (isReading) isBehind = true;
    else readIn(Math.max(0, lastRead + SHORTEST_MS - Date.now()));
  }

  async function readChanges(): Promise<void> {
    isReading = true;
    isBehind = false;
    lastRead = Date.now();
    try {
      await endOver();
      const found = await readVersions(services, staysOf(watchers));
      const hasNews = ({ stageId, by }: Watcher) => found.get(stageId)?.[by] !== versions.get(stageId)?.[by];
      for (const watcher of watchers)
        if (found.has(watcher.stageId) && hasNews(watcher)) watcher.stream.write(EVENT);
      for (const [stageId, version] of found) versions.set(stageId, version);
    } catch (error) {
      log.warn({ err: error }, 'changes of photos cannot be read');
    }
    isReading = false;
    if (isBehind) readSoon();
    else readIn(POLL_MS);
  }

  const heart = setInterval(() => {
    for (const { stream } of watchers) stream.write(COMMENT);
  }, HEARTBEAT_MS).unref();

  services.database.notifications.listen('photos', (stageId) => {
    // Without an id, notifications of any stay may have been lost.
    if (stageId === undefined || versions.has(Number(stageId))) readSoon();
  });

  return {
    async open(watching) {
      const { stageId } = watching;
      // The state is read now, so that a change before the next read is noticed.
      if (!versions.has(stageId))
        versions.set(stageId, (await readVersions(services, [stageId])).get(stageId) ?? UNCHANGED);
      for (const [whose, most] of CEILINGS) {
        const alike = [...watchers].filter((one) => one[whose] === watching[whose]);
        if (alike.length >= most) end(alike[0] as Watcher);
      }
      if (isStopped || watchers.size >= STREAMS_MAX) throw notNow();
      const watcher = { ...watching, stream: new PassThrough() };
      watchers.add(watcher);
      metrics.streams(watchers.size);
      watcher.stream.on('close', () => forget(watcher));
      // Sends a first line, so that the headers leave and the browser knows that it is connected.
      watcher.stream.write(COMMENT);
      if (watchers.size === 1 && !isReading) readIn(POLL_MS);
      return watcher.stream;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(heart);
      for (const watcher of watchers) end(watcher);
    },
  };
}

/** The state of a stay without any change yet. */
const UNCHANGED: Version = { all: '0 ', seen: '0 ' };

/** Reads the state of those stays that have had a change. */
async function readVersions(
  { database, clock }: Services,
  stageIds: readonly number[],
): Promise<Map<number, Version>> {
  if (stageIds.length === 0) return new Map();
  const rows = await listNumbers(database.db, stageIds, clock());
  const versionOf = (number: number, latest: string | null) => `${number} ${latest ?? ''}`;
  return new Map(
    rows.map(({ stage_id, numero, vu, latest }) => [
      stage_id,
      { all: versionOf(numero, latest), seen: versionOf(vu, latest) },
    ]),
  );
}

/** Tells the site that the photos or words of a stay have changed; called after the commit. */
export function notifyPhotos({ database }: Services, stageId: number): void {
  void database.notifications.send('photos', String(stageId));
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
