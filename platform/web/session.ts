import { useSyncExternalStore } from 'react';
import type { PasswordType } from '#platform/shared/roles.ts';
import { createListeners } from './listeners.ts';

/**
 * The tokens stored in this browser: `adminToken` for the portal, `token` for the stay that is shown, both under the
 * names the site has always used, and `tokenLecture` for the minutes. Where the browser refuses storage, nobody
 * stays signed in, and everything else works.
 */
const TOKENS = ['adminToken', 'token', 'tokenLecture'] as const;
type TokenName = (typeof TOKENS)[number];

/** Storage key of the list of all stays opened on this device, including the one that is shown. */
const STAYS = 'sejours';

/** A family's or a director's sign-in to a stay. */
export interface StaySession {
  stageId: number;
  nom: string;
  role: PasswordType;
  token: string;
  expire_le: string;
}

/** The role in which a page makes its calls; `OPENED_BY` lists the tokens to try for each. */
export type AskedAs = keyof typeof OPENED_BY;
const OPENED_BY = {
  portal: ['adminToken'],
  stay: ['token'],
  /** Includes staff, who need not type the password of the minutes. */
  reader: ['tokenLecture', 'adminToken'],
} as const satisfies Record<string, readonly TokenName[]>;

/** Listeners of sign-ins and sign-outs, here or in another tab. */
const { tell, subscribe } = createListeners();

function read(name: string): string | null {
  try {
    return typeof window === 'undefined' ? null : window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores the values; an undefined one is removed. Returns false when the browser refuses storage. */
function write(values: Record<string, string | undefined>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) window.localStorage.removeItem(name);
      else window.localStorage.setItem(name, value);
    }
  } catch {
    // Nothing was stored; reading back below detects it.
  }
  tell();
  return Object.entries(values).every(([name, value]) => read(name) === (value ?? null));
}

export function readToken(name: TokenName): string | null {
  return read(name);
}

/** The tokens to present for a role, in the order to try them: each serves when the one before has expired. */
export function tokensFor(whom: AskedAs): string[] {
  return OPENED_BY[whom].flatMap((name) => read(name) ?? []);
}

/** All tokens of this device, without duplicates. */
export function heldTokens(): string[] {
  return [
    ...new Set([...TOKENS.flatMap((name) => read(name) ?? []), ...readStays().map(({ token }) => token)]),
  ];
}

/** The token of a stay's director, or of the portal, whichever stay is shown now. */
export function keeperToken(stageId: number, as: 'stay' | 'portal'): string | undefined {
  if (as === 'portal') return read('adminToken') ?? undefined;
  return readStays().find((stay) => stay.stageId === stageId && stay.role === 'formateur')?.token;
}

/** Calls `listener` at each sign-in and sign-out, here or in another tab. Returns the unsubscribe function. */
export function onSignInsChanged(listener: () => void): () => void {
  return subscribe(listener);
}

/** Stores a token; returns false when the browser refuses, so that the person can be told. */
export function storeToken(name: TokenName, token: string): boolean {
  return write({ [name]: token });
}

export function forgetToken(name: TokenName): void {
  write({ [name]: undefined });
}

export function forgetAllTokens(): void {
  write(Object.fromEntries([...TOKENS, STAYS].map((name) => [name, undefined])));
}

/** Whether this browser holds a token, of any kind or for `whom`; false on the server and during hydration. */
export function useIsSignedIn(whom?: AskedAs): boolean {
  return useSyncExternalStore(
    subscribe,
    () => (whom ? tokensFor(whom) : heldTokens()).length > 0,
    () => false,
  );
}

/** The last list parsed: the same text must give the same object, or React would render again without end. */
let known: { text: string | null; stays: readonly StaySession[] } = { text: null, stays: [] };

/** The stays opened on this device, the latest first; some sign-ins may have expired. */
function readStays(): readonly StaySession[] {
  const text = read(STAYS);
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

/** The stay that is shown. */
function currentStay(): StaySession | undefined {
  const token = readToken('token');
  return readStays().find((stay) => stay.token === token);
}

/**
 * Stores the sign-in to a stay and shows that stay. The other sign-ins remain, except expired ones. Returns false
 * when the browser refuses.
 */
export function keepStay(stay: StaySession): boolean {
  const now = new Date().toISOString();
  const others = readStays().filter((one) => one.expire_le > now && !isSameDoor(one, stay));
  return write({ [STAYS]: JSON.stringify([stay, ...others]), token: stay.token });
}

/** The tokens of this device that a new sign-in replaces: those for the same stay and role. */
export function replacedTokens(stay: StaySession): string[] {
  return readStays()
    .filter((one) => isSameDoor(one, stay))
    .map(({ token }) => token);
}

function isSameDoor(one: StaySession, other: StaySession): boolean {
  return one.stageId === other.stageId && one.role === other.role;
}

/** Removes an ended sign-in; the other stays of this device remain. */
export function forgetStay({ token }: StaySession): void {
  const others = readStays().filter((stay) => stay.token !== token);
  write({
    [STAYS]: JSON.stringify(others),
    ...(readToken('token') === token && { token: undefined }),
  });
}

/** The stay that is shown; undefined on the server and during hydration. */
export function useStaySession(): StaySession | undefined {
  return useSyncExternalStore(subscribe, currentStay, () => undefined);
}

const NO_STAYS: readonly StaySession[] = [];

/** The stays opened on this device; none on the server and during hydration. */
export function useStays(): readonly StaySession[] {
  return useSyncExternalStore(subscribe, readStays, () => NO_STAYS);
}
