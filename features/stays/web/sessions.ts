import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import type { VisitData } from '#platform/shared/page.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { CallError, call } from '#platform/web/api.ts';
import {
  type AskedAs,
  onSignInsChanged,
  readSignIn,
  readToken,
  TOKENS,
  writeSignIns,
} from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';

/** The sign-ins of families and directors on this device, in any number; the token of one is the stay that is shown. */

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

/** As whom a stay is viewed: signed in to the stay, or as staff. */
export type Viewer = Extract<AskedAs, 'stay' | 'portal'>;

/** The last list parsed: the same text must give the same object, or React would render again without end. */
let known: { text: string | null; stays: readonly StaySession[] } = { text: null, stays: [] };

/** The stays opened on this device, the latest first; some sign-ins may have expired. */
function readStays(): readonly StaySession[] {
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
  const others = readStays().filter((one) => one.expire_le > now && !isSameSignIn(one, stay));
  return writeSignIns({ [STAYS]: JSON.stringify([stay, ...others]), token: stay.token });
}

/** The tokens of this device that a new sign-in replaces: those for the same stay and role. */
export function replacedTokens(stay: StaySession): string[] {
  return readStays()
    .filter((one) => isSameSignIn(one, stay))
    .map(({ token }) => token);
}

function isSameSignIn(one: StaySession, other: StaySession): boolean {
  return one.stageId === other.stageId && one.role === other.role;
}

/** Removes an ended sign-in; the other stays of this device remain. */
export function forgetStay({ token }: StaySession): void {
  const others = readStays().filter((stay) => stay.token !== token);
  writeSignIns({
    [STAYS]: JSON.stringify(others),
    ...(readToken('token') === token && { token: undefined }),
  });
}

/** The sign-in for which the server rendered the page; see `StayPage`. */
const VisitedContext = createContext<StaySession | undefined>(undefined);
export const VisitedProvider = VisitedContext.Provider;

/** Whether the server rendered this page for whoever is signed in to its stay. */
export function useIsVisited(): boolean {
  return useContext(VisitedContext) !== undefined;
}

/** The sign-in of a visit on the server, which tells pages neither its token nor the names of other stays. */
export function sessionOfVisit({ stageId, role }: VisitData): StaySession {
  return { stageId, role, nom: '', token: '', expire_le: '' };
}

/** This browser's sign-in to the stay for which the server rendered the page; undefined when it holds another, or none. */
export function sessionFor({ stageId, role }: VisitData): StaySession | undefined {
  const stay = currentStay();
  return stay?.stageId === stageId && stay.role === role ? stay : undefined;
}

/** The stay that is shown; on the server and during hydration that of the visit, if any. */
export function useStaySession(): StaySession | undefined {
  const visited = useContext(VisitedContext);
  return useSyncExternalStore(onSignInsChanged, currentStay, () => visited);
}

const NO_STAYS: readonly StaySession[] = [];

/** The stays opened on this device; none on the server and during hydration. */
export function useStays(): readonly StaySession[] {
  return useSyncExternalStore(onSignInsChanged, readStays, () => NO_STAYS);
}

/** All tokens of this device, without duplicates. */
export function heldTokens(): string[] {
  return [
    ...new Set([
      ...TOKENS.flatMap((name) => readSignIn(name) ?? []),
      ...readStays().map(({ token }) => token),
    ]),
  ];
}

/** The token of a stay's director, or of the portal, whichever stay is shown now. */
export function keeperToken(stageId: number, as: Viewer): string | undefined {
  if (as === 'portal') return readToken('adminToken') ?? undefined;
  return readStays().find((stay) => stay.stageId === stageId && stay.role === 'formateur')?.token;
}

export function forgetAllTokens(): void {
  writeSignIns(Object.fromEntries([...TOKENS, STAYS].map((name) => [name, undefined])));
}

/** Whether this browser holds a token of any kind; false on the server and during hydration. */
export function useHoldsTokens(): boolean {
  return useSyncExternalStore(
    onSignInsChanged,
    () => heldTokens().length > 0,
    () => false,
  );
}

/** Name of a stay in the list of those that this device is signed in to. */
export function nameOfSession({ nom, role }: StaySession): string {
  return role === 'formateur' ? `${nom} (direction)` : nom;
}

/** Address of the page on which a family or a director sees their stay. */
export function addressOfStay({ role, stageId }: Pick<StaySession, 'role' | 'stageId'>): string {
  return role === 'formateur' ? '/formateur' : `/stage-details/${stageId}`;
}

/** Address of the sign-in page, with the stay number filled in. */
export function signInAddressOf(stageId: number): string {
  return `/connexion?stageId=${stageId}`;
}

/** Page that says what stays on a device once a stay is closed there. */
export const SIGNED_OUT_ADDRESS = '/deconnexion';

/** What a person may rely on once their sign-in to a stay has ended, by themselves or not. */
export const NOBODY_SEES =
  'Sur cet appareil, plus personne ne voit les photos sans le mot de passe du séjour.';

/** Notice for a sign-in to a stay that the server has ended. */
export const SIGN_IN_ENDED = [
  'Votre connexion est terminée.',
  `${NOBODY_SEES} Saisissez-le de nouveau.`,
] as const;

/**
 * Returns a function that switches to another stay that this device is signed in to: sets its cookie, so that its files
 * open again, and sends its token from now on. Goes to its sign-in page when its session is over. Throws `CallError`
 * for any other failure.
 */
export function useSwitchStay(): (stay: StaySession) => Promise<void> {
  const answers = useQueryClient();
  const navigate = useNavigate();
  const { warn } = useNotices();
  return async (stay) => {
    try {
      await call('POST /session/reprise', { token: stay.token });
    } catch (error) {
      if (!(error instanceof CallError && error.status === 401)) throw error;
      forgetStay(stay);
      navigate(signInAddressOf(stay.stageId));
      warn(...SIGN_IN_ENDED);
      return;
    }
    keepStay(stay);
    const address = addressOfStay(stay);
    // When already at that address, replaces the history entry: one is enough.
    navigate(address, { replace: address === window.location.pathname });
    // Cached answers may have been read with another role in the same stay.
    answers.clear();
  };
}
