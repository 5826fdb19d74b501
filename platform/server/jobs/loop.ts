/** A polling loop, which does its work at each tick and at each `wake`, one run at a time in a process. */
export interface Loop {
  /** Runs now rather than at the next tick; during a run, another one follows it. */
  wake(): void;
  /** Runs, and resolves when no run is under way or requested any longer. */
  idle(): Promise<void>;
  /** Starts no further run and waits for the one under way, which ends sooner when it checks `isStopped`. */
  stop(): Promise<void>;
  isStopped(): boolean;
}

/** `look` does all the work it finds; `everyMs` is the time between ticks. Nothing runs before a wake or a tick. */
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
        // `wake` was called during a run that failed.
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
