import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { arePhotosOver } from '#features/stays/server/staysStore.ts';
import { openTurns } from '#platform/server/concurrency.ts';
import { jsonRows } from '#platform/server/db/json.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { foreign, isForeign, presentedSessions } from '#platform/server/http/access.ts';
import { type ByteRange, sendRanged } from '#platform/server/http/downloads.ts';
import { notFound, unauthorized } from '#platform/server/http/errors.ts';
import { shortened } from '#platform/server/http/rateLimits.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { isSeen } from './store.ts';

/** Names that a photo file can have; anything else is refused before it reaches the database. */
const NAME = /^[\w.]{1,60}$/;

/** Registers `/api/photos/{file}`: serves every size of a photo, with the same access check at each request. */
export function servePhotoFiles(app: FastifyInstance, services: Services, openings: Openings): void {
  app.route<{ Params: { file: string } }>({
    method: 'GET',
    url: `${PHOTO_FOLDER}:file`,
    config: { name: `GET ${PHOTO_FOLDER}:file` },
    handler: async (request, reply) => {
      if (isForeign(services, request)) throw foreign();
      const sessions = await presentedSessions(services, request);
      // Checked first, so that nobody without a session learns which names exist.
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

/** Lifetime in seconds of a link to the bucket: a browser follows it at once, and a copied link soon expires. */
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
  // The proxy handles ranges and ETags itself, from the file.
  if (X_ACCEL_PREFIX)
    return reply.header('x-accel-redirect', X_ACCEL_PREFIX + keyOf(file.dossier, file.nom)).send('');
  // Only for images of a page: the bucket is another origin, and would refuse a script or a download.
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
    // Most likely replaced or erased since the look-up.
    log.warn({ file: nom, folder: dossier }, 'a registered file is missing from storage');
    throw notFound();
  }
}

/*
 * Openings: which session first opened which photo, and when, for the day when a password has leaked. Gathered in
 * memory and written a few seconds later and at shutdown, so that no request waits for it; a crash loses the last
 * seconds.
 */

export interface Openings {
  /** Notes that a session opened a photo; only the first time is kept. */
  note(photoId: number, sessionId: number, ip: string): void;
  /** Writes what is left, at the end of the process. */
  stop(): Promise<void>;
}

type Row = [photoId: number, sessionId: number, ip: string, at: string];

const WRITE_AFTER_MS = 3_000;
/** Most openings that wait to be written, should the database refuse for long; further ones are dropped. */
const UNWRITTEN_MAX = 200_000;
/** Most rows of one statement. */
const ROWS_AT_ONCE = 5_000;

export function openOpenings({ database, clock, log }: Services): Openings {
  const inTurn = openTurns(1, 1_000);
  let unwritten = new Map<string, Row>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: Row): void {
    const key = `${row[0]} ${row[1]}`;
    if (unwritten.has(key) || unwritten.size >= UNWRITTEN_MAX) return;
    unwritten.set(key, row);
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
  }

  async function insert(rows: readonly Row[]): Promise<void> {
    const columns = { photo_id: 'bigint', session_id: 'bigint', ip: 'text', ouverte_le: 'text' } as const;
    const opened = jsonRows(database.engine, 'ouvertes', columns, rows);
    // The join leaves out photos erased meanwhile.
    await database.write((transaction) =>
      sql`insert into photos_ouvertures (photo_id, session_id, ip, ouverte_le)
        select ouvertes.photo_id, ouvertes.session_id, ouvertes.ip, ouvertes.ouverte_le
        from ${opened} inner join photos on photos.id = ouvertes.photo_id
        where true on conflict do nothing`.execute(transaction),
    );
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await inTurn(async () => {
      // Sorted, so that processes lock rows in the same order and cannot deadlock.
      const rows = [...unwritten.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      unwritten = new Map();
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        try {
          await insert(rows.slice(from, from + ROWS_AT_ONCE));
        } catch (error) {
          log.warn({ err: error }, 'openings of photos are not written yet');
          rows.slice(from).forEach(add);
          return;
        }
      }
    });
  }

  return {
    note: (photoId, sessionId, ip) => add([photoId, sessionId, shortened(ip), clock().toISOString()]),
    async stop() {
      await write();
      // Openings that could not be written are lost: no retry may run once the database is closed.
      clearTimeout(timer);
    },
  };
}

/** Openings of the photos of a stay, the oldest first. */
export function listOpenings(db: Access, stageId: number): Promise<Tables['photos_ouvertures'][]> {
  return db
    .selectFrom('photos_ouvertures')
    .innerJoin('photos', 'photos.id', 'photos_ouvertures.photo_id')
    .selectAll('photos_ouvertures')
    .where('stage_id', '=', stageId)
    .orderBy('ouverte_le')
    .orderBy('session_id')
    .orderBy('photo_id')
    .execute();
}
