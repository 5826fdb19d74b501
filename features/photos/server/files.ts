import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { arePhotosOver } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { foreign, isForeign, presentedSessions } from '#platform/server/http/access.ts';
import { notFound, unauthorized } from '#platform/server/http/errors.ts';
import { type ByteRange, sendRanged } from '#platform/server/http/ranges.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { isSeen } from './core/seen.ts';
import type { Openings } from './openings.ts';

/** Names of files of photos, and of nothing that a database could choke on. */
const NAME = /^[\w.]{1,60}$/;

/** Registers `/api/photos/{file}`: every size of a photo, through one check, made again at each request. */
export function servePhotoFiles(app: FastifyInstance, services: Services, openings: Openings): void {
  app.route<{ Params: { file: string } }>({
    method: 'GET',
    url: `${PHOTO_FOLDER}:file`,
    config: { name: `GET ${PHOTO_FOLDER}:file` },
    handler: async (request, reply) => {
      if (isForeign(services, request)) throw foreign();
      const sessions = await presentedSessions(services, request);
      // Asked first, so that nobody without a session learns which names exist.
      if (sessions.length === 0) throw unauthorized();
      const file = await findFile(services.database.db, request.params.file);
      const session = file && sessions.find((one) => maySee(services, one, file));
      if (!file || !session) throw notFound();
      openings.note(file.photo_id, session.id, request.ip);
      return sendPhoto(services, request, reply, file);
    },
  });
}

type PhotoFile = NonNullable<Awaited<ReturnType<typeof findFile>>>;

async function findFile(db: Access, name: string) {
  if (!NAME.test(name)) return undefined;
  return db
    .selectFrom('fichiers')
    .innerJoin('photos', 'photos.id', 'fichiers.objet_id')
    .innerJoin('stages', 'stages.id', 'photos.stage_id')
    .select(['fichiers.nom', 'fichiers.dossier', 'fichiers.type', 'fichiers.taille'])
    .select(['photos.id as photo_id', 'photos.stage_id', 'photos.statut', 'photos.publiee_le'])
    .select(['stages.date_fin', 'stages.created_at', 'stages.conservation_jours'])
    .select(({ selectFrom }) =>
      selectFrom('reglages').select('valeur').where('cle', '=', 'photos_conservation_jours').as('days'),
    )
    .where('fichiers.nom', '=', name)
    .where('fichiers.dossier', '=', 'photos')
    .where('fichiers.objet', '=', 'photos')
    .executeTakeFirst();
}

function maySee({ config, clock }: Services, session: Session, file: PhotoFile): boolean {
  if (session.role === 'admin') return true;
  if (session.stageId !== file.stage_id) return false;
  const now = clock();
  const photos_conservation_jours = Number(file.days ?? config.PHOTO_RETENTION_DAYS);
  if (arePhotosOver(file, { photos_conservation_jours }, config, now)) return false;
  return session.role === 'director' || isSeen(file, now);
}

/** Of an address of the bucket, in seconds: a browser follows it at once, and whoever copies it is late. */
const LINK_SECONDS = 60;

async function sendPhoto(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  file: PhotoFile,
): Promise<FastifyReply> {
  reply
    .header('content-type', file.type)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Cookie, Authorization')
    .header('x-robots-tag', 'noindex, noimageindex');
  const { X_ACCEL_PREFIX, S3_DIRECT } = services.config;
  // The proxy answers ranges and tags by itself, from the file.
  if (X_ACCEL_PREFIX)
    return reply.header('x-accel-redirect', X_ACCEL_PREFIX + keyOf(file.dossier, file.nom)).send('');
  // Only what a page shows: a script or a download would be refused by the bucket, which is another origin.
  if (S3_DIRECT && services.storage.link && request.headers['sec-fetch-dest'] === 'image') {
    const key = keyOf(file.dossier, file.nom);
    return reply.redirect(await services.storage.link(key, file.type, LINK_SECONDS), 302);
  }
  return sendRanged(request, reply, {
    size: file.taille,
    etag: `"${file.nom.replace(/\..*$/, '')}"`,
    open: (range) => open(services, file, range),
  });
}

async function open(
  { storage, log }: Services,
  { dossier, nom }: PhotoFile,
  range: ByteRange | undefined,
): Promise<AsyncIterable<Buffer>> {
  try {
    return await storage.readPieces(keyOf(dossier, nom), range);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    // Replaced or erased since it was looked up, most likely.
    log.warn({ file: nom, folder: dossier }, 'a registered file is missing from storage');
    throw notFound();
  }
}
