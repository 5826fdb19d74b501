import type { CallKey } from '#platform/shared/call.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import type { ClockChanges } from '#platform/shared/time.ts';

/*
 * The interface between the server and the code that renders pages: the server asks for the page of an address, and
 * the page asks the server for the answers to the calls that it names.
 */

/** What pages need to know of the site, the same in the server's rendering and in the browser. */
export interface Site {
  organisation: string;
  /** Version, width and height of the picture in place of the drawn mark; blank: there is none. */
  logo: string;
  /** Address of the site, without a trailing slash. */
  publicUrl: string;
  /** Address of the job offers; when blank, the link is not shown. */
  jobOffersUrl: string;
  /** Outside services that draw the visit counter, with its parameters, and receive page views; blank for the site's own only. */
  counterUrl: string;
  analyticsUrl: string;
  /** The visitor's locale for dates, chosen once by the server so that both sides agree. */
  locale: string;
  timeZone: string;
  /** Of the years around this one: a phone takes a tenth of a second to learn them from `Intl`. */
  clockChanges: ClockChanges;
  /** The day, in the site's time zone, when the page was rendered; decides what is past on both sides. */
  today: string;
}

/** The parameters that the site has always sent to its visit counter; the built-in one draws the same digits. */
export const COUNTER_QUERY = 'page=site&style=passerelle&nbdigits=5&type=page&initCount=0';

/** A call whose answer a page needs; also identifies that answer in the cache. */
export interface Question {
  key: CallKey;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
}

/** Description of a page for title bars, search engines and previews of shared links. */
export interface About {
  title: string;
  description: string;
  /** Path of its own picture; a page without one uses the site's picture. */
  picture?: string | undefined;
}

export interface PageRequest {
  /** Path and query of the address. */
  url: string;
  site: Site;
  /** Answers a call as for an anonymous visitor; undefined for a 404. */
  load(question: Question): Promise<unknown>;
  /**
   * Who opens a page of stays, by the cookies of their sign-ins, each to its own stay: that of `stageId`; without one,
   * every stay to which they are signed in as a family. Empty for anybody else.
   */
  findVisitors(stageId: number | undefined): Promise<readonly Visitor[]>;
  /** Resolves when it is this page's turn to be drawn, which keeps everything else waiting. */
  turn(): Promise<void>;
}

/** Whoever is signed in to a stay of a page. */
export interface Visitor {
  stageId: number;
  role: PasswordType;
  /** Answers a call as to them; throws what the call throws. */
  load(question: Question): Promise<unknown>;
}

/** What a page behind a sign-in holds of a stay when it was rendered for whoever is signed in to that. */
export interface VisitData {
  stageId: number;
  role: PasswordType;
  /** In which role the page asks its questions. */
  as: string;
  /** When it was rendered, in ms since 1970. */
  at: number;
  /** The answers by question, as given to them. */
  answers: Record<string, unknown>;
}

export interface PageResult extends About {
  status: 200 | 404 | 503;
  /**
   * Its canonical path, whatever address was requested; undefined for pages that search engines must not index.
   */
  address: string | undefined;
  /** True when the page shows one item, which its title and description are about. */
  isItem: boolean;
  /** Content of the root element. */
  html: string;
  /** The answers by question, sent to the browser so that it does not fetch them again. */
  answers: Record<string, unknown>;
  /** Not empty when the page was rendered for one visitor: nobody may keep it, or give it to somebody else. */
  visits: readonly VisitData[];
  /** Source files of the page's own chunk, to be preloaded. */
  modules: string[];
}

/** The data block of a page, read by the browser for hydration. */
export interface PageData {
  site: Site;
  answers: Record<string, unknown>;
  /** Absent from pages that were rendered for everybody. */
  visits?: readonly VisitData[] | undefined;
}

/** The text of the title bar: the page, then the site. */
export function documentTitle(page: string, { organisation }: Pick<Site, 'organisation'>): string {
  return [page, 'Portail CSE', organisation].filter((part) => part !== '').join(' — ');
}

/** The name of an answer in the page's data block and in the cache. */
export function questionName({ key, params, query }: Question): string {
  const part = (values: Record<string, unknown> | undefined) =>
    Object.entries(values ?? {})
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  return [key, part(params), part(query)].join(' ').trim();
}
