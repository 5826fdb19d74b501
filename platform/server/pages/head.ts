import { documentTitle, type PageResult, type Site } from '#platform/shared/page.ts';
import { escapeHtml } from './html.ts';

/** Shown with pages that have no picture of their own; made by tools/share-picture.mjs. */
const SHARED_PICTURE = { address: '/partage.png', width: '1200', height: '630' };

/** What the head of a page says to search engines and sharers: its address and its looks, or to leave it out. */
export function addressHead(page: PageResult, site: Site): string {
  if (page.address === undefined) return '<meta name="robots" content="noindex">';
  const url = escapeHtml(site.publicUrl + page.address);
  const siteName = documentTitle('', site);
  const looks = {
    'og:title': page.title || siteName,
    'og:description': page.description,
    'og:type': page.isItem ? 'article' : 'website',
    'og:site_name': siteName,
    'og:locale': 'fr_FR',
    'og:image': site.publicUrl + (page.picture ?? SHARED_PICTURE.address),
    ...(page.picture === undefined
      ? { 'og:image:width': SHARED_PICTURE.width, 'og:image:height': SHARED_PICTURE.height }
      : {}),
  };
  return [
    `<link rel="canonical" href="${url}">`,
    `<meta property="og:url" content="${url}">`,
    ...Object.entries(looks).map(
      ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n');
}
