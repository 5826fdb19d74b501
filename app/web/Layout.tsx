import { type ComponentType, lazy, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useAsking } from '#features/site/web/consent.ts';
import { NoticeRegion } from '#platform/web/ui/notices.tsx';
import { Footer } from './Footer.tsx';
import { Navbar } from './Navbar.tsx';
import { pageAt } from './pages.tsx';
import { useArrival } from './useArrival.ts';
import { useViews } from './useViews.ts';

/** Only sites that ask services outside need it. When it does not arrive nothing is asked, which is a refusal. */
const ConsentBanner = lazy<ComponentType>(() =>
  import('./ConsentBanner.tsx').then(
    (module) => ({ default: module.ConsentBanner }),
    () => ({ default: () => null }),
  ),
);

/** The frame of every page; the portal has one of its own inside, with its rail before its main part. */
export function Layout() {
  const { pathname, search } = useLocation();
  const { page } = pageAt(pathname, search);
  const isAsking = useAsking() !== 'no';
  useArrival();
  useViews();
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link like any other where no script runs */}
      <a
        className="skip-link"
        href="#contenu"
        onClick={(event) => {
          // No entry in the history: Back leaves the page, as it should.
          event.preventDefault();
          document.getElementById('contenu')?.focus();
        }}
      >
        Aller au contenu
      </a>
      {page.isRendered && isAsking && (
        <Suspense>
          <ConsentBanner />
        </Suspense>
      )}
      <Navbar />
      <NoticeRegion />
      {page.isRendered ? (
        <>
          <main id="contenu" tabIndex={-1} className="flex grow flex-col">
            <Outlet />
          </main>
          <Footer />
        </>
      ) : (
        <Outlet />
      )}
    </>
  );
}
