import { ChevronDown, LogOut, Menu, Search, X } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { matchPath, Outlet, useLocation, useNavigate, useNavigationType } from 'react-router';
import { FrameBar, useSignOut } from '#features/sending/web/unsent.tsx';
import {
  callForBanner,
  hasOptedOut,
  useAsking,
  useMayChoose,
  useOutside,
} from '#features/site/web/consent.ts';
import { SEARCH_PATH } from '#features/site/web/questions.ts';
import {
  addressOfStay,
  TOGETHER_ADDRESS,
  useFamilies,
  useHoldsTokens,
  useStaySession,
} from '#features/stays/web/sessions.ts';
import { COUNTER_QUERY, documentTitle } from '#platform/shared/page.ts';
import { API_PREFIX, call } from '#platform/web/api.ts';
import { useIsSignedIn } from '#platform/web/session.ts';
import { SiteMark, SiteName, useSite } from '#platform/web/site.tsx';
import { focusContent, onceThere, useSearchKey } from '#platform/web/ui/dialogs.tsx';
import { follow } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { NoticeRegion } from '#platform/web/ui/notices.tsx';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';
import { pageAt } from './pages.tsx';

/** What few pages show: nothing, when it cannot be loaded. */
const extra = <P,>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(async () => ({ default: await load().catch(() => () => null) }));

/** For sites that use outside services. If it is not there nothing is asked, which counts as a refusal. */
const ConsentBanner = extra(async () => (await import('./ConsentBanner.tsx')).ConsentBanner);
const ForStaff = extra(async () => (await import('./ForStaff.tsx')).ForStaff);

/** By itself, so that the frame comes alive as the server has rendered it, for nobody. */
function Staff({ isHome }: { isHome: boolean }) {
  return useIsSignedIn('portal') && <ForStaff isHome={isHome} />;
}

