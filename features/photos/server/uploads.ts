import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentPhoto } from '#features/photos/calls.ts';
import { PHOTO_BYTES, UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { requireOwnStay } from '#features/stays/server/staysStore.ts';
import { admit, refuseForeign } from '#platform/server/http/access.ts';
import { diskFull, invalid, tooLarge, unreadable } from '#platform/server/http/errors.ts';
import { check } from '#platform/server/http/problems.ts';
import type { Services } from '#platform/server/services.ts';
import { atMost } from '#platform/shared/bytes.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { noSuchUpload, stayOfUpload } from './core/uploads.ts';
import { openReceiver } from './receive.ts';
import type { Tus } from './tus.ts';

/*
 * The sending of photos, by the protocol of tus 1.0. Its library moves the bytes (`tus.ts`, which most starts do
 * without until the first photo comes); who may, what is refused, and how that is said are ours, as everywhere.
 */

const PATH = `${API_PREFIX}${UPLOAD_PATH}`;
const BYTES = 'application/offset+octet-stream';
/** What is left free for everything else, in parts of the disk. */
const FREE = 0.1;

/** Registers the sending of photos. */
export function servePhotoUploads(app: FastifyInstance, services: Services): void {
  const receive = openReceiver(services);
  let opened: Promise<Tus> | undefined;
  const tus = () => {
    opened ??= import('./tus.ts').then(({ openTus }) => openTus(services, PATH, receive));
    return opened;
  };

  async function create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { metadataOf, pass } = await tus();
    const sent = check(sentPhoto, metadataOf(request));
    requireOwnStay(request.session, sent.stageId);
    const bytes = lengthOf(request);
    const { free, total } = await services.staging.disk();
    if (free - bytes < total * FREE) throw diskFull();
    return pass(PATH, request, reply);
  }

  async function goOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { nom } = request.params as { nom: string };
    const { store, pass } = await tus();
    const { offset, size } = await store.getUpload(nom);
    // All has come, and whoever sent it was not told: what it became was never written.
    if (offset === size) {
      await receive(nom);
      reply.headers({ 'tus-resumable': '1.0.0', 'upload-offset': offset, 'upload-length': size });
      return reply.code(request.method === 'HEAD' ? 200 : 204).send();
    }
    return pass(`${PATH}/${nom}`, request, reply);
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
    scope.delete(`${PATH}/:nom`, named('DELETE'), async (request, reply) => {
      const { pass } = await tus();
      return pass(`${PATH}/${(request.params as { nom: string }).nom}`, request, reply);
    });
  });
}

/** 404 for that of another stay, as for one that is none. */
function requireOwnUpload({ session }: FastifyRequest, name: string): void {
  const stageId = stayOfUpload(name);
  if (stageId === undefined) throw noSuchUpload();
  if (session?.role !== 'admin' && session?.stageId !== stageId) throw noSuchUpload();
}

function lengthOf(request: FastifyRequest): number {
  const length = String(request.headers['upload-length'] ?? '');
  if (!/^\d{1,15}$/.test(length)) throw unreadable('La taille du fichier est attendue.');
  const bytes = Number(length);
  if (bytes === 0) throw invalid({ fichier: 'ce fichier est vide.' }, { fichier: 'Fichier' });
  if (bytes > PHOTO_BYTES) throw tooLarge(`Cette photo est trop lourde (${atMost(PHOTO_BYTES)}).`);
  return bytes;
}
