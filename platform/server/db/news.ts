import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Notifications between the processes of one site. One may come late or never: nothing may stay wrong for long. */
export interface News {
  /** Notifies the other processes, after the commit. Never throws: a process not reached must find out by itself. */
  tell(topic: Topic, what: string): Promise<void>;
  /** Calls `told` with each notification of another process; with undefined when some may have been lost. */
  hear(topic: Topic, told: (what: string | undefined) => void): void;
  /** True when some process is listening, as a running site does. */
  isHeard(): Promise<boolean>;
  close(): Promise<void>;
}

/** `kept`: a group of cached answers has changed; `photos`: those of a stay, given by its number. */
type Topic = 'kept' | 'photos';

/** For a site of a single process. */
export const NO_NEWS: News = {
  tell: async () => {},
  hear: () => {},
  isHeard: async () => false,
  close: async () => {},
};

/** Longest time, in ms, between two attempts to connect. */
const AGAIN_MS = 5_000;
const CHANNEL = 'passerelle';
const LISTEN = `listen ${CHANNEL}`;

/** Notifications by LISTEN and NOTIFY, on a connection of its own that is reopened whenever it is lost. */
export function openNews(
  url: string,
  send: (statement: string, values: string[]) => Promise<{ rows: unknown[] }>,
  onLost: (error: Error) => void,
): News {
  /** Id of this process, which ignores its own notifications. */
  const own = randomBytes(8).toString('hex');
  const ears: { topic: Topic; told: (what: string | undefined) => void }[] = [];
  let client: pg.Client | undefined;
  let isClosed = false;

  function pass({ payload = '' }: pg.Notification): void {
    const [from, topic, ...what] = payload.split(' ');
    if (from === own) return;
    for (const ear of ears) if (ear.topic === topic) ear.told(what.join(' '));
  }

  async function listen(): Promise<void> {
    const { Client } = (await import('pg')).default;
    const next = new Client({ connectionString: url, connectionTimeoutMillis: AGAIN_MS, keepAlive: true });
    const isLost = new Promise<Error>((resolve) => {
      // The error may come more than once.
      next.on('error', resolve);
      next.once('end', () => resolve(new Error('The connection that hears of news has ended')));
    });
    next.on('notification', pass);
    client = next;
    await next.connect();
    await next.query(LISTEN);
    // Nothing is missed from here on, but notifications sent before may be.
    for (const { told } of ears) told(undefined);
    throw await isLost;
  }

  async function keepListening(): Promise<void> {
    for (let wait = 100; !isClosed; wait = Math.min(AGAIN_MS, 2 * wait)) {
      const since = Date.now();
      try {
        await listen();
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
    async tell(topic, what) {
      try {
        await send('select pg_notify($1, $2)', [CHANNEL, `${own} ${topic} ${what}`]);
      } catch (error) {
        onLost(error as Error);
      }
    },
    hear(topic, told) {
      if (ears.length === 0) void keepListening();
      ears.push({ topic, told });
    },
    async isHeard() {
      const found = await send(
        'select 1 from pg_stat_activity where datname = current_database() and query = $1 limit 1',
        [LISTEN],
      );
      return found.rows.length > 0;
    },
    async close() {
      isClosed = true;
      await client?.end();
    },
  };
}
