import { useSyncExternalStore } from 'react';
import type { PasswordType } from '#platform/shared/roles.ts';

/** Change notifications for values in local storage, which other tabs may change too; for `useSyncExternalStore`. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    /** To be called after each change made here. */
    tell(): void {
      for (const listener of listeners) listener();
    },
    /** Calls `listener` at each change, made here or in another tab. Returns the unsubscribe function. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      window.addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        window.removeEventListener('storage', listener);
      };
    },
  };
}

/**
 * The sign-ins stored in this browser, the tokens under the names that the site has always used. Where the browser
 * refuses storage, nobody stays signed in, and everything else works.
 */
export const TOKENS = ['adminToken', 'token', 'tokenLecture'] as const;
type TokenName = (typeof TOKENS)[number];

/** A family of the stay of this number, whichever stay is shown. */
export type FamilyOf = `famille-${number}`;

/** The role in which a page makes its calls; `OPENED_BY` lists the tokens to try for each. */
export type AskedAs = keyof typeof OPENED_BY | FamilyOf;
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

/** Storage key of the list of all stays opened on this device, including the one that is shown. */
export const STAYS = 'sejours';

export interface StaySession {
  stageId: number;
  nom: string;
  role: PasswordType;
  token: string;
  expire_le: string;
}

/** The last list parsed: the same text must give the same object, or React would render again without end. */
let known: { text: string | null; stays: readonly StaySession[] } = { text: null, stays: [] };

/** The stays opened on this device, the latest first; some sign-ins may have expired. */
export function readStays(): readonly StaySession[] {
  const text = readSignIn(STAYS);
  if (text !== known.text) known = { text, stays: parseStays(text) };
  return known.stays;
}

function parseStays(text: string | null): StaySession[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one?.token === 'string') : [];
  } catch {
    return [];
  }
}

export function familyOf(stageId: number): FamilyOf {
  return `famille-${stageId}`;
}

/** The tokens to present for a role, in the order to try them: each serves when the one before has expired. */
export function tokensFor(whom: AskedAs): string[] {
  if (!(whom in OPENED_BY)) {
    const isAsked = ({ role, stageId }: StaySession) => role === 'stagiaire' && familyOf(stageId) === whom;
    return readStays().flatMap((stay) => (isAsked(stay) ? stay.token : []));
  }
  return OPENED_BY[whom as keyof typeof OPENED_BY].flatMap((name) => readSignIn(name) ?? []);
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
