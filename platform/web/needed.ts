import { createContext, type Provider, useContext } from 'react';

/** What a component gives to all that is inside it: its provider, and the hook that reads it, which throws elsewhere. */
export function createNeeded<T>(provider: string): [Provider<T>, () => T] {
  const Context = createContext<T | undefined>(undefined);
  function useNeeded(): T {
    const value = useContext(Context);
    if (value === undefined) throw new Error(`no ${provider} above`);
    return value;
  }
  return [Context.Provider as Provider<T>, useNeeded];
}
