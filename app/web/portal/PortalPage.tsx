import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ProofDialogs } from '#features/accounts/web/ProofDialog.tsx';
import { SignInAgain } from '#features/accounts/web/SignIn.tsx';
import { NEEDS, type Need } from '#platform/shared/roles.ts';
import { CallError, onSessionEnded } from '#platform/web/api.ts';
import { sweepDrafts } from '#platform/web/drafts.ts';
import { useLeaveGuard } from '#platform/web/history.tsx';
import { type Panel, rightsToOpen } from '#platform/web/pages.tsx';
import {
  PortalSessionProvider,
  panelAddress,
  SESSION,
  useLeavePortal,
  useMay,
  usePortalSession,
} from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { readToken } from '#platform/web/session.ts';
import { useSite, useTitle } from '#platform/web/site.tsx';
import { useSearchKey } from '#platform/web/ui/dialogs.tsx';
import { ErrorBoundary } from '#platform/web/ui/ErrorBoundary.tsx';
import { follow } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { NoticeRegion } from '#platform/web/ui/notices.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { PhoneBar, PortalBar, PortalMenu } from './PortalFrame.tsx';
import { ITEM_PANELS, PANELS, STAY_TABS } from './panels.tsx';
import { SearchDialog } from './SearchDialog.tsx';

/** Apart, as the first page of the portal needs nothing of a stay's. */
const PortalStayPage = lazy(async () => ({
  default: (await import('./PortalStayPage.tsx')).PortalStayPage,
}));

/** The portal, shown once the server has accepted the token. */
export function PortalPage() {
  const { pathname, search } = useLocation();
  const hasToken = readToken('adminToken') !== null;
  const query = useQuestion(SESSION, { isAsked: hasToken });
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
      {({ username, droits: rights, facteur_avant: factorBefore }) => (
        <PortalSessionProvider value={{ username, rights, factorBefore }}>
          <PortalFrame />
        </PortalSessionProvider>
      )}
    </LoadState>
  );
}

/** The bar, the menu and the panel of the address; when the session has ended, a sign-in dialog over them. */
function PortalFrame() {
  const { pathname, search } = useLocation();
  const { username } = usePortalSession();
  const answers = useQueryClient();
  const leavePortal = useLeavePortal();
  const [hasEnded, setEnded] = useState(false);
  const [isSearching, setSearching] = useState(false);
  useSearchKey(() => setSearching(true));
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
    return follow(window, { storage: onStorage, pageshow: onShow });
  });
  useEffect(() => {
    // After sign-in the focus was in its form, which is gone.
    if (document.activeElement === document.body) document.getElementById('contenu')?.focus();
  }, []);

  const may = useMay();
  const { panel, page, rights, parent } = shownAt(pathname, search);
  const closedBy = may(rights) ? undefined : rights;
  useTitle(panel?.label);
  return (
    <>
      <PortalBar username={username} onSearch={() => setSearching(true)} />
      <NoticeRegion />
      <div className="portal">
        <PortalMenu current={parent ?? panel} />
        <main id="contenu" tabIndex={-1} className="w-full min-w-0 px-4 pt-4 pb-8 sm:px-8">
          <FactorWanted />
          {parent && (
            <p>
              <Link className="inline-flex min-h-11 items-center" to={panelAddress(parent.key)}>
                {parent.label}
              </Link>
            </p>
          )}
          <ErrorBoundary key={pathname + search}>
            <Suspense fallback={<p className="well">Chargement…</p>}>
              {closedBy ? <ClosedPanel rights={closedBy} /> : page}
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <PhoneBar current={parent ?? panel} onSearch={() => setSearching(true)} />
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
      <ProofDialogs />
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
    </>
  );
}

interface Shown {
  panel: Panel | undefined;
  /** The panel that stands for it in the menu, when that is another one. */
  parent?: Panel | undefined;
  page: ReactNode;
  /** The rights of which one opens it; undefined: it is open to all staff. */
  rights: readonly Need[] | undefined;
}

/** What an address shows, to those who may see it. */
function shownAt(pathname: string, search: string): Shown {
  const panelOf = (wanted: string | undefined) => PANELS.find(({ key }) => key === wanted);
  const at = (panel: Panel | undefined, page: ReactNode, rights = panel && rightsToOpen(panel)) => ({
    panel,
    page,
    rights,
    parent: panelOf(panel?.within),
  });
  const query = new URLSearchParams(search);
  const item = ITEM_PANELS.find(({ path }) => pathname.startsWith(`${path}/`));
  const tab = item && STAY_TABS.find(({ key }) => key === item.panel);
  if (item && tab) {
    const id = Number(pathname.slice(item.path.length + 1));
    const page = <PortalStayPage id={id} tab={tab.key} Component={item.Component} />;
    return at(panelOf('sejours'), page, [tab.right ?? 'sejours']);
  }
  if (item) {
    const shown = at(panelOf(item.panel), <item.Component />);
    return { ...shown, parent: shown.parent ?? shown.panel };
  }
  const panel = panelOf(query.get('panneau') ?? PANELS[0]?.key);
  const stay = query.get('sejour') ?? '';
  if (panel?.key === 'sejours' && /^\d+$/.test(stay))
    return at(panel, <PortalStayPage id={Number(stay)} tab={query.get('onglet') ?? 'reglages'} />);
  return at(panel, panel ? <panel.Component /> : <UnknownPanel />);
}

/** Over every panel while the account lacks a second factor that is compulsory. */
function FactorWanted() {
  const { factorBefore, rights } = usePortalSession();
  const { locale, timeZone } = useSite();
  if (factorBefore === null) return null;
  // The server takes the rights away, by its own clock.
  const isLate = rights.length === 0;
  const day = dayOf(factorBefore, locale, timeZone);
  return (
    <p className="well mb-6 max-w-3xl">
      {isLate
        ? 'Votre compte attend une clé d’accès ou la connexion en deux étapes\u202f: tant qu’elle manque, il n’a aucun droit. '
        : `D’ici le ${day}, mettez en place une clé d’accès ou la connexion en deux étapes\u202f: ensuite, votre compte n’aura plus aucun droit sans elle. `}
      <Link to={panelAddress('compte')}>Ouvrir «&nbsp;Mon compte&nbsp;»</Link>
    </p>
  );
}

/** In place of what the account may not see. */
function ClosedPanel({ rights }: { rights: readonly Need[] }) {
  return (
    <>
      <h1>Ce panneau ne vous est pas ouvert</h1>
      <p className="mt-4 max-w-2xl">
        {rights.includes('tous')
          ? 'Il demande tous les droits. Une personne qui les a peut vous les donner, dans «\u00a0Administrateurs\u00a0».'
          : `Il demande le droit «\u00a0${rights.map((need) => NEEDS[need]).join('\u00a0» ou «\u00a0')}\u00a0». Une personne qui gère les comptes peut vous le donner, dans «\u00a0Administrateurs\u00a0».`}
      </p>
    </>
  );
}

function UnknownPanel() {
  return (
    <>
      <h1>Panneau inconnu</h1>
      <p className="mt-4">Ce panneau n’existe pas. Choisissez-en un dans le menu du portail.</p>
    </>
  );
}
