/**
 * Holds a lock that one tab has at a time: `onHeld` once it is this one's, `onLost` when another tab takes it. Browsers
 * without locks give it at once. What is returned gives it back.
 */
export function holdLock(
  name: string,
  { isTaken, onHeld, onLost }: { isTaken: boolean; onHeld(): void; onLost(): void },
): () => void {
  const { locks } = navigator;
  if (!locks) {
    onHeld();
    return () => {};
  }
  const controller = new AbortController();
  let release = () => {};
  let isOver = false;
  const held = () => {
    if (isOver) return;
    onHeld();
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  // One that is taken by force cannot be waited for as well.
  const options = isTaken ? { steal: true } : { signal: controller.signal };
  locks.request(name, options, held).catch(() => {
    if (!isOver) onLost();
  });
  return () => {
    isOver = true;
    controller.abort();
    release();
  };
}

/** Keeps the screen on while something leaves, where browsers can. */
export class Wakefulness {
  private lock: Promise<WakeLockSentinel | undefined> | undefined;

  set(isWanted: boolean): void {
    if (!isWanted) {
      void this.lock?.then((lock) => lock?.release()).catch(() => {});
      this.lock = undefined;
      return;
    }
    // It ends by itself when the page is hidden, and when the battery is low.
    if (document.visibilityState !== 'visible') return;
    this.lock ??= navigator.wakeLock?.request('screen').then(
      (lock) => {
        lock.addEventListener('release', () => {
          this.lock = undefined;
        });
        return lock;
      },
      () => undefined,
    );
  }
}
