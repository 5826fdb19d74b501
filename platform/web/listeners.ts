/** Change notifications for values in local storage, which other tabs may change too; for `useSyncExternalStore`. */
interface Listeners {
  /** To be called after each change made here. */
  tell(): void;
  /** Calls `listener` at each change, made here or in another tab. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    tell: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      window.addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        window.removeEventListener('storage', listener);
      };
    },
  };
}
