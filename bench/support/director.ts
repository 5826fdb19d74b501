import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openCamera, sendPhoto } from './photos.ts';

/** A director's phone, in a thread of its own: sends photos at a constant pace, and says how long the slowest took. */

export interface Sending {
  base: string;
  headers: Record<string, string>;
  stageId: number;
  count: number;
  perSecond: number;
}

export interface Sent {
  /** Of one photo. */
  bytes: number;
  slowestMs: number;
}

const { base, headers, stageId, count, perSecond } = workerData as Sending;
const photograph = await openCamera(8_000_000);
parentPort?.postMessage('ready');
await new Promise<void>((resolve) => parentPort?.once('message', () => resolve()));
const start = performance.now();
let [bytes, slowestMs] = [0, 0];
await Promise.all(
  Array.from({ length: count }, async (_, index) => {
    const planned = start + (index * 1000) / perSecond;
    await pause(Math.max(0, planned - performance.now()));
    const photo = photograph();
    bytes = photo.length;
    await sendPhoto(base, headers, stageId, photo);
    slowestMs = Math.max(slowestMs, performance.now() - planned);
  }),
);
parentPort?.postMessage({ bytes, slowestMs } satisfies Sent);
