/** Something that this browser keeps and other tabs may change; for `useSyncExternalStore`. */
interface Listeners {
  /** To be called after each change made here. */
  tell(): void;
  /** Calls `listener` at each change, made here or in another tab, until what is returned is called. */
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
