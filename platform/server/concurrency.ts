import { notNow } from './errors.ts';

interface Waiting {
  rank: number;
  begin(): void;
  giveUp(): void;
}

/**
 * Limits work: `atOnce` pieces run at once and a bounded number wait; beyond, the answer is 503. Work of a lower rank goes
 * first, and takes the place of the last that waits where there is none left.
 */
export function openTurns(atOnce: number, waitingMax: number) {
  let running = 0;
  const waiting: Waiting[] = [];

  function wait(rank: number): Promise<void> {
    if (waiting.length >= waitingMax) {
      const last = waiting.at(-1);
      if (!last || last.rank <= rank) throw notNow();
      waiting.pop();
      last.giveUp();
    }
    return new Promise((resolve, reject) => {
      const after = waiting.findIndex((other) => other.rank > rank);
      const one = { rank, begin: resolve, giveUp: () => reject(notNow()) };
      waiting.splice(after < 0 ? waiting.length : after, 0, one);
    });
  }

  return async function inTurn<T>(work: () => Promise<T>, rank = 0): Promise<T> {
    // The work that ends hands its place over, so `running` stays as it is.
    if (running >= atOnce) await wait(rank);
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.begin();
      else running--;
    }
  };
}

/** Runs the work of one key one after the other, and limits how much of it waits; beyond, the answer is 503. */
export function openKeyedTurns(waitingMax: number) {
  const lines = new Map<string, { inTurn: ReturnType<typeof openTurns>; count: number }>();

  return async function inTurn<T>(key: string, work: () => Promise<T>, rank = 0): Promise<T> {
    const line = lines.get(key) ?? { inTurn: openTurns(1, waitingMax), count: 0 };
    lines.set(key, line);
    line.count++;
    try {
      return await line.inTurn(work, rank);
    } finally {
      line.count--;
      if (line.count === 0) lines.delete(key);
    }
  };
}

/**
 * Does the work for each thing, `count` at a time; after a failure starts no other, and throws once those under way
 * end.
 */
export async function atOnce<T>(
  count: number,
  things: Iterable<T>,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const left = things[Symbol.iterator]();
  let hasFailed = false;
  const next = async () => {
    for (let one = left.next(); !one.done && !hasFailed; one = left.next()) {
      try {
        await work(one.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: count }, next));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Most errors that are passed on in full: thousands may have the same cause. */
const SAID = 3;

/** Does the work for each thing, whether or not others fail; throws at the end when some of it failed. */
export async function eachAlone<T>(things: Iterable<T>, work: (thing: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const thing of things) {
    try {
      await work(thing);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors.slice(0, SAID), `${errors.length} failed`);
}

/** The items in slices of at most `size`; the usual one is small enough for one statement. */
export function* slicesOf<T>(items: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
