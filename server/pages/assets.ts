import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accepts, etagOf, isUnchanged } from '../http/kept.ts';

/*
 * The built files of the browser, read into memory at the start with their compressed twins: a megabyte that
 * spares every visitor a look at the disk. An address not in the list does not exist.
 */

interface Asset {
  type: string;
  body: Buffer;
  brotli: Buffer | undefined;
  gzip: Buffer | undefined;
  etag: string;
  isHashed: boolean;
}

export type Assets = ReadonlyMap<string, Asset>;

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
};

/** Reads `directory` by web address (`/assets/home-1a2b.js`); build manifests and unknown types stay out. */
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
    assets.set(address, {
      type,
      body,
      brotli: twin(path, 'br'),
      gzip: twin(path, 'gz'),
      etag: etagOf(body),
      isHashed,
    });
  }
  return assets;
}

function twin(path: string, extension: string): Buffer | undefined {
  const compressed = `${path}.${extension}`;
  return existsSync(compressed) ? readFileSync(compressed) : undefined;
}

/** Sends an asset and says true, or says false when the address is none. */
export function sendAsset(
  assets: Assets,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const asset = assets.get(path);
  if (!asset) return false;
  reply
    .header('content-type', asset.type)
    .header('etag', asset.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', asset.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (isUnchanged(request.headers['if-none-match'], asset.etag)) {
    reply.code(304).send();
    return true;
  }
  const accepted = request.headers['accept-encoding'] as string | undefined;
  const encoding =
    asset.brotli && accepts(accepted, 'br')
      ? 'br'
      : asset.gzip && accepts(accepted, 'gzip')
        ? 'gzip'
        : undefined;
  if (encoding) reply.header('content-encoding', encoding);
  reply.send(encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.body);
  return true;
}
