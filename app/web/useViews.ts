import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { hasOptedOut, useOutside } from '#features/site/web/consent.ts';
import { call, tellOutside } from '#platform/web/api.ts';
import { pageAt } from './pages.tsx';

/** Counts a view at each change of path: here, and outside where the visitor agreed. */
export function useViews(): void {
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
