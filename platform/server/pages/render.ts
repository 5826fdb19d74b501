import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '#platform/server/errors.ts';
import { compressed, encodingFor } from '#platform/server/http/cache.ts';
import {
  documentTitle,
  type PageData,
  type PageRequest,
  type PageResult,
  type Question,
  type Site,
} from '#platform/shared/page.ts';
import { escapeHtml, jsonForScript } from './html.ts';

/** The built rendering function of the web: from an address to a page. */
type Render = (request: PageRequest) => Promise<PageResult>;

interface ManifestChunk {
  file: string;
  imports?: string[];
}

/** The fonts that every page uses, by the end of their source's name. */
const FONTS = ['figtree-french.woff2', 'bricolage-french.woff2'];

export interface Pages {
  /** Address of the stylesheet, for pages made without React. */
  stylesheet: string;
  /** Addresses of the pages that search engines should index, except those of single items. */
  indexedPaths: readonly string[];
  send(request: FastifyRequest, reply: FastifyReply, site: Site, ask: Asked): Promise<FastifyReply>;
}

interface Asked extends Pick<PageRequest, 'findVisitors'> {
  /** Answers a question as for a visitor; throws `HttpError` 404 when the item does not exist. */
  load(question: Question): Promise<unknown>;
}

/** The first script of a page, and what it starts. */
const BOOT = 'app/web/boot.ts';
const ENTRY = 'app/web/entry-browser.tsx';

export async function openPages(dist: string): Promise<Pages> {
  const manifest: Record<string, ManifestChunk> = JSON.parse(
    readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8'),
  );
  const { render, indexedPaths } = (await import(
    pathToFileURL(join(dist, 'server/entry-server.js')).href
  )) as { render: Render; indexedPaths: readonly string[] };
  const entry = manifest[ENTRY];
  const boot = manifest[BOOT];
  if (!entry || !boot) throw new Error(`The build has no ${BOOT}`);
  const stylesheet = `/${manifest['style.css']?.file ?? ''}`;
  const fonts = Object.entries(manifest).flatMap(([source, { file }]) =>
    FONTS.some((name) => source.endsWith(name)) ? [`/${file}`] : [],
  );

  const turn = openTurnsOfLoop();

  return {
    stylesheet,
    indexedPaths,
    async send(request, reply, site, { load, findVisitors }) {
      const encoding = encodingFor(request.headers);
      const logged =
        (ask: PageRequest['load']): PageRequest['load'] =>
        async (question) => {
          try {
            return await ask(question);
          } catch (error) {
            if (error instanceof HttpError && error.status === 404) return undefined;
            // The page is shown without it and the browser asks again; the cause must not be lost.
            request.log.error(
              { err: error, requestId: request.id, call: question.key },
              'a page lacks an answer',
            );
            throw error;
          }
        };
      const page = await render({
        url: request.url,
        site,
        load: logged(load),
        turn,
        async findVisitors(stageId) {
          const visitors = await findVisitors(stageId);
          return visitors.map((visitor) => ({ ...visitor, load: logged(visitor.load) }));
        },
      });
      const isVisited = page.visits.length > 0;
      const html = documentOf(page, site, modulesOf(manifest, entry, page.modules), {
        stylesheet,
        fonts,
        script: `/${boot.file}`,
      });
      const body = Buffer.from(html);
      const sent = encoding ? await compressed(body, encoding) : body;
      return sendPage(reply, page.status, sent, encoding, isVisited);
    },
  };
}

/** Returns a function that resolves for one caller in each turn of the event loop: others are answered in between. */
function openTurnsOfLoop(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

function sendPage(
  reply: FastifyReply,
  status: number,
  body: Buffer,
  encoding: ReturnType<typeof encodingFor>,
  isVisited = false,
): FastifyReply {
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', isVisited ? 'private, no-store' : 'no-cache')
    .header('vary', `accept-encoding, accept-language${isVisited ? ', cookie' : ''}`)
    .send(body);
}

/** Every script that the page needs, each after its own imports; the entry comes last. */
function modulesOf(
  manifest: Record<string, ManifestChunk>,
  entry: ManifestChunk,
  modules: readonly string[],
): string[] {
  const seen = new Set<ManifestChunk>();
  const filesOf = (chunk: ManifestChunk | undefined): string[] => {
    if (!chunk || seen.has(chunk)) return [];
    seen.add(chunk);
    return [...(chunk.imports ?? []).flatMap((name) => filesOf(manifest[name])), `/${chunk.file}`];
  };
  const ofPage = modules.flatMap((module) => {
    if (!manifest[module]) throw new Error(`The build has no ${module}`);
    return filesOf(manifest[module]);
  });
  return [...ofPage, ...filesOf(entry)];
}

function documentOf(
  page: PageResult,
  site: Site,
  modules: string[],
  { stylesheet, fonts, script }: { stylesheet: string; fonts: string[]; script: string },
): string {
  const data: PageData = {
    site,
    answers: page.answers,
    visits: page.visits.length > 0 ? page.visits : undefined,
  };
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${escapeHtml(documentTitle(page.title, site))}</title>
<meta name="description" content="${escapeHtml(page.description)}">
${addressHead(page, site)}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<script type="module" async fetchpriority="high" id="boot" src="${script}" data-modules="${modules.join(' ')}"></script>
<link rel="stylesheet" href="${stylesheet}">
${fonts.map((file) => `<link rel="preload" href="${file}" as="font" type="font/woff2" crossorigin>`).join('\n')}
</head>
<body>
<div id="root">${page.html}</div>
<script type="application/json" id="page-data">${jsonForScript(data)}</script>
</body>
</html>`;
}

/** True once `dist` holds a finished build. */
export function isBuilt(dist: string): boolean {
  return (
    existsSync(join(dist, 'client/.vite/manifest.json')) && existsSync(join(dist, 'server/entry-server.js'))
  );
}

/** The first locale of `Accept-Language` that this runtime can write dates in; French when none is. */
export function localeOf(acceptLanguage: string | undefined): string {
  for (const part of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const tag = part.split(';')[0]?.trim() ?? '';
    if (!/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$/.test(tag)) continue;
    const known = supported(tag);
    if (known) return known;
  }
  return 'fr-FR';
}

/** The tag in the form that this runtime supports; what looks like a tag may be invalid, which throws. */
function supported(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
}

/** Shown with pages that have no picture of their own; made by tools/share-picture.mjs. */
const SHARED_PICTURE = { address: '/partage.png', width: '1200', height: '630' };

/** The part of a page's head for search engines and sharing: its address and preview, or `noindex`. */
function addressHead(page: PageResult, site: Site): string {
  if (page.address === undefined) return '<meta name="robots" content="noindex">';
  const url = escapeHtml(site.publicUrl + page.address);
  const siteName = documentTitle('', site);
  const properties: Record<string, string> = {
    'og:title': page.title || siteName,
    'og:description': page.description,
    'og:type': page.isItem ? 'article' : 'website',
    'og:site_name': siteName,
    'og:locale': 'fr_FR',
    'og:image': site.publicUrl + (page.picture ?? SHARED_PICTURE.address),
  };
  if (page.picture === undefined) {
    properties['og:image:width'] = SHARED_PICTURE.width;
    properties['og:image:height'] = SHARED_PICTURE.height;
  }
  return [
    `<link rel="canonical" href="${url}">`,
    `<meta property="og:url" content="${url}">`,
    ...Object.entries(properties).map(
      ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n');
}
