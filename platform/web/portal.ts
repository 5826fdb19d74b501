import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { meets, type Need, type Right } from '#platform/shared/roles.ts';
import { createNeeded } from './needed.ts';
import { forgetToken } from './session.ts';

export const SESSION = { key: 'GET /verifyToken' } as const;

/** Who works in the portal; drafts are kept under their name. */
interface PortalSession {
  username: string;
  rights: readonly Right[];
  /** By when they need a second factor; null: they have what is asked for. */
  factorBefore: string | null;
}

export const [PortalSessionProvider, usePortalSession] = createNeeded<PortalSession>('PortalSessionProvider');

/** Returns a function that tells whether whoever works here meets one of some needs; undefined ones are everybody’s. */
export function useMay(): (some: readonly Need[] | undefined) => boolean {
  const { rights } = usePortalSession();
  return (some) => some === undefined || meets(rights, some);
}

/** The address of a portal panel; the keys come from the panels in `app/web/portal/panels.tsx`. */
export function panelAddress(key: string): string {
  return `/portail?panneau=${key}`;
}

/** Returns a function that leaves the portal when its token is no longer valid. */
export function useLeavePortal(): () => void {
  return useLeave(() => forgetToken('adminToken'));
}

/**
 * Returns a function that calls `forget`, clears the cache and goes to `address`, so that the next person finds nothing.
 */
export function useLeave(forget: () => void, address = '/'): () => void {
  const answers = useQueryClient();
  const navigate = useNavigate();
  return () => {
    navigate(address);
    forget();
    answers.clear();
  };
}