/** The frame of every page. The portal has a frame of its own, with its bar and its menu. */
export function Layout() {
  const { pathname, search } = useLocation();
  const { page } = pageAt(pathname, search);
  const isAsking = useAsking() !== 'no';
  const isHome = page.path === '/' && page.query === undefined;
  useArrival();
  usePreload();
  useViews();
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link like any other where no script runs */}
      <a
        className="skip-link"
        href="#contenu"
        onClick={(event) => {
          // Adds no history entry, so that Back leaves the page.
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
      {!page.hasOwnBar && (
        <>
          <Navbar />
          <FrameBar />
          <NoticeRegion />
        </>
      )}
      {page.isRendered ? (
        <>
          <main id="contenu" tabIndex={-1} className="flex grow flex-col">
            <Suspense>
              <Staff isHome={isHome} />
            </Suspense>
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
  // Outside services learn of no page behind a sign-in, and of no unknown address that somebody typed.
  const { page, isFound } = pageAt(pathname, search);
  const isOpenToAll = isFound && page.isRendered;

  useEffect(() => {
    if (hasOptedOut()) return;
    // In a task of its own, as asking would hold up the page that comes alive.
    const { port1, port2 } = new MessageChannel();
    // A failure to count is not reported, as it does not concern the reader.
    port1.onmessage = () => call('POST /pages-vues', { body: { page: pathname } }).catch(() => {});
    port2.postMessage(undefined);
  }, [pathname]);

  useEffect(() => {
    if (analyticsUrl === '' || !isOpenToAll) return;
    import('#platform/web/outside.ts')
      .then(({ tellOutside }) => tellOutside(analyticsUrl, pathname))
      .catch(() => {});
  }, [analyticsUrl, isOpenToAll, pathname]);
}

/** Scroll position of each page of this visit and the link last focused on it, by history key, for Back and Forward. */
const places = new Map<string, { height: number; link: string | undefined }>();

let stopWaiting = () => {};

/**
 * Does, after a navigation within the application, what a browser does on loading a page: sets the title, the scroll
 * position (the top, or the earlier one on a return) and the focus.
 */
function useArrival(): void {
  const { pathname, search, key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const site = useSite();
  const address = pathname + search;
  const shown = useRef(address);

  useLayoutEffect(() => {
    const remember = () => {
      const { href: link } = (document.activeElement ?? {}) as { href?: string };
      places.set(key, { height: window.scrollY, link });
    };
    return follow(window, { scroll: remember, focusin: remember }, { passive: true });
  }, [key]);

  useLayoutEffect(() => {
    // The first page came with its title, and the browser restores its scroll position.
    if (shown.current === address) return;
    shown.current = address;
    // A page that knows a better title sets it with `useTitle`.
    document.title = documentTitle(pageAt(pathname, search).page.title, site);
    // It names the first page, and browsers share the canonical address rather than the one they show.
    document.querySelector('link[rel="canonical"]')?.remove();
    const place = isReturn ? places.get(key) : undefined;
    window.scrollTo(0, place?.height ?? 0);
    stopWaiting();
    // Back gives it to the link that led away.
    const links = () => [...document.querySelectorAll('a')];
    stopWaiting = onceThere(() => focusContent(place && links().find(({ href }) => href === place.link)));
  }, [address, pathname, search, key, isReturn, site]);

  useEffect(() => {
    // During the visit this code restores scroll positions: the browser would do it before the page is rendered.
    const take = () => {
      window.history.scrollRestoration = 'manual';
    };
    const hand = () => {
      window.history.scrollRestoration = 'auto';
    };
    take();
    return follow(window, { pageshow: take, pagehide: hand });
  }, []);
}

/** Fetches the code of a page once a pointer or the focus is on a link to it: a press then shows the page at once. */
function usePreload(): void {
  useEffect(() => {
    const preload = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null;
      // Browsers remember a failed import, which would keep the link from working once they are online.
      if (!navigator.onLine || !link?.href || link.target || link.origin !== window.location.origin) return;
      const { page, isFound } = pageAt(link.pathname, link.search);
      if (!isFound || page.hasOwnBar) return;
      // A failure is told once the link is followed.
      page.Component.preload().catch(() => {});
    };
    return follow(document, { pointerover: preload, focusin: preload });
  }, []);
}

const PHOTOS = { to: '/connexion', label: 'Photos des séjours' };
const CONTACT = { to: '/contact', label: 'Contact' };
const LINKS = [
  PHOTOS,
  CONTACT,
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
      <div className="mx-auto flex w-full max-w-6xl flex-col flex-wrap gap-x-8 gap-y-4 px-4 py-6 text-sm lg:flex-row lg:items-center">
        <div className="flex min-w-0 items-center gap-3 lg:max-w-sm">
          <SiteMark
            title={['Portail du comité social et économique', organisation].filter(Boolean).join(' — ')}
          />
          <p className="min-w-0 font-title text-base font-semibold wrap-anywhere text-pine">
            Portail CSE
            {organisation && <span className="block text-sm font-normal text-quiet">{organisation}</span>}
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-6 lg:ml-auto">
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
            src={counterUrl || `${API_PREFIX}/compteur.svg?${COUNTER_QUERY}`}
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

const MAIN = [
  { to: '/', label: 'Accueil' },
  { to: '/a-propos', label: 'A propos du CSE' },
  { to: '/membres', label: 'Les membres' },
  { to: '/Evenements', label: 'Nos événements' },
];
const MINUTES = { to: '/compte-rendus', label: 'Compte rendus' };
const BENEFITS = { to: '/avantages', label: 'Avantages du CSE' };

/** The pages of one item, by the page that leads to them. */
const DETAILS: Record<string, string> = {
  '/': '/une-details/:id',
  '/Evenements': '/event-detail/:id',
  '/avantages': '/avantage-detail/:id',
};

/** `aria-current` of a link of the bar: `page` on its page, `true` on those of one of its items. */
function useCurrent(): (to: string) => 'page' | 'true' | undefined {
  const { pathname, search } = useLocation();
  return (to) => {
    if (matchPath(to, pathname)) return to === '/' && search ? 'true' : 'page';
    const detail = DETAILS[to];
    return detail && matchPath(detail, pathname) ? 'true' : undefined;
  };
}

function Navbar() {
  const isSignedIn = useHoldsTokens();
  const signOut = useSignOut();
  const currentOf = useCurrent();
  const navigate = useNavigate();
  useSearchKey(() => navigate(SEARCH_PATH));
  return (
    <header className={`site-bar ${isSignedIn ? 'signed-in' : ''}`}>
      <div className="mx-auto flex w-full max-w-6xl items-center gap-2 px-4 py-2">
        <Link
          to="/"
          className="mr-auto flex min-h-11 min-w-[min(9rem,40%)] items-center gap-3 font-title text-lg leading-tight font-bold text-pine no-underline"
        >
          <SiteMark />
          <span className="min-w-0">
            <SiteName />
          </span>
        </Link>
        <nav aria-label="Navigation principale" className="when-wide">
          <ul className="flex items-center gap-1">
            {MAIN.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className="bar-link" aria-current={currentOf(to)}>
                  {label}
                </Link>
              </li>
            ))}
            <li>
              <UsefulMenu />
            </li>
          </ul>
        </nav>
        {isSignedIn && (
          <button type="button" className="bar-link when-wide" onClick={signOut}>
            <LogOut className="size-5" />
            Déconnexion
          </button>
        )}
        <Link
          to={SEARCH_PATH}
          className="round-button"
          aria-current={currentOf(SEARCH_PATH)}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Search className="size-6" />
          <span className="sr-only">Rechercher</span>
        </Link>
        <SideMenu isSignedIn={isSignedIn} signOut={signOut} />
      </div>
    </header>
  );
}

function UsefulMenu() {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: true });
  const currentOf = useCurrent();
  const isCurrent = [MINUTES, BENEFITS].some(({ to }) => currentOf(to));
  return (
    <div ref={menu.ref} className="relative" {...menu.hover}>
      <button type="button" className="bar-link" aria-current={isCurrent || undefined} {...menu.button}>
        Informations utiles
        <ChevronDown className={`size-4 transition-transform ${menu.isOpen ? 'rotate-180' : ''}`} />
      </button>
      <ul id={menu.id} className={`dropdown left-0 w-56 ${menu.isOpen ? '' : 'closed'}`}>
        <UsefulLinks />
      </ul>
    </div>
  );
}

