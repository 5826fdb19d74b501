import type { CallKey } from '#platform/shared/call.ts';

/*
 * What the server and the rendering half of the web say to each other: the server asks for a page by its
 * address, the page asks the server for the answers of calls that it names.
 */

/** What pages need to know of the site, the same in the server's rendering and in the browser. */
export interface Site {
  organisation: string;
  /** Address of the site, without a trailing slash. */
  publicUrl: string;
  /** Blank: the link is not shown. */
  jobOffersUrl: string;
  /** Where the visit counter is drawn and page views are told, outside the site; blank: here only. */
  counterUrl: string;
  analyticsUrl: string;
  /** The visitor's locale for dates, chosen once by the server so that both sides agree. */
  locale: string;
  timeZone: string;
  /** The day on the clocks of the site when the page was made, which decides what is past on both sides. */
  today: string;
}

/** A call that a page needs, as its data's key. */
export interface Question {
  key: CallKey;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
}

/** What a page says of itself to title bars, search engines and whoever shares it. */
export interface About {
  title: string;
  description: string;
  /** Address of its own picture, below the site's; a page without one shows the site's. */
  picture?: string | undefined;
}

export interface PageRequest {
  /** Path and query of the address. */
  url: string;
  site: Site;
  /** Answers a call as an anonymous visitor would get it; undefined when it is a 404. */
  load(question: Question): Promise<unknown>;
}

export interface PageResult extends About {
  status: 200 | 404 | 503;
  /**
   * Its own address below the site's, however it was asked for; undefined for what search engines leave out.
   */
  address: string | undefined;
  /** It shows one thing, and speaks of that thing. */
  isItem: boolean;
  /** What stands inside the root element. */
  html: string;
  /** The answers by question, handed to the browser so that nothing is asked twice. */
  answers: Record<string, unknown>;
  /** Sources of the page's own chunk, by their place in the web folder, to be preloaded. */
  modules: string[];
}

/** The data block of a page, read by the browser when it takes over. */
export interface PageData {
  site: Site;
  answers: Record<string, unknown>;
}

/** What stands in the title bar: the page, then the site. */
export function documentTitle(page: string, { organisation }: Pick<Site, 'organisation'>): string {
  return [page, 'Portail CSE', organisation].filter((part) => part !== '').join(' — ');
}

/** The name under which an answer is handed over and cached. */
export function questionName({ key, params, query }: Question): string {
  const part = (values: Record<string, unknown> | undefined) =>
    Object.entries(values ?? {})
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  return [key, part(params), part(query)].join(' ').trim();
}
