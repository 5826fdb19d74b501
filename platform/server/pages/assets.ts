import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, etagOf, isUnchanged } from '#platform/server/http/cache.ts';
import { setPartHeaders } from '#platform/server/http/headers.ts';

/*
 * The built files for the browser, read into memory at the start with their compressed twins: a megabyte that saves a
 * disk read for every visitor. An address not in the list does not exist.
 */

interface Asset {
  type: string;
  body: Buffer;
  /** The body compressed; a short file has none. */
  twins: { br: Buffer; gzip: Buffer } | undefined;
  etag: string;
  isHashed: boolean;
}

export type Assets = ReadonlyMap<string, Asset>;

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  ico: 'image/x-icon',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
};

/** Reads the files of `directory` by web address (`/assets/home-1a2b.js`), except build manifests and unknown types. */
export function readAssets(directory: string): Assets {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = path.slice(directory.length).replaceAll('\\', '/');
    const type = TYPES[entry.name.slice(entry.name.lastIndexOf('.') + 1)];
    if (!type || address.startsWith('/.')) continue;
    const body = readFileSync(path);
    const isHashed = /^\/assets\/.*-[\w-]{8}\.\w+$/.test(address);
    assets.set(address, { type, body, twins: twinsOf(path), etag: etagOf(body), isHashed });
  }
  return assets;
}

function twinsOf(path: string): Asset['twins'] {
  if (!existsSync(`${path}.br`)) return undefined;
  return { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
}

/** Sends an asset and returns true; returns false when the address is none. */
export function sendAsset(
  assets: Assets,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const asset = assets.get(path);
  if (!asset) return false;
  // A drawing is a document when somebody opens it.
  if (!asset.type.startsWith('image/svg')) setPartHeaders(reply);
  reply
    .header('content-type', asset.type)
    .header('etag', asset.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', asset.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (isUnchanged(request.headers['if-none-match'], asset.etag)) {
    reply.code(304).send();
    return true;
  }
  const encoding = asset.twins && encodingFor(request.headers);
  if (encoding) reply.header('content-encoding', encoding);
  reply.send(encoding ? asset.twins?.[encoding] : asset.body);
  return true;
}
