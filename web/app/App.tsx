import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Route, Routes } from 'react-router';
import type { Site } from '../../shared/page.ts';
import { SiteProvider } from '../site.tsx';
import { Layout } from './Layout.tsx';
import { ROUTES } from './pages.tsx';

/** Everything below the router, the same on both sides. */
export function App({ site, answers }: { site: Site; answers: QueryClient }) {
  return (
    <StrictMode>
      <SiteProvider value={site}>
        <QueryClientProvider client={answers}>
          <Routes>
            <Route element={<Layout />}>
              {ROUTES.map(({ path, Component }) => (
                <Route key={path} path={path} element={<Component />} />
              ))}
            </Route>
          </Routes>
        </QueryClientProvider>
      </SiteProvider>
    </StrictMode>
  );
}
