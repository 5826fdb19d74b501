import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Search } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { SignInAgain } from '#features/accounts/web/SignInForm.tsx';
import { folded } from '#platform/shared/fold.ts';
import { CallError, onSessionEnded } from '#platform/web/api.ts';
import { sweepDrafts } from '#platform/web/drafts.ts';
import { useLeaveGuard } from '#platform/web/history.tsx';
import type { Panel } from '#platform/web/pages.tsx';
import {
  PortalSessionProvider,
  panelAddress,
  SESSION,
  useLeavePortal,
  usePortalSession,
} from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { readToken } from '#platform/web/session.ts';
import { useTitle } from '#platform/web/site.tsx';
import { ErrorBoundary } from '#platform/web/ui/ErrorBoundary.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { ITEM_PANELS, PANELS, STAY_TABS } from './panels.tsx';
import { SearchDialog } from './SearchDialog.tsx';
import { StayPage } from './StayPage.tsx';

/** The portal, shown once the server has accepted the token. */
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

/** The rail and the panel of the address; when the session has ended, a sign-in dialog over them. */
function PortalFrame() {
  const { pathname, search } = useLocation();
  const { username } = usePortalSession();
  const answers = useQueryClient();
  const leavePortal = useLeavePortal();
  const [hasEnded, setEnded] = useState(false);
  useLeaveGuard();
  useEffect(() => onSessionEnded(() => setEnded(true)), []);
  useEffect(() => {
    // Signed out in another tab: this one leaves the portal too.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (newValue === null && (key === 'adminToken' || key === null)) leavePortal();
    };
    // Signed out while this page was in the browser's back/forward cache.
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
    // After sign-in the focus was in its form, which is gone.
    if (document.activeElement === document.body) document.getElementById('contenu')?.focus();
  }, []);

  const { panel, page } = shownAt(pathname, search);
  useTitle(panel?.label);
  return (
    <div className="mx-auto w-full max-w-6xl grow lg:grid lg:grid-cols-[18rem_minmax(0,1fr)]">
      <Rail current={panel?.key} />
      <main id="contenu" tabIndex={-1} className="w-full min-w-0 px-4 py-6 sm:px-8 lg:py-8">
        <ErrorBoundary key={pathname + search}>
          <Suspense fallback={<p className="well">Chargement…</p>}>{page}</Suspense>
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

/** The panel of the menu that an address belongs to, and what it shows. */
function shownAt(pathname: string, search: string): { panel: Panel | undefined; page: ReactNode } {
  const query = new URLSearchParams(search);
  const panelOf = (wanted: string | undefined) => PANELS.find(({ key }) => key === wanted);
  const item = ITEM_PANELS.find(({ path }) => pathname.startsWith(`${path}/`));
  const tab = item && STAY_TABS.find(({ key }) => key === item.panel);
  if (item && tab) {
    const id = Number(pathname.slice(item.path.length + 1));
    return { panel: panelOf('sejours'), page: <StayPage id={id} tab={tab.key} Component={item.Component} /> };
  }
  if (item) return { panel: panelOf(item.panel), page: <item.Component /> };
  const panel = panelOf(query.get('panneau') ?? PANELS[0]?.key);
  const stay = query.get('sejour') ?? '';
  if (panel?.key === 'sejours' && /^\d+$/.test(stay))
    return { panel, page: <StayPage id={Number(stay)} tab={query.get('onglet') ?? 'reglages'} /> };
  return { panel, page: panel ? <panel.Component /> : <UnknownPanel /> };
}

function UnknownPanel() {
  return (
    <>
      <h1>Panneau inconnu</h1>
      <p className="mt-4">Ce panneau n’existe pas. Choisissez-en un dans le menu du portail.</p>
    </>
  );
}

/** The menu of the portal: its panels by group, a filter, the search. On a phone it folds up. */
function Rail({ current }: { current: string | undefined }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const [filter, setFilter] = useState('');
  const [isSearching, setSearching] = useState(false);
  const { key } = useLocation();
  const id = useId();
  // A choice was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what tells a new place
  useEffect(() => setUnfolded(false), [key]);
  useSearchKey(() => setSearching(true));

  const label = PANELS.find((panel) => panel.key === current)?.label ?? 'Menu du portail';
  return (
    <div className="rail">
      <button
        type="button"
        className="flex min-h-12 w-full items-center justify-between gap-2 font-semibold lg:hidden"
        aria-expanded={isUnfolded}
        aria-controls={id}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {label}
        <ChevronDown
          aria-hidden="true"
          className={`transition-transform ${isUnfolded ? 'rotate-180' : ''}`}
        />
      </button>
      <nav
        id={id}
        aria-label="Panneaux du portail"
        className={`flex-col gap-5 max-lg:py-3 lg:flex ${isUnfolded ? 'flex' : 'hidden'}`}
      >
        <button type="button" className="button quiet justify-between" onClick={() => setSearching(true)}>
          <span className="flex items-center gap-2">
            <Search aria-hidden="true" className="size-5" />
            Rechercher
          </span>
          <kbd className="hidden text-sm font-normal text-quiet lg:inline">{shortcut()}</kbd>
        </button>
        <input
          type="search"
          className="input"
          placeholder="Filtrer le menu"
          aria-label="Filtrer le menu"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Groups current={current} filter={filter} />
      </nav>
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
    </div>
  );
}

function Groups({ current, filter }: { current: string | undefined; filter: string }) {
  const found = PANELS.filter(({ label, group }) => folded(`${group} ${label}`).includes(folded(filter)));
  const groups = [...new Set(found.map(({ group }) => group))].map(
    (group) => [group, found.filter((panel) => panel.group === group)] as const,
  );
  if (groups.length === 0) return <p className="text-sm text-quiet">Aucun panneau ne porte ce nom.</p>;
  return groups.map(([group, panels]) => (
    <div key={group}>
      {group && <p className="mb-1 px-3 text-sm font-semibold text-quiet">{group}</p>}
      <ul aria-label={group || undefined}>
        {panels.map(({ key, label }) => (
          <li key={key}>
            <Link
              to={panelAddress(key)}
              ref={key === current ? showInRail : undefined}
              className="menu-link text-[0.9rem]"
              aria-current={key === current ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** Scrolls the rail to show a link, without scrolling the page. */
function showInRail(link: HTMLElement | null): void {
  const rail = link?.closest<HTMLElement>('.rail');
  if (!link || !rail || getComputedStyle(rail).position !== 'sticky') return;
  const { top, bottom } = link.getBoundingClientRect();
  const seen = rail.getBoundingClientRect();
  if (top < seen.top || bottom > seen.bottom) rail.scrollTop += top - seen.top - seen.height / 2;
}

/** Calls `open` on Ctrl K, or ⌘ K on a Mac, anywhere in the portal. */
function useSearchKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Not over another open dialog.
      if (!document.querySelector('dialog[open]')) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

function shortcut(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}
