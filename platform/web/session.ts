import { useSyncExternalStore } from 'react';
import type { PasswordType } from '#platform/shared/roles.ts';
import { createListeners } from './listeners.ts';

/**
 * The tokens kept by this browser: `adminToken` for the portal, `token` for the stay that is shown, both under the
 * names the site has always used, and `tokenLecture` for the minutes. A browser that refuses storage keeps nobody
 * signed in, and everything else works.
 */
const TOKENS = ['adminToken', 'token', 'tokenLecture'] as const;
type TokenName = (typeof TOKENS)[number];

/** Every stay opened on this device, the one that is shown among them. */
const STAYS = 'sejours';

/** A family's or a director's sign-in to a stay. */
export interface StaySession {
  stageId: number;
  nom: string;
  role: PasswordType;
  token: string;
  expire_le: string;
}

/** As whom a page asks, with the tokens that open it for them. */
export type AskedAs = keyof typeof OPENED_BY;
const OPENED_BY = {
  portal: ['adminToken'],
  stay: ['token'],
  /** Staff need not type the password of the minutes. */
  reader: ['tokenLecture', 'adminToken'],
} as const satisfies Record<string, readonly TokenName[]>;

/** Who wants to know of a sign-in or a sign-out, here or in another tab. */
const { tell, subscribe } = createListeners();

function read(name: string): string | null {
  try {
    return typeof window === 'undefined' ? null : window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Without a value it forgets; false when the browser keeps no values. */
function write(values: Record<string, string | undefined>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) window.localStorage.removeItem(name);
      else window.localStorage.setItem(name, value);
    }
  } catch {
    // Nothing is kept, as whoever asks reads back.
  }
  tell();
  return Object.entries(values).every(([name, value]) => read(name) === (value ?? null));
}

export function readToken(name: TokenName): string | null {
  return read(name);
}

/** The tokens to present, the next one where the one before has ended. */
export function tokensFor(whom: AskedAs): string[] {
  return OPENED_BY[whom].flatMap((name) => read(name) ?? []);
}

/** Every token of this device, once. */
export function heldTokens(): string[] {
  return [
    ...new Set([...TOKENS.flatMap((name) => read(name) ?? []), ...readStays().map(({ token }) => token)]),
  ];
}

/** What opens a stay to whom looks after it, whichever stay is shown now. */
export function keeperToken(stageId: number, as: 'stay' | 'portal'): string | undefined {
  if (as === 'portal') return read('adminToken') ?? undefined;
  return readStays().find((stay) => stay.stageId === stageId && stay.role === 'formateur')?.token;
}

/** Calls back at each sign-in and sign-out, here or in another tab; the answer takes the wish back. */
export function onSignInsChanged(listener: () => void): () => void {
  return subscribe(listener);
}

/** Keeps a token; false when the browser refuses, so that the person can be told. */
export function storeToken(name: TokenName, token: string): boolean {
  return write({ [name]: token });
}

export function forgetToken(name: TokenName): void {
  write({ [name]: undefined });
}

export function forgetAllTokens(): void {
  write(Object.fromEntries([...TOKENS, STAYS].map((name) => [name, undefined])));
}

/** True once this browser is known to hold a token, of any kind or to ask as `whom`; false while the page comes alive. */
export function useIsSignedIn(whom?: AskedAs): boolean {
  return useSyncExternalStore(
    subscribe,
    () => (whom ? tokensFor(whom) : heldTokens()).length > 0,
    () => false,
  );
}

/** What was read last: the same text gives the same list, as React wants it. */
let known: { text: string | null; stays: readonly StaySession[] } = { text: null, stays: [] };

/** The stays opened on this device, the latest first; some may have ended. */
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
 * Keeps the sign-in to a stay and shows that stay; the others stay, but for those that are over. False when the
 * browser refuses.
 */
export function keepStay(stay: StaySession): boolean {
  const now = new Date().toISOString();
  const others = readStays().filter((one) => one.expire_le > now && !isSameDoor(one, stay));
  return write({ [STAYS]: JSON.stringify([stay, ...others]), token: stay.token });
}

/** The tokens of this device that a new sign-in to a stay takes the place of. */
export function replacedTokens(stay: StaySession): string[] {
  return readStays()
    .filter((one) => isSameDoor(one, stay))
    .map(({ token }) => token);
}

function isSameDoor(one: StaySession, other: StaySession): boolean {
  return one.stageId === other.stageId && one.role === other.role;
}

/** Forgets a sign-in that is over; the other stays of this device remain. */
export function forgetStay({ token }: StaySession): void {
  const others = readStays().filter((stay) => stay.token !== token);
  write({
    [STAYS]: JSON.stringify(others),
    ...(readToken('token') === token && { token: undefined }),
  });
}

/** The stay that is shown; undefined on the server and while the page comes alive. */
export function useStaySession(): StaySession | undefined {
  return useSyncExternalStore(subscribe, currentStay, () => undefined);
}

const NO_STAYS: readonly StaySession[] = [];

/** The stays opened on this device; none on the server and while the page comes alive. */
export function useStays(): readonly StaySession[] {
  return useSyncExternalStore(subscribe, readStays, () => NO_STAYS);
}
