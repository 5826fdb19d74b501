import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { SignInAgain } from '#features/accounts/web/sign-in/SignInAgain.tsx';
import { onSessionEnded } from '#platform/web/api.ts';
import { useLeavePortal, usePortalSession } from '#platform/web/portal.ts';
import { readToken } from '#platform/web/session.ts';
import { useTitle } from '#platform/web/site.tsx';
import { ErrorBoundary } from '#platform/web/ui/ErrorBoundary.tsx';
import { useLeaveGuard } from '#platform/web/useLeaveGuard.ts';
import { ITEM_PANELS, PANELS } from './panels.tsx';
import { Rail } from './Rail.tsx';

/** The rail beside the panel of the address; over them, the way back in when the session has ended. */
export function PortalFrame() {
  const { pathname, search } = useLocation();
  const { username } = usePortalSession();
  const answers = useQueryClient();
  const leavePortal = useLeavePortal();
  const [hasEnded, setEnded] = useState(false);
  useLeaveGuard();
  useEffect(() => onSessionEnded(() => setEnded(true)), []);
  useEffect(() => {
    // Signed out in another tab: nobody is at work here any more.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (newValue === null && (key === 'adminToken' || key === null)) leavePortal();
    };
    // Or while the browser kept this page aside, to show it again as it was.
    const onShow = () => {
      if (readToken('adminToken') === null) leavePortal();
    };
    window.addEventListener('storage', onStorage);
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pageshow', onShow);
    };
  });
  useEffect(() => {
    // The form that had the focus was the sign-in.
    if (document.activeElement === document.body) document.getElementById('contenu')?.focus();
  }, []);

  const { panel, Component } = shownAt(pathname, search);
  useTitle(panel?.label);
  return (
    <div className="mx-auto w-full max-w-6xl grow lg:grid lg:grid-cols-[18rem_minmax(0,1fr)]">
      <Rail current={panel?.key} />
      <main id="contenu" tabIndex={-1} className="w-full min-w-0 px-4 py-6 sm:px-8 lg:py-8">
        <ErrorBoundary key={pathname + search}>
          <Suspense fallback={<p className="well">Chargement…</p>}>
            <Component />
          </Suspense>
        </ErrorBoundary>
      </main>
      {hasEnded && (
        <SignInAgain
          username={username}
          onGivenUp={leavePortal}
          onSignedIn={() => {
            setEnded(false);
            answers.invalidateQueries();
          }}
        />
      )}
    </div>
  );
}

function shownAt(pathname: string, search: string) {
  const item = ITEM_PANELS.find(({ path }) => pathname.startsWith(`${path}/`));
  if (item) return { panel: PANELS.find(({ key }) => key === item.panel), Component: item.Component };
  const wanted = new URLSearchParams(search).get('panneau') ?? PANELS[0]?.key;
  const panel = PANELS.find(({ key }) => key === wanted);
  return { panel, Component: panel?.Component ?? UnknownPanel };
}

function UnknownPanel() {
  return (
    <>
      <h1>Panneau inconnu</h1>
      <p className="mt-4">Ce panneau n’existe pas. Choisissez-en un dans le menu du portail.</p>
    </>
  );
}
