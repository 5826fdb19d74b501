import { createContext, useContext } from 'react';
import type { Site } from '../shared/page.ts';

const SiteContext = createContext<Site | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

/** What pages know of the site; the same values rendered the page on the server. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('no SiteProvider above');
  return site;
}
