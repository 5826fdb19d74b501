import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { documentTitle } from '../../shared/page.ts';
import { call } from '../api.ts';
import { useSite } from '../site.tsx';
import { pageAt } from './pages.tsx';

/** How far each page of this visit was scrolled, by the history's key, for the ways back and forth. */
const heights = new Map<string, number>();

/**
 * Does what a browser does with a new page when only the content changed: title, top of the page or the place
 * one comes back to, focus; and counts the view.
 */
export function useArrival(): void {
  const { pathname, search, key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const site = useSite();
  const answers = useQueryClient();
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
    const { page, place } = pageAt(pathname, search);
    document.title = documentTitle((page.about?.(place, answers) ?? page).title, site);
    window.scrollTo(0, isReturn ? (heights.get(key) ?? 0) : 0);
    document.getElementById('contenu')?.focus({ preventScroll: true });
  }, [address, pathname, search, key, isReturn, site, answers]);

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

  useEffect(() => {
    // Nobody is told when counting fails: it is no part of reading a page.
    call('POST /pages-vues', { body: { page: pathname } }).catch(() => {});
  }, [pathname]);
}
