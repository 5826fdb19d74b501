import { notNow } from './http/errors.ts';

/** Lets a few pieces of work run at once and a bounded number wait; beyond, the answer is 503. */
export function openTurns(atOnce: number, waitingMax: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw notNow();
      // The one that ends hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Lets the works of one key run one after the other, and bounds those that wait for it; beyond, 503. */
export function openKeyedTurns(waitingMax: number) {
  const lines = new Map<string, { inTurn: ReturnType<typeof openTurns>; count: number }>();

  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { inTurn: openTurns(1, waitingMax), count: 0 };
    lines.set(key, line);
    line.count++;
    try {
      return await line.inTurn(work);
    } finally {
      line.count--;
      if (line.count === 0) lines.delete(key);
    }
  };
}
