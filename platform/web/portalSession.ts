import { createContext, useContext } from 'react';

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
