import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, startTransition, useEffect, useMemo, useState } from 'react';
import { useLocation, useRoutes } from 'react-router';
import { type StaySession, useVisited, VisitedProvider } from '#features/stays/web/sessions.ts';
import type { Site } from '#platform/shared/page.ts';
import type { Page } from '#platform/web/pages.tsx';
import { SiteProvider } from '#platform/web/site.tsx';
import { ConfirmProvider } from '#platform/web/ui/dialogs.tsx';
import { ErrorBoundary } from '#platform/web/ui/ErrorBoundary.tsx';
import { NeedsScript, useIsRendered } from '#platform/web/ui/inBrowser.tsx';
import { NoticesProvider } from '#platform/web/ui/notices.tsx';
import { Layout } from './Layout.tsx';
import { pageAt } from './pages.tsx';

interface AppProps {
  site: Site;
  answers: QueryClient;
  /** The sign-ins for which the server rendered the page, if it did so for one visitor. */
  visited: readonly StaySession[];
}

/** Everything below the router, the same on the server and in the browser. */
export function App({ site, answers, visited }: AppProps) {
  const [shown, setShown] = useState(site);
  useEffect(() => {
    // Tells `boot.ts` to repeat a click made before hydration.
    document.dispatchEvent(new Event('page-alive'));
  }, []);
  return (
    <StrictMode>
      <SiteProvider value={{ ...shown, update: (change) => setShown({ ...shown, ...change }) }}>
        <QueryClientProvider client={answers}>
          <VisitedProvider value={visited}>
            <NoticesProvider>
              <ConfirmProvider>
                <Router />
              </ConfirmProvider>
            </NoticesProvider>
          </VisitedProvider>
        </QueryClientProvider>
      </SiteProvider>
    </StrictMode>
  );
}

/** Renders the page of the address in its frame. `pageAt` has found the page, so the router gets its route alone. */
function Router() {
  const { pathname, search } = useLocation();
  const { path } = pageAt(pathname, search).page;
  const routes = useMemo(
    () => [{ element: <Layout />, children: [{ path, element: <CurrentPage /> }] }],
    [path],
  );
  return useRoutes(routes);
}

const LOADING = (
  <div className="page">
    <p>Chargement…</p>
    <NeedsScript />
  </div>
);

function CurrentPage() {
  const { pathname, search } = useLocation();
  const { page } = pageAt(pathname, search);
  const isVisited = useVisited().length > 0;
  return (
    <ErrorBoundary key={page.isRendered ? pathname + search : page.path}>
      <Suspense fallback={LOADING}>
        {page.isRendered || isVisited ? <page.Component /> : <OnlyInBrowser page={page} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/** A page that the server does not render: rendered in a transition (in slices), after the hydration of its frame. */
function OnlyInBrowser({ page: { Component } }: { page: Page }) {
  const isRendered = useIsRendered();
  const [isShown, setShown] = useState(!isRendered);
  useEffect(() => startTransition(() => setShown(true)), []);
  return isShown ? <Component /> : LOADING;
}
