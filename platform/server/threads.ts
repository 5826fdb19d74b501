import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openTurns } from './concurrency.ts';

/** Most files that may wait to be written. */
const WAITING_MAX = 5;
/** In ms. The site wrote every text in it and knows how long they may be: a file that takes longer is a fault. */
const WRITE_MS = 60_000;

/** Makes files in a thread each, one after the other, as one with many texts would block the site. */
export function openWriter<Content>(module: URL): (content: Content) => Promise<Buffer> {
  const inTurn = openTurns(1, WAITING_MAX);
  return (content) =>
    inTurn(async () => {
      const thread = new Worker(module, { workerData: content });
      try {
        const [bytes] = await once(thread, 'message', { signal: AbortSignal.timeout(WRITE_MS) });
        return Buffer.from(bytes);
      } finally {
        await thread.terminate();
      }
    });
}
