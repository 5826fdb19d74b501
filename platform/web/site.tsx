import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { documentTitle, type Site } from '#platform/shared/page.ts';
import { createNeeded } from './needed.ts';

interface KnownSite extends Site {
  /** Shows at once what staff have just changed; other visitors get it with their next page load. */
  update(change: Partial<Site>): void;
}

/** What pages know of the site, with the same values as in the server's rendering. */
export const [SiteProvider, useSite] = createNeeded<KnownSite>('SiteProvider');

/** The mark of the site, beside its name: the drawn one, or the logo of the organisation. */
export function SiteMark({ title = '' }: { title?: string }) {
  const [version, width = 40, height = 40] = useSite().logo.split(' ');
  const src = version ? `/api/api/logo.webp?v=${version}` : '/icon.svg';
  return <img {...{ src, width, height, title }} alt={title} className="site-mark" />;
}

/** The name of the site in a bar, with its organisation under it. */
export function SiteName() {
  const { organisation } = useSite();
  return (
    <>
      Portail CSE
      {organisation && (
        <span className="block truncate font-text text-sm font-normal text-quiet">{organisation}</span>
      )}
    </>
  );
}

/** Sets the title of a page that knows it only once its answer has come. */
export function useTitle(title: string | undefined): void {
  const site = useSite();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frame writes a title at each new place
  useEffect(() => {
    if (title !== undefined) document.title = documentTitle(title, site);
  }, [title, site, key]);
}
