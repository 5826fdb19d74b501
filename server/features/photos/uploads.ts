import { PassThrough, Readable } from 'node:stream';
import { Metadata, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { atMost } from '../../../shared/bytes.ts';
import { sentPhoto } from '../../../shared/photos/photos.ts';
import { PHOTO_BYTES, UPLOAD_PATH } from '../../../shared/photos/terms.ts';
import { API_PREFIX } from '../../../shared/route.ts';
import { admit, refuseForeign } from '../../http/access.ts';
import { diskFull, HttpError, invalid, notNow, tooLarge, unreadable } from '../../http/errors.ts';
import { check } from '../../http/problems.ts';
import { newUploadName, noSuchUpload, stayOfUpload } from '../../photos/uploads.ts';
import type { Services } from '../../services.ts';
import { requireOwnStay } from '../../stays.ts';
import { openReceiver } from './receive.ts';
import { outOfStep, UploadStore, uploadLocks } from './uploadStore.ts';

/*
 * The sending of photos, by the protocol of tus 1.0. Its library moves the bytes; who may, what is refused, and how
 * that is said are ours, as everywhere.
 */

const PATH = `${API_PREFIX}${UPLOAD_PATH}`;
const BYTES = 'application/offset+octet-stream';
/** What the library is told of a request. */
const HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
] as const;
/** What is left free for everything else, in parts of the disk. */
const FREE = 0.1;

/** Registers the sending of photos. */
export function servePhotoUploads(app: FastifyInstance, services: Services): void {
  const store = new UploadStore(services);
  const receive = openReceiver(services);
  const tus = new Server({
    path: PATH,
    datastore: store,
    relativeLocation: true,
    locker: uploadLocks(),
    // The line that is given up is one that a phone has lost: what came by it is kept.
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

  async function create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sent = check(sentPhoto, metadataOf(request));
    requireOwnStay(request.session, sent.stageId);
    const bytes = lengthOf(request);
    const { free, total } = await services.staging.disk();
    if (free - bytes < total * FREE) throw diskFull();
    return pass(tus, PATH, request, reply);
  }

  async function goOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { nom } = request.params as { nom: string };
    const { offset, size } = await store.getUpload(nom);
    // All has come, and whoever sent it was not told: what it became was never written.
    if (offset === size) {
      await receive(nom);
      reply.headers({ 'tus-resumable': '1.0.0', 'upload-offset': offset, 'upload-length': size });
      return reply.code(request.method === 'HEAD' ? 200 : 204).send();
    }
    return pass(tus, `${PATH}/${nom}`, request, reply);
  }

  app.register(async (scope) => {
    scope.addContentTypeParser(BYTES, (_request, bytes, done) => done(null, bytes));
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      refuseForeign(services, request);
      request.session = await admit(services, request, { access: ['admin', 'director'] });
      if (request.headers['x-http-method-override'] !== undefined) throw unreadable();
      const { nom } = request.params as { nom?: string };
      if (nom !== undefined) requireOwnUpload(request, nom);
    });
    const named = (method: string) => ({ config: { name: `${method} ${UPLOAD_PATH}` } });
    scope.post(PATH, named('POST'), create);
    scope.head(`${PATH}/:nom`, named('HEAD'), goOn);
    scope.patch(`${PATH}/:nom`, named('PATCH'), goOn);
    scope.delete(`${PATH}/:nom`, named('DELETE'), (request, reply) =>
      pass(tus, `${PATH}/${(request.params as { nom: string }).nom}`, request, reply),
    );
  });
}

/** 404 for that of another stay, as for one that is none. */
function requireOwnUpload({ session }: FastifyRequest, name: string): void {
  const stageId = stayOfUpload(name);
  if (stageId === undefined) throw noSuchUpload();
  if (session?.role !== 'admin' && session?.stageId !== stageId) throw noSuchUpload();
}

function metadataOf(request: FastifyRequest): Record<string, string | null> {
  try {
    return Metadata.parse(String(request.headers['upload-metadata'] ?? ''));
  } catch {
    throw unreadable('Ce qui est dit du fichier n’est pas lisible.');
  }
}

function lengthOf(request: FastifyRequest): number {
  const length = String(request.headers['upload-length'] ?? '');
  if (!/^\d{1,15}$/.test(length)) throw unreadable('La taille du fichier est attendue.');
  const bytes = Number(length);
  if (bytes === 0) throw invalid({ fichier: 'ce fichier est vide.' }, { fichier: 'Fichier' });
  if (bytes > PHOTO_BYTES) throw tooLarge(`Cette photo est trop lourde (${atMost(PHOTO_BYTES)}).`);
  return bytes;
}

/** Lets the library do its work, and answers in our own form. */
async function pass(
  tus: Server,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const bytes = request.body instanceof Readable ? untilCut(request.body) : undefined;
  try {
    const answer = await tus
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
    // What is not wanted any longer is read all the same, or the answer would be lost.
    if (bytes) request.raw.unpipe(bytes).resume();
  }
}

function headersOf(request: FastifyRequest): [string, string][] {
  return HEADERS.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}

/** The bytes up to where the line was cut: what has come is kept, and gone on from. */
function untilCut(raw: Readable): PassThrough {
  const bytes = new PassThrough();
  const end = () => bytes.end();
  return raw.on('error', end).on('close', end).pipe(bytes);
}

/** What the library throws is an object of its own, with a status. */
function asHttp(error: unknown): never {
  const { status_code: status } = error as { status_code?: number };
  throw status === undefined ? error : httpError(status);
}

function httpError(status: number): HttpError {
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
