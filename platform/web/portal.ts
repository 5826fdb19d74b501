import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useNavigate } from 'react-router';
import { forgetToken } from './session.ts';

/** The question of who is signed in to the portal here. */
export const SESSION = { key: 'GET /verifyToken' } as const;

/** Who works in the portal; drafts are kept under their name. */
interface PortalSession {
  username: string;
}

const PortalSessionContext = createContext<PortalSession | undefined>(undefined);

export const PortalSessionProvider = PortalSessionContext.Provider;

export function usePortalSession(): PortalSession {
  const session = useContext(PortalSessionContext);
  if (!session) throw new Error('no PortalSessionProvider above');
  return session;
}

/** Where a panel of the portal stands; its key is in `app/web/portal/panels.tsx`. */
export function panelAddress(key: string): string {
  return `/portail?panneau=${key}`;
}

/** Leaves the portal, whose token is worth nothing any more. */
export function useLeavePortal(): () => void {
  return useLeave(() => forgetToken('adminToken'));
}

/** Goes home without what `forget` takes away nor what was read with it: the next person here must not find it. */
export function useLeave(forget: () => void): () => void {
  const answers = useQueryClient();
  const navigate = useNavigate();
  return () => {
    navigate('/');
    forget();
    answers.clear();
  };
}
