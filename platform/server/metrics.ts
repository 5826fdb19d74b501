import type { Registry } from 'prom-client';
import type { Database } from './db/database.ts';
import type { BucketAsked } from './storage/s3.ts';

/*
 * What this process counts for `GET /metrics`, and how long its writes take. Labels are names of calls, kinds and
 * outcomes only, each of a short list: no address, no account and no stay. Counting costs less than a microsecond.
 */

export interface Metrics extends Omit<Counts, 'writeBegun' | 'writeEnded'> {
  countWrites(database: Database): Database;
  /** Moving average of the time of writes, in ms, their wait for one another included. */
  averageWriteMs(): number;
}

const NOT_COUNTED: Counts = {
  answered() {},
  begun() {},
  ended() {},
  cached() {},
  signIn() {},
  writeBegun() {},
  writeEnded() {},
  streams() {},
  bucketAsked() {},
};

/** `isRead`: somebody may request the metrics. Most sites have nobody who does, and do not load the library. */
export async function openMetrics(isRead: boolean): Promise<Metrics> {
  const { writeBegun, writeEnded, ...counts } = isRead ? await openCounts() : NOT_COUNTED;
  let averageMs = 0;
  return {
    ...counts,
    countWrites: (database) => ({
      ...database,
      async write(work) {
        const started = performance.now();
        writeBegun();
        try {
          return await database.write(work);
        } finally {
          const ms = performance.now() - started;
          averageMs += (ms - averageMs) / 10;
          writeEnded(ms);
        }
      },
    }),
    averageWriteMs: () => averageMs,
  };
}

interface Counts {
  /** Absent where nobody may request the metrics. */
  registry?: Registry;
  /** A request was answered; `call` is its name in the log. */
  answered(call: string, status: number, ms: number): void;
  begun(): void;
  ended(): void;
  /** A public list was sent from the cache, or had to be read. */
  cached(outcome: 'hit' | 'miss'): void;
  signIn(kind: string, outcome: 'right' | 'wrong' | 'limited'): void;
  /** A writing transaction was requested, or has ended. */
  writeBegun(): void;
  writeEnded(ms: number): void;
  streams(open: number): void;
  bucketAsked: BucketAsked;
}

/** Buckets, in seconds. */
const ANSWERS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const WRITES = [0.001, 0.005, 0.02, 0.1, 0.5, 2];

/** Opens counts that start at zero, with the resource use of the process itself. */
async function openCounts(): Promise<Counts> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const requests = counter('http_requests_total', 'Answers by call, method or way, and class of status', [
    'call',
    'status',
  ]);
  const durations = histogram(
    'http_request_duration_seconds',
    'Time to the end of the answer',
    ['call'],
    ANSWERS,
  );
  const inFlight = gauge('http_requests_in_flight', 'Requests under way');
  const lists = counter(
    'passerelle_kept_answers_total',
    'Public lists, sent from memory (hit) or read (miss)',
    ['outcome'],
  );
  const signIns = counter('passerelle_sign_ins_total', 'Passwords typed, by kind of sign-in and outcome', [
    'kind',
    'outcome',
  ]);
  const writing = gauge(
    'passerelle_database_writes_in_progress',
    'Transactions that write or wait for their turn',
  );
  const writes = histogram(
    'passerelle_database_write_duration_seconds',
    'Transactions that write, their wait included',
    [],
    WRITES,
  );
  const streams = gauge('passerelle_event_streams', 'Pages of this process that are told of changes');
  const bucket = counter(
    'passerelle_bucket_requests_total',
    'Requests to the bucket by operation and outcome',
    ['operation', 'outcome'],
  );
  const bucketDurations = histogram(
    'passerelle_bucket_request_duration_seconds',
    'Time until the bucket answers, its tries together',
    ['operation'],
    ANSWERS,
  );
  return {
    registry,
    bucketAsked(operation, outcome, ms) {
      bucket.inc({ operation, outcome });
      bucketDurations.observe({ operation }, ms / 1000);
    },
    answered(call, status, ms) {
      requests.inc({ call, status: `${Math.floor(status / 100)}xx` });
      durations.observe({ call }, ms / 1000);
    },
    begun: () => inFlight.inc(),
    ended: () => inFlight.dec(),
    cached: (outcome) => lists.inc({ outcome }),
    signIn: (kind, outcome) => signIns.inc({ kind, outcome }),
    streams: (open) => streams.set(open),
    writeBegun: () => writing.inc(),
    writeEnded(ms) {
      writing.dec();
      writes.observe(ms / 1000);
    },
  };
}
