import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/**
 * The sign-ins stored in this browser, the tokens under the names that the site has always used. Where the browser
 * refuses storage, nobody stays signed in, and everything else works.
 */
export const TOKENS = ['adminToken', 'token', 'tokenLecture'] as const;
type TokenName = (typeof TOKENS)[number];

/** The role in which a page makes its calls; `OPENED_BY` lists the tokens to try for each. */
export type AskedAs = keyof typeof OPENED_BY;
const OPENED_BY = {
  portal: ['adminToken'],
  stay: ['token'],
  /** Includes staff, who need not type the readers' password. */
  reader: ['tokenLecture', 'adminToken'],
} as const satisfies Record<string, readonly TokenName[]>;

const { tell, subscribe } = createListeners();

/** Calls `listener` at each sign-in and sign-out, here or in another tab. Returns the unsubscribe function. */
export const onSignInsChanged = subscribe;

export function readSignIn(name: string): string | null {
  try {
    return typeof window === 'undefined' ? null : window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores the values; an undefined one is removed. Returns false when the browser refuses storage. */
export function writeSignIns(values: Record<string, string | undefined>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) window.localStorage.removeItem(name);
      else window.localStorage.setItem(name, value);
    }
  } catch {
    // Nothing was stored; reading back below detects it.
  }
  tell();
  return Object.entries(values).every(([name, value]) => readSignIn(name) === (value ?? null));
}

export function readToken(name: TokenName): string | null {
  return readSignIn(name);
}

/** The tokens to present for a role, in the order to try them: each serves when the one before has expired. */
export function tokensFor(whom: AskedAs): string[] {
  return OPENED_BY[whom].flatMap((name) => readSignIn(name) ?? []);
}

/** Stores a token; returns false when the browser refuses, so that the person can be told. */
export function storeToken(name: TokenName, token: string): boolean {
  return writeSignIns({ [name]: token });
}

export function forgetToken(name: TokenName): void {
  writeSignIns({ [name]: undefined });
}

/** Whether this browser holds a token for `whom`; false on the server and during hydration. */
export function useIsSignedIn(whom: AskedAs): boolean {
  return useSyncExternalStore(
    subscribe,
    () => tokensFor(whom).length > 0,
    () => false,
  );
}
