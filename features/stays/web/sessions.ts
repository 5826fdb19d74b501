import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { questionName, type VisitData } from '#platform/shared/page.ts';
import { CallError, call } from '#platform/web/api.ts';
import {
  type AskedAs,
  type FamilyOf,
  onSignInsChanged,
  readSignIn,
  readStays,
  readToken,
  STAYS,
  type StaySession,
  TOKENS,
  writeSignIns,
} from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';

/*
 * The sign-ins of families and directors on this device; the token of one is the stay that is shown. Those of families
 * can be shown together.
 */

export type { StaySession } from '#platform/web/session.ts';

/** As whom a stay is viewed: signed in to the stay that is shown, as one family among those shown, or as staff. */
export type Viewer = Extract<AskedAs, 'stay' | 'portal'> | FamilyOf;

/** Most sign-ins of families that a device keeps; each has a cookie, and all of them travel with every request. */
const STAYS_KEPT = 20;

function currentStay(): StaySession | undefined {
  const token = readToken('token');
  return readStays().find((stay) => stay.token === token);
}

/**
 * Stores the sign-in to a stay and shows that stay. The other sign-ins remain, except expired ones and those that
 * `endedBy` tells. Returns false when the browser refuses.
 */
export function keepStay(stay: StaySession): boolean {
  const ended = new Set(endedBy(stay).map(({ token }) => token));
  const others = readStays().filter(
    (one) => isOpen(one) && !isSameSignIn(one, stay) && !ended.has(one.token),
  );
  return writeSignIns({ [STAYS]: JSON.stringify([stay, ...others]), token: stay.token });
}

/**
 * The sign-ins of this device that a new one ends: those to the same stay in the same role, whose cookie it takes over,
 * and the oldest of families where they are too many.
 */
export function endedBy(stay: StaySession): { token: string; keepsCookie: boolean }[] {
  const others = readStays().filter((one) => !isSameSignIn(one, stay));
  const surplus = others.filter(({ role }) => role === 'stagiaire').slice(STAYS_KEPT - 1);
  return [
    ...readStays()
      .filter((one) => isSameSignIn(one, stay) && one.token !== stay.token)
      .map(({ token }) => ({ token, keepsCookie: true })),
    ...surplus.map(({ token }) => ({ token, keepsCookie: false })),
  ];
}

function isOpen({ expire_le }: StaySession): boolean {
  return expire_le > new Date().toISOString();
}

const isOpenFamily = (stay: StaySession) => stay.role === 'stagiaire' && isOpen(stay);

function isSameSignIn(one: StaySession, other: StaySession): boolean {
  return one.stageId === other.stageId && one.role === other.role;
}

/** True while a sign-in is among those of this device. */
export function isKept({ token }: StaySession): boolean {
  return readStays().some((stay) => stay.token === token);
}

/** Removes an ended sign-in; the other stays of this device remain. */
export function forgetStay({ token }: StaySession): void {
  const others = readStays().filter((stay) => stay.token !== token);
  const kept = JSON.stringify(others);
  writeSignIns(readToken('token') === token ? { [STAYS]: kept, token: undefined } : { [STAYS]: kept });
}

/** The sign-ins for which the server rendered the page; see `StayPage` and `TogetherPage`. */
const VisitedContext = createContext<readonly StaySession[]>([]);
export const VisitedProvider = VisitedContext.Provider;

/** The sign-ins for which the server rendered this page; none when it did so for everybody. */
export function useVisited(): readonly StaySession[] {
  return useContext(VisitedContext);
}

/** The sign-in of a visit on the server, which tells pages neither its token nor when it ends. */
export function sessionOfVisit(visit: VisitData): StaySession {
  const { stageId, role } = visit;
  return { stageId, role, nom: nameOfVisit(visit), token: '', expire_le: '9999' };
}

function nameOfVisit({ stageId, answers }: VisitData): string {
  const asked = questionName({ key: 'GET /stages/:id', params: { id: stageId } });
  const stay = answers[asked] as ReplyOf<'GET /stages/:id'> | undefined;
  return stay?.nom_stage ?? '';
}

/**
 * This browser's sign-ins to the stays for which the server rendered the page; undefined when it holds others, or fewer.
 * Their names are those of the server, by which it ordered them.
 */
export function sessionsFor(visits: readonly VisitData[]): readonly StaySession[] | undefined {
  const [first] = visits;
  if (!first) return [];
  const current = currentStay();
  const held = first.as === 'stay' ? (current ? [current] : []) : readStays().filter(isOpenFamily);
  const found = visits.flatMap((visit) => {
    const stay = held.find(({ stageId, role }) => stageId === visit.stageId && role === visit.role);
    const nom = nameOfVisit(visit);
    return stay ? (stay.nom === nom ? stay : { ...stay, nom }) : [];
  });
  return found.length === visits.length && found.length === held.length ? found : undefined;
}

/** The stay that is shown; on the server and during hydration that of the visit, if there is one only. */
export function useStaySession(): StaySession | undefined {
  const visited = useVisited();
  return useSyncExternalStore(onSignInsChanged, currentStay, () =>
    visited.length === 1 ? visited[0] : undefined,
  );
}

/** The stays opened on this device; on the server and during hydration those of the visit. */
export function useStays(): readonly StaySession[] {
  const visited = useVisited();
  return useSyncExternalStore(onSignInsChanged, readStays, () => visited);
}

/** The open sign-ins of families on this device, in the order of the names of their stays. */
export function useFamilies(): readonly StaySession[] {
  const stays = useStays();
  return useMemo(
    () =>
      stays
        .filter(isOpenFamily)
        .sort((one, other) => one.nom.localeCompare(other.nom, 'fr') || one.stageId - other.stageId),
    [stays],
  );
}

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

/** Address of the page that shows the stays of all families signed in on this device as one. */
export const TOGETHER_ADDRESS = '/mes-sejours';

export const ALL_STAYS = 'Tous mes séjours';

/** Where a person goes who has just signed in: families of several stays see all of them. */
export function addressAfter(stay: Pick<StaySession, 'role' | 'stageId'>): string {
  const isFamily = (one: Pick<StaySession, 'role' | 'stageId'>) => one.role === 'stagiaire';
  const hasOthers = readStays().some((one) => isFamily(one) && isOpen(one) && one.stageId !== stay.stageId);
  return isFamily(stay) && hasOthers ? TOGETHER_ADDRESS : addressOfStay(stay);
}

export function signInAddressOf(stageId: number): string {
  return `/connexion?stageId=${stageId}`;
}

/** Page that says what stays on a device once a stay is closed there. */
export const SIGNED_OUT_ADDRESS = '/deconnexion';

/** What a person may rely on once their sign-in to a stay has ended, by themselves or not. */
export const NOBODY_SEES =
  'Sur cet appareil, plus personne ne voit les photos sans le mot de passe du séjour.';

/** Notice for a sign-in to a stay that the server has ended: in its words where somebody ended it. */
export function signInEnded({ message, answer }: CallError): [title: string, text: string] {
  const { fin } = (answer ?? {}) as { fin?: string };
  return ['Votre connexion est terminée.', `${NOBODY_SEES} ${fin ? message : 'Saisissez-le de nouveau.'}`];
}

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
      warn(...signInEnded(error));
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
