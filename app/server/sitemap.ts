import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listPublished } from '#features/content/server/store.ts';
import { KINDS } from '#features/content/shared/kinds.ts';
import { etagOf } from '#platform/server/http/cache.ts';
import { sendBytes } from '#platform/server/http/serve.ts';
import { escapeHtml } from '#platform/server/pages/html.ts';
import type { Services } from '#platform/server/services.ts';

/* The two files that search engines ask for first: robots.txt and sitemap.xml. */

/**
 * Address prefixes closed to crawlers: those for programs, and private files. Pages that must not be indexed are not
 * listed, as crawlers have to read them to see that; nor are pictures, which previews of shared pages need.
 */
const CLOSED = ['/api/api/', '/api/docs', '/api/doc_stage_formateur/'];
/** Largest number of addresses that search engines read in one sitemap. */
const MAP_MAX = 50_000;

/** Serves /robots.txt, and /sitemap.xml with `paths` and every published item that has a page. */
export function serveDiscovery(app: FastifyInstance, services: Services, paths: readonly string[]): void {
  app.get('/robots.txt', { config: { name: 'GET /robots.txt' } }, async (request, reply) => {
    const rules = ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`)];
    const text = [...rules, '', `Sitemap: ${services.publicUrl}/sitemap.xml`, ''].join('\n');
    return sendText('text/plain; charset=utf-8', text, request, reply);
  });
  app.get('/sitemap.xml', { config: { name: 'GET /sitemap.xml' } }, async (request, reply) =>
    sendText('application/xml; charset=utf-8', await drawMap(services, paths), request, reply),
  );
}

async function drawMap(services: Services, paths: readonly string[]): Promise<string> {
  const entries = paths.map((path) => entry(services.publicUrl + path));
  for (const kind of KINDS) {
    const { seenAt } = kind.byId;
    if (!seenAt) continue;
    const rows = await listPublished(services.database.db, kind, services.clock(), MAP_MAX - entries.length);
    entries.push(
      ...rows.map(({ id, modifie_le }) => entry(`${services.publicUrl}${seenAt}${id}`, modifie_le)),
    );
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

function entry(address: string, modified?: string): string {
  const lastmod = modified === undefined ? '' : `<lastmod>${modified}</lastmod>`;
  return `<url><loc>${escapeHtml(address)}</loc>${lastmod}</url>`;
}

function sendText(
  type: string,
  text: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = Buffer.from(text);
  return sendBytes(200, body, etagOf(body), request, reply.type(type));
}
