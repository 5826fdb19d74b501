import type { Services } from '#platform/server/services.ts';
import { countBurst, REFUSALS } from './bursts.ts';

/** Refusals to one sign-in in a window from which they are many. */
export const REFUSALS_MANY = 100;
const WINDOW_MS = 10 * 60_000;

/**
 * Counts, in this process, the answers 403 and 404 to each sign-in, and writes down the one that makes them many: a
 * person has few of them, who tries out addresses has many. Nothing is written for those who do not.
 */
export function watchRefusals({ database, clock, log }: Services): (sessionId: number) => void {
  let window = 0;
  const counts = new Map<number, number>();
  return (sessionId) => {
    const current = Math.floor(clock().getTime() / WINDOW_MS);
    if (current !== window) counts.clear();
    window = current;
    const count = (counts.get(sessionId) ?? 0) + 1;
    counts.set(sessionId, count);
    if (count !== REFUSALS_MANY) return;
    database
      .write((transaction) => countBurst(transaction, REFUSALS, String(sessionId), clock(), count))
      .catch((error) => log.warn({ err: error }, 'a burst of refusals is not counted'));
  };
}
