/** Waits `ms`; rejects with the reason of `signal` when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * Returns a function that runs `ask` at once, then not again until it has settled and `ms` have passed. Calls made
 * meanwhile are merged into one more run after that.
 */
export function paced(ask: () => Promise<unknown>, ms: number): () => void {
  let isBusy = false;
  let isBehind = false;
  async function run(): Promise<void> {
    isBusy = true;
    do {
      isBehind = false;
      await Promise.allSettled([ask(), pause(ms)]);
    } while (isBehind);
    isBusy = false;
  }
  return () => {
    if (isBusy) isBehind = true;
    else void run();
  };
}
