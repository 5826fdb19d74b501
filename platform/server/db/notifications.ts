import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Notifications within a site, to all its processes. One may come late or never: nothing may stay wrong for long. */
export interface Notifications {
  /**
   * Tells this process's listeners at once, and then the other processes; called after the commit. Never throws: a
   * process not reached must find out by itself.
   */
  send(topic: Topic, what: string): Promise<void>;
  /** Calls `listener` with each notification; with undefined when some of other processes may have been lost. */
  listen(topic: Topic, listener: Listener): void;
  /** True when another process is listening, as a running site does. */
  hasListener(): Promise<boolean>;
  close(): Promise<void>;
}

/** `kept`: a group of cached answers has changed; `photos`: those of a stay, given by its number. */
type Topic = 'kept' | 'photos';
type Listener = (what: string | undefined) => void;

/** Notifications of a site of a single process. */
export function openLocalNotifications(): Notifications {
  const { listen, tell } = openListeners();
  return {
    send: async (topic, what) => tell(topic, what),
    listen,
    hasListener: async () => false,
    close: async () => {},
  };
}

function openListeners() {
  const listeners: { topic: string; listener: Listener }[] = [];
  return {
    listen(topic: Topic, listener: Listener) {
      listeners.push({ topic, listener });
    },
    /** Calls the listeners of a topic; of all topics when it is undefined. */
    tell(topic: string | undefined, what: string | undefined) {
      for (const one of listeners) if (topic === undefined || one.topic === topic) one.listener(what);
    },
  };
}

/** Longest time, in ms, between two attempts to connect. */
const AGAIN_MS = 5_000;
const CHANNEL = 'passerelle';
const LISTEN = `listen ${CHANNEL}`;

/** Notifications by LISTEN and NOTIFY, on a connection of its own that is reopened whenever it is lost. */
export function openNotifications(
  url: string,
  query: (statement: string, values: string[]) => Promise<{ rows: unknown[] }>,
  onLost: (error: Error) => void,
): Notifications {
  /** Id of this process, which ignores its own notifications. */
  const own = randomBytes(8).toString('hex');
  const { listen, tell } = openListeners();
  let isListening = false;
  let client: pg.Client | undefined;
  let isClosed = false;

  function pass({ payload = '' }: pg.Notification): void {
    const [from, topic, ...what] = payload.split(' ');
    if (from !== own) tell(topic, what.join(' '));
  }

  async function connect(): Promise<void> {
    const { Client } = (await import('pg')).default;
    const options = { connectionTimeoutMillis: AGAIN_MS, keepAlive: true, application_name: own };
    const next = new Client({ connectionString: url, ...options });
    const isLost = new Promise<Error>((resolve) => {
      // The error may come more than once.
      next.on('error', resolve);
      next.once('end', () => resolve(new Error('The connection that is notified has ended')));
    });
    next.on('notification', pass);
    client = next;
    await next.connect();
    await next.query(LISTEN);
    // Nothing is missed from here on, but notifications sent before may be.
    tell(undefined, undefined);
    throw await isLost;
  }

  async function keepListening(): Promise<void> {
    for (let wait = 100; !isClosed; wait = Math.min(AGAIN_MS, 2 * wait)) {
      const since = Date.now();
      try {
        await connect();
      } catch (error) {
        if (isClosed) return;
        onLost(error as Error);
      }
      // A connection that lasted resets the backoff.
      if (Date.now() - since > AGAIN_MS) wait = 100;
      await pause(wait, undefined, { ref: false });
    }
  }

  return {
    async send(topic, what) {
      tell(topic, what);
      try {
        await query('select pg_notify($1, $2)', [CHANNEL, `${own} ${topic} ${what}`]);
      } catch (error) {
        onLost(error as Error);
      }
    },
    listen(topic, told) {
      listen(topic, told);
      if (!isListening) void keepListening();
      isListening = true;
    },
    async hasListener() {
      const found = await query(
        'select 1 from pg_stat_activity where datname = current_database() and query = $1 and application_name <> $2 limit 1',
        [LISTEN, own],
      );
      return found.rows.length > 0;
    },
    async close() {
      isClosed = true;
      await client?.end();
    },
  };
}
