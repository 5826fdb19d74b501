import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect, useState } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import type { Site } from '../../shared/page.ts';
import { SiteProvider } from '../site.tsx';
import { ConfirmProvider } from '../ui/confirm.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { NeedsScript } from '../ui/NeedsScript.tsx';
import { NoticesProvider } from '../ui/notices.tsx';
import { useIsInBrowser } from '../ui/useIsInBrowser.ts';
import { Layout } from './Layout.tsx';
import { PATHS, type Page, pageAt } from './pages.tsx';

/** Everything below the router, the same on both sides. */
export function App({ site, answers }: { site: Site; answers: QueryClient }) {
  const [shown, setShown] = useState(site);
  useEffect(() => {
    // The first script has kept a button that was pressed too early.
    document.dispatchEvent(new Event('page-alive'));
  }, []);
  return (
    <StrictMode>
      <SiteProvider value={{ ...shown, update: (change) => setShown({ ...shown, ...change }) }}>
        <QueryClientProvider client={answers}>
          <NoticesProvider>
            <ConfirmProvider>
              <Routes>
                <Route element={<Layout />}>
                  {PATHS.map((path) => (
                    <Route key={path} path={path} element={<CurrentPage />} />
                  ))}
                </Route>
              </Routes>
            </ConfirmProvider>
          </NoticesProvider>
        </QueryClientProvider>
      </SiteProvider>
    </StrictMode>
  );
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
  return (
    <ErrorBoundary key={page.isRendered ? pathname + search : page.module}>
      <Suspense fallback={LOADING}>
        {page.isRendered ? <page.Component /> : <OnlyInBrowser page={page} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/** Apart from the pages that the server renders: what changes once it is in the browser is drawn anew without a pause. */
function OnlyInBrowser({ page: { Component } }: { page: Page }) {
  return useIsInBrowser() ? <Component /> : LOADING;
}
