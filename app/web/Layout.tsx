import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Link, Outlet, useLocation, useNavigationType } from 'react-router';
import {
  callForBanner,
  hasOptedOut,
  useAsking,
  useMayChoose,
  useOutside,
} from '#features/site/web/consent.ts';
import { documentTitle } from '#platform/shared/page.ts';
import { API_PREFIX, call, tellOutside } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { NoticeRegion } from '#platform/web/ui/notices.tsx';
import { Navbar } from './Navbar.tsx';
import { pageAt } from './pages.tsx';

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

/** Counts a view at each change of path: here, and outside where the visitor agreed. */
function useViews(): void {
  const { pathname, search } = useLocation();
  const { analyticsUrl } = useOutside();
  // What stands behind a sign-in, and whatever somebody typed, is nobody else's business.
  const { page, isFound } = pageAt(pathname, search);
  const isOpenToAll = isFound && page.isRendered;

  useEffect(() => {
    if (hasOptedOut()) return;
    // Nobody is told when counting fails: it is no part of reading a page.
    call('POST /pages-vues', { body: { page: pathname } }).catch(() => {});
  }, [pathname]);

  useEffect(() => {
    if (analyticsUrl !== '' && isOpenToAll) tellOutside(analyticsUrl, pathname);
  }, [analyticsUrl, isOpenToAll, pathname]);
}

/** How far each page of this visit was scrolled, by the history's key, for the ways back and forth. */
const heights = new Map<string, number>();

/**
 * Does what a browser does with a new page when only the content changed: title, top of the page or the place
 * one comes back to, focus.
 */
function useArrival(): void {
  const { pathname, search, key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const site = useSite();
  const address = pathname + search;
  const shown = useRef(address);

  useLayoutEffect(() => {
    const remember = () => heights.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useLayoutEffect(() => {
    // The first page came with its title, and the browser puts back where the person was.
    if (shown.current === address) return;
    shown.current = address;
    // A page that has a better one says so itself.
    document.title = documentTitle(pageAt(pathname, search).page.title, site);
    // It is what browsers share in the place of the address they show, and it is that of the first page.
    document.querySelector('link[rel="canonical"]')?.remove();
    window.scrollTo(0, isReturn ? (heights.get(key) ?? 0) : 0);
    document.getElementById('contenu')?.focus({ preventScroll: true });
  }, [address, pathname, search, key, isReturn, site]);

  useEffect(() => {
    // Within the visit the places are ours to put back; the browser would do it before the page is drawn.
    const take = () => {
      window.history.scrollRestoration = 'manual';
    };
    const hand = () => {
      window.history.scrollRestoration = 'auto';
    };
    take();
    window.addEventListener('pageshow', take);
    window.addEventListener('pagehide', hand);
    return () => {
      window.removeEventListener('pageshow', take);
      window.removeEventListener('pagehide', hand);
    };
  }, []);
}

/** What the site has always asked its counter; the built-in one draws the same figures. */
const COUNTER = { page: 'site', style: 'passerelle', nbdigits: '5', type: 'page', initCount: '0' };

/** `outside`: the address of another counter, which may have a query of its own; blank: ours. */
function counterAddress(outside: string): string {
  if (outside === '') return `${API_PREFIX}/compteur.svg?${new URLSearchParams(COUNTER)}`;
  const address = new URL(outside);
  for (const [name, value] of Object.entries(COUNTER)) address.searchParams.set(name, value);
  return address.href;
}

const LINKS = [
  { to: '/connexion', label: 'Photos des séjours' },
  { to: '/mentions-legales', label: 'Mentions légales' },
  { to: '/politique-confidentialite', label: 'Politique de confidentialité' },
  { to: '/accessibilite', label: 'Accessibilité' },
];

function Footer() {
  const { organisation } = useSite();
  const { counterUrl } = useOutside();
  const mayChoose = useMayChoose();
  return (
    <footer className="border-t border-mist bg-card">
      <div className="mx-auto flex w-full max-w-6xl flex-col flex-wrap gap-x-8 gap-y-4 px-4 py-6 text-sm md:flex-row md:items-center">
        <div className="flex min-w-0 items-center gap-3 md:max-w-sm">
          <img
            src="/icon.svg"
            alt=""
            title={['Portail du comité social et économique', organisation].filter(Boolean).join(' — ')}
            width="40"
            height="40"
            className="shrink-0"
          />
          <p className="min-w-0 font-title text-base font-semibold wrap-anywhere text-pine">
            Portail CSE
            {organisation && <span className="block text-sm font-normal text-quiet">{organisation}</span>}
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-6 md:ml-auto">
          {LINKS.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className="inline-flex min-h-11 items-center">
                {label}
              </Link>
            </li>
          ))}
          {mayChoose && (
            <li className="noscript:hidden">
              <button
                type="button"
                className="min-h-11 text-lake underline underline-offset-3"
                onClick={callForBanner}
              >
                Gérer mes choix
              </button>
            </li>
          )}
        </ul>
        <p className="flex shrink-0 items-center gap-2 text-quiet">
          Visites
          <img
            referrerPolicy="no-referrer"
            src={counterAddress(counterUrl)}
            alt="Compteur de visites"
            height="20"
            loading="lazy"
            className="h-5 w-auto"
          />
        </p>
      </div>
    </footer>
  );
}
