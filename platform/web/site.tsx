import { createContext, useContext } from 'react';
import type { Site } from '#platform/shared/page.ts';

interface KnownSite extends Site {
  /** Shows at once what staff have just changed; other visits get it with their next page. */
  update(change: Partial<Site>): void;
}

const SiteContext = createContext<KnownSite | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

/** What pages know of the site; the same values rendered the page on the server. */
export function useSite(): KnownSite {
  const site = useContext(SiteContext);
  if (!site) throw new Error('no SiteProvider above');
  return site;
}
