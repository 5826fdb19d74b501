import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { documentTitle } from '#platform/shared/page.ts';
import { useSite } from './site.tsx';

/** Puts in the title bar what a page only knows once its answer has come. */
export function useTitle(title: string | undefined): void {
  const site = useSite();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frame writes a title at each new place
  useEffect(() => {
    if (title !== undefined) document.title = documentTitle(title, site);
  }, [title, site, key]);
}
