import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { documentTitle } from '../../shared/page.ts';
import { useSite } from '../site.tsx';
import { pageAt } from './pages.tsx';

/** Does what a browser does with a new page when only the content changed: title, top, reading place. */
export function useArrival(): void {
  const { pathname } = useLocation();
  const site = useSite();
  const shown = useRef(pathname);
  useEffect(() => {
    // The first page came with its title, and the browser may be putting back where the person was.
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.title = documentTitle(pageAt(pathname).page.title, site);
    window.scrollTo(0, 0);
    document.getElementById('contenu')?.focus({ preventScroll: true });
  }, [pathname, site]);
}
