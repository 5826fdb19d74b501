import { PassThrough, Readable } from 'node:stream';
import { Metadata, Server } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, notNow, tooLarge, unreadable } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { outOfStep, UploadStore, uploadLocks } from './uploadsStore.ts';
import { newUploadName, noSuchUpload } from './uploadsUnderWay.ts';

/* The adapter between the tus library and the site's own requests and answers. */

export interface Tus {
  store: UploadStore;
  /** The metadata that a request gives of its file. */
  metadataOf(request: FastifyRequest): Record<string, string | null>;
  /** Passes a request to the library, and answers in the site's own form. */
  pass(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** `path`: where uploads are created; `receive`: called when the last byte of an upload has come. */
export function openTus(services: Services, path: string, receive: (id: string) => Promise<void>): Tus {
  const store = new UploadStore(services);
  const server = new Server({
    path,
    datastore: store,
    relativeLocation: true,
    locker: uploadLocks(),
    // The connection that is ended is one that a phone has lost; the bytes received by it are kept.
    lockDrainTimeout: 1,
    namingFunction: (_request, metadata) => newUploadName(Number(metadata?.stageId)),
    onUploadFinish: async (_request, { id }) => {
      await receive(id);
      return {};
    },
    onResponseError: (_request, error) => {
      throw error;
    },
  });
  return { store, metadataOf, pass: (...asked) => pass(server, ...asked) };
}

/** Request headers passed to the library. */
export const HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
] as const;

export function metadataOf(request: FastifyRequest): Record<string, string | null> {
  try {
    return Metadata.parse(String(request.headers['upload-metadata'] ?? ''));
  } catch {
    throw unreadable('Ce qui est dit du fichier n’est pas lisible.');
  }
}

export async function pass(
  server: Server,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const bytes = request.body instanceof Readable ? untilCut(request.body) : undefined;
  try {
    const answer = await server
      .handleWeb(
        new Request(`http://localhost${path}`, {
          method: request.method,
          headers: headersOf(request),
          ...(bytes ? { body: Readable.toWeb(bytes) as ReadableStream, duplex: 'half' as const } : {}),
        }),
      )
      .catch(asHttp);
    if (answer.status >= 400) throw httpError(answer.status);
    for (const [name, value] of answer.headers)
      if (!/^(access-control-|content-|cache-control)/.test(name)) reply.header(name, value);
    return reply.code(answer.status).send();
  } finally {
    // The rest of the body is read and discarded, or the answer would be lost.
    if (bytes) request.raw.unpipe(bytes).resume();
  }
}

export function headersOf(request: FastifyRequest): [string, string][] {
  return HEADERS.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}

/** The bytes up to the point where the connection was cut, without an error: they are kept, and continued from. */
export function untilCut(raw: Readable): PassThrough {
  const bytes = new PassThrough();
  const end = () => bytes.end();
  return raw.on('error', end).on('close', end).pipe(bytes);
}

/** Converts an error of the library, an object of its own with a status. */
export function asHttp(error: unknown): never {
  const { status_code: status } = error as { status_code?: number };
  throw status === undefined ? error : httpError(status);
}

export function httpError(status: number): HttpError {
  switch (status) {
    case 404:
    case 410:
      return noSuchUpload();
    case 409:
      return outOfStep();
    case 412:
      return new HttpError(412, 'La version 1.0.0 du protocole tus est attendue.');
    case 413:
      return tooLarge('Il est arrivé plus que la taille annoncée.');
    default:
      return status < 500 ? unreadable() : notNow();
  }
}
