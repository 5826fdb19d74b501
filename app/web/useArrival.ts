import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { documentTitle } from '#platform/shared/page.ts';
import { useSite } from '#platform/web/site.tsx';
import { pageAt } from './pages.tsx';

/** How far each page of this visit was scrolled, by the history's key, for the ways back and forth. */
const heights = new Map<string, number>();

/**
 * Does what a browser does with a new page when only the content changed: title, top of the page or the place
 * one comes back to, focus.
 */
export function useArrival(): void {
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