function UsefulLinks() {
  const { jobOffersUrl } = useSite();
  return (
    <>
      <MenuLink {...MINUTES} />
      {jobOffersUrl && (
        <li>
          <a href={jobOffersUrl} target="_blank" rel="noopener noreferrer" className="menu-link">
            Offre d’emplois
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
        </li>
      )}
      <MenuLink {...BENEFITS} />
    </>
  );
}

/** The menu behind the three bars: on a desktop, links for some people only; on a phone, the whole menu. */
function SideMenu({ isSignedIn, signOut }: { isSignedIn: boolean; signOut(): void }) {
  const stay = useStaySession();
  const families = useFamilies();
  const hasSeveral = families.length > 1;
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  const Icon = menu.isOpen ? X : Menu;
  return (
    <div ref={menu.ref} className="relative">
      <button type="button" className="round-button" {...menu.button}>
        <Icon className="size-7" />
        <span className="sr-only">Menu</span>
      </button>
      <nav
        id={menu.id}
        aria-label="Menu"
        className={`dropdown right-0 w-72 max-w-[calc(100vw-2rem)] ${menu.isOpen ? '' : 'closed'}`}
      >
        <ul className="when-narrow border-b border-mist pb-2">
          {MAIN.map((link) => (
            <MenuLink key={link.to} {...link} />
          ))}
          <li className="px-4 pt-3 pb-1 text-sm font-semibold text-quiet" aria-hidden="true">
            Informations utiles
          </li>
          <UsefulLinks />
          <MenuLink {...PHOTOS} />
          <MenuLink {...CONTACT} />
        </ul>
        <ul className="pt-1">
          {(hasSeveral || (!stay && families.length > 0)) && (
            <MenuLink to={TOGETHER_ADDRESS} label={hasSeveral ? 'Mes séjours' : 'Mon séjour'} />
          )}
          {stay && !(hasSeveral && stay.role === 'stagiaire') && (
            <MenuLink to={addressOfStay(stay)} label="Mon séjour" />
          )}
          <li>
            <Link to="/portail" className="menu-link">
              <span className="when-narrow">Portail Administrateur</span>
              <span className="when-wide">Administrateur</span>
            </Link>
          </li>
          {isSignedIn && (
            <li className="when-narrow">
              <button type="button" className="menu-link" onClick={signOut}>
                <LogOut className="size-5" />
                Déconnexion
              </button>
            </li>
          )}
        </ul>
      </nav>
    </div>
  );
}

function MenuLink({ to, label }: { to: string; label: string }) {
  const currentOf = useCurrent();
  return (
    <li>
      <Link to={to} className="menu-link" aria-current={currentOf(to)}>
        {label}
      </Link>
    </li>
  );
}
