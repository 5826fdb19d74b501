/** Waits; ends with its reason when it is given up. */
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
 * Asks at once, then not again until that has been answered and so many ms have passed: however much is called for
 * meanwhile is asked once more, after it.
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
