import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/**
 * The tokens kept by this browser, under the names the site has always used: `adminToken` for the portal,
 * `token` for families, directors and readers. A browser that refuses storage keeps nobody signed in, and
 * everything else works.
 */
export type TokenName = 'adminToken' | 'token';

/** Who wants to know of a sign-in or a sign-out, here or in another tab. */
const { tell, subscribe } = createListeners();

function storage(): Storage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage;
  } catch {
    return undefined;
  }
}

export function readToken(name: TokenName): string | null {
  try {
    return storage()?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

/** The token to present: the portal's before the other, as staff may hold both. */
export function presentedToken(): string | null {
  return readToken('adminToken') ?? readToken('token');
}

/** Keeps a token; false when the browser refuses, so that the person can be told. */
export function storeToken(name: TokenName, token: string): boolean {
  try {
    storage()?.setItem(name, token);
  } catch {
    return false;
  }
  tell();
  return readToken(name) === token;
}

export function forgetToken(name: TokenName): void {
  try {
    storage()?.removeItem(name);
  } catch {
    // Nothing could be kept there either.
  }
  tell();
}

/** True once this browser is known to hold a token; false on the server and while the page comes alive. */
export function useIsSignedIn(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => presentedToken() !== null,
    () => false,
  );
}
