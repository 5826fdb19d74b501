/** Looks for work, one at a time in a process: at each tick, and whenever somebody knows that there is some. */
export interface Loop {
  /** Looks now rather than at the next tick; during a look, another follows it. */
  wake(): void;
  /** Looks, and resolves when nothing is found any longer. */
  idle(): Promise<void>;
  /** Starts no further look and waits for the one under way, which ends sooner when it asks `isStopped`. */
  stop(): Promise<void>;
  isStopped(): boolean;
}

/** `look` does all the work that it finds; `everyMs` is the time between two ticks. Nothing begins before a wake or a tick. */
export function openLoop(
  look: () => Promise<void>,
  everyMs: number,
  onFailed: (error: unknown) => void,
): Loop {
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await look();
    } while (again && !stopped);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    running ??= run()
      .catch(onFailed)
      .finally(() => {
        running = undefined;
        // Asked for during a look that failed.
        if (again && !stopped) setImmediate(wake);
      });
  }

  const timer = setInterval(wake, everyMs);
  timer.unref();
  return {
    wake,
    async idle() {
      wake();
      while (running) await running;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
    isStopped: () => stopped,
  };
}
