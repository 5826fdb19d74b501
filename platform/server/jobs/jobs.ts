import { availableParallelism } from 'node:os';
import type { QueueName } from '#platform/server/db/tables.ts';

/*
 * Work done after the answer, kept in a table: a job is written in the transaction of what it belongs to, and
 * runs at least once, in one process at a time, even when that process dies (`worker.ts`).
 */

/**
 * Payload of every job, by its name. Features add theirs by merging into it, beside the handler; a name without a
 * handler does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by features
export interface JobPayloads {}

export type JobName = keyof JobPayloads;

/** Settings of a queue. The jobs of one queue never wait for those of another. */
export interface Queue {
  atOnce: number;
  tries: number;
  /**
   * True: its handlers run once more after the last try, with `isGivenUp`, and end what the job belongs to. False: the
   * job stays, for a person to inspect.
   */
  isToldOfEnd: boolean;
  /** Lease of a job, in ms, past which its worker counts as dead. */
  leaseMs: number;
  /** Time, in ms, between two queries for due jobs, when nothing wakes the queue. */
  pollMs: number;
}

export const QUEUES = {
  others: { atOnce: 1, tries: 8, isToldOfEnd: false, leaseMs: 5 * 60_000, pollMs: 2_000 },
  photos: {
    // One per core, and no more than leaves enough memory for the site, which answers meanwhile.
    atOnce: Math.min(4, availableParallelism()),
    tries: 8,
    isToldOfEnd: true,
    // Includes a photo's wait for its turn.
    leaseMs: 5 * 60_000,
    pollMs: 2_000,
  },
  // One message at a time, as a crash then repeats one at most. An attempt takes 40 s at most.
  mails: { atOnce: 1, tries: 12, isToldOfEnd: true, leaseMs: 60_000, pollMs: 1_000 },
} as const satisfies Record<QueueName, Queue>;
