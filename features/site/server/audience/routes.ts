import type { Handlers } from '#platform/server/http/serve.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { drawCounter } from './counter.ts';
import type { Views } from './views.ts';

/** First parts of the addresses of public pages; the front page has none. */
const PAGES = [
  '',
  'a-propos',
  'membres',
  'Evenements',
  'event-detail',
  'une-details',
  'avantages',
  'avantage-detail',
  'compte-rendus',
  'mentions-legales',
  'politique-confidentialite',
  'politique-photos',
  'accessibilite',
  'connexion',
];
const OTHER = 'autre';
const WHOLE_SITE = 'site';

type AudienceKeys = Extract<CallKey, `${string} /${'compteur.svg' | 'pages-vues'}`>;

export function audienceHandlers(views: Views): Pick<Handlers, AudienceKeys> {
  return {
    'GET /compteur.svg': async ({ query }) => {
      const page = query.page === WHOLE_SITE ? undefined : pageOf(query.page);
      return drawCounter((await views.total(page)) + query.initCount, query.nbdigits);
    },
    'POST /pages-vues': async ({ body, hasOptedOut }) => {
      if (hasOptedOut) return { message: 'Vue non comptée, comme votre navigateur le demande' };
      views.count(pageOf(body.page));
      return { message: 'Vue comptée' };
    },
  };
}

/**
 * The name under which views of an address are counted. Ids are left out: what somebody reads is nobody's
 * business; and whatever is not a page is one name, so that nobody fills the table with invented ones.
 */
function pageOf(address: string): string {
  const first = (/^\/?([^/?#]*)/.exec(address)?.[1] ?? '').toLowerCase();
  return PAGES.find((page) => page.toLowerCase() === first) ?? OTHER;
}
