import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { CallError } from '#platform/web/api.ts';
import { sweepDrafts } from '#platform/web/drafts.ts';
import { PortalSessionProvider, SESSION } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { readToken } from '#platform/web/session.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { PortalFrame } from './PortalFrame.tsx';

/** The portal, once the server has said that the token opens it. */
export function PortalPage() {
  const { pathname, search } = useLocation();
  const hasToken = readToken('adminToken') !== null;
  const query = useQuestion(SESSION, 'Erreur lors de la vérification du jeton:', {
    isAsked: hasToken,
  });
  const { data, error } = query;
  useEffect(() => sweepDrafts(new Date()), []);
  const isRefused = error instanceof CallError && (error.status === 401 || error.status === 403);
  if (!data && (isRefused || !hasToken)) {
    return <Navigate to="/connexion-portail" replace state={{ from: pathname + search }} />;
  }
  return (
    <LoadState
      query={query}
      failed="Le portail n’a pas pu s’ouvrir."
      frame={(state) => (
        <main id="contenu" tabIndex={-1} className="page">
          {state}
        </main>
      )}
    >
      {({ username }) => (
        <PortalSessionProvider value={{ username }}>
          <PortalFrame />
        </PortalSessionProvider>
      )}
    </LoadState>
  );
}
