import {
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import {
  createPath,
  NavigationType,
  type Navigator,
  Router,
  type To,
  useLocation,
  useNavigate,
} from 'react-router';
import { hasUnsaved, useConfirmLeaving } from './ui/dialogs.tsx';
import { follow, useIsInBrowser } from './ui/inBrowser.tsx';

/*
 * The history behind the router, in place of the one that `BrowserRouter` makes: it knows how far apart two entries
 * are, so that Back and Forward can be undone, and it takes entries that are no navigation.
 */

/** The state of each entry in the browser's history. */
interface Entry {
  /** Position among the pages visited in this tab. */
  place: number;
  /** Identifies the visit of the page, for the router; the entries of overlays have that of the page below. */
  key: string;
  /** What the page that led here gave to `navigate`. */
  state: unknown;
  /** Address of the page of this site that led here; undefined for the first of a visit. */
  from?: string | undefined;
}

/** The entry that is shown; set by `SiteRouter`. */
let current: Entry = { place: 0, key: '', state: null };
/** Renders the page of the current entry; set by `SiteRouter`. */
let show: (navigationType: NavigationType) => void = () => {};
/** Asks whether unsaved forms may be left; set while a page has `useLeaveGuard`. */
let confirmBack: (() => Promise<boolean>) | undefined;
/** True until the entry that somebody tried to leave is back. */
let isPuttingBack = false;
/** True until the entry that somebody has agreed to go to is there. */
let mayPass = false;

/** The router in a browser. */
export function SiteRouter({ children }: { children: ReactNode }) {
  const [page, setPage] = useState(() => {
    const { state } = window.history;
    current = isEntry(state) ? state : adopted(0);
    return pageShown(NavigationType.Pop);
  });
  useLayoutEffect(() => {
    show = (navigationType) => startTransition(() => setPage(pageShown(navigationType)));
    return follow(window, { popstate: onPop });
  }, []);
  return (
    <Router navigator={NAVIGATOR} location={page.location} navigationType={page.navigationType}>
      {children}
    </Router>
  );
}

function pageShown(navigationType: NavigationType) {
  const { pathname, search, hash } = window.location;
  return { location: { pathname, search, hash, key: current.key, state: current.state }, navigationType };
}

const NAVIGATOR: Navigator = {
  createHref: hrefOf,
  go: (steps) => window.history.go(steps),
  push(to, state) {
    const { pathname, search } = window.location;
    current = { place: current.place + 1, key: newKey(), state, from: pathname + search };
    try {
      window.history.pushState(current, '', hrefOf(to));
    } catch {
      // Browsers limit the entries that a page may add within a while.
      window.location.assign(hrefOf(to));
    }
    show(NavigationType.Push);
  },
  replace(to, state) {
    current = { ...current, key: newKey(), state };
    window.history.replaceState(current, '', hrefOf(to));
    show(NavigationType.Replace);
  },
};

function hrefOf(to: To): string {
  return typeof to === 'string' ? to : createPath(to);
}

function newKey(): string {
  return Math.random().toString(36).slice(2);
}

function isEntry(state: unknown): state is Entry {
  return typeof state === 'object' && state !== null && 'place' in state;
}

/** Gives its state to an entry without one: the first of a visit, or one added by a link to an anchor. */
function adopted(place: number): Entry {
  const entry = { place, key: newKey(), state: null };
  window.history.replaceState(entry, '');
  return entry;
}

/** Follows Back and Forward. A refused one is undone, and not passed on to the overlays that Back closes. */
function onPop(event: PopStateEvent): void {
  if (isPuttingBack) {
    isPuttingBack = false;
    event.stopImmediatePropagation();
    return;
  }
  const { state } = event;
  const steps = isEntry(state) ? state.place - current.place : 0;
  if (confirmBack && steps !== 0 && !mayPass && hasUnsaved()) {
    event.stopImmediatePropagation();
    isPuttingBack = true;
    window.history.go(-steps);
    confirmBack().then((isYes) => {
      if (!isYes) return;
      mayPass = true;
      window.history.go(steps);
    });
    return;
  }
  mayPass = false;
  current = isEntry(state) ? state : adopted(current.place + 1);
  show(NavigationType.Pop);
}

/** Address of the page of this site that led to this one, to which Back leads; undefined when none did. */
export function useCameFrom(): string | undefined {
  const { key } = useLocation();
  // The page that the server rendered does not know.
  const isInBrowser = useIsInBrowser();
  return isInBrowser && current.key === key ? current.from : undefined;
}

export function useSearch(): URLSearchParams {
  const { search } = useLocation();
  return useMemo(() => new URLSearchParams(search), [search]);
}

/** Adds an entry for an overlay over the page, which the page itself does not notice: Back takes it away. */
export function addOverlayEntry(): void {
  window.history.pushState(current, '');
}

/** Changes the address of the page without a navigation, until the next one. */
function replaceAddress(address: URL): void {
  window.history.replaceState(current, '', address);
}

/**
 * A text in the query of the address, and a function that changes it. The address changes without the router, for which
 * it would be a new page that takes the focus from the field. The change ends with the next navigation of the router,
 * even to the same panel.
 */
export function useInAddress(name: string): [string, (value: string) => void] {
  const { key } = useLocation();
  const inAddress = useSearch().get(name) ?? '';
  const [chosen, setChosen] = useState<{ key: string; value: string }>();
  const choose = (value: string) => {
    setChosen({ key, value });
    const address = new URL(window.location.href);
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
    replaceAddress(address);
  };
  return [chosen?.key === key ? chosen.value : inAddress, choose];
}

/** Asks for confirmation before a link, Back, Forward, a reload or a closed tab leaves an unsaved form. */
export function useLeaveGuard(): void {
  const confirmLeaving = useConfirmLeaving();
  const navigate = useNavigate();
  const ask = useEffectEvent(confirmLeaving);
  const go = useEffectEvent((link: HTMLAnchorElement) => navigate(link.pathname + link.search + link.hash));
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = leadingAway(event);
      if (!link || !hasUnsaved()) return;
      event.preventDefault();
      event.stopPropagation();
      ask().then((isYes) => {
        if (isYes) go(link);
      });
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    confirmBack = () => ask();
    // In the capture phase, before the link itself.
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      confirmBack = undefined;
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
}

/** Whether a click on a link asks for another tab or window. */
export function opensElsewhere(event: Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey;
}

/** The link of a plain click that would replace this page by another of the site. */
function leadingAway(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.altKey || opensElsewhere(event)) return undefined;
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return undefined;
  const isHere = link.pathname + link.search === window.location.pathname + window.location.search;
  return link.origin === window.location.origin && !isHere ? link : undefined;
}
