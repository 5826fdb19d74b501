import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { photoTimeAt } from '#features/stays/server/photoTime.ts';
import { openTurns } from '#platform/server/concurrency.ts';
import { notFound, unauthorized } from '#platform/server/errors.ts';
import { foreign, isForeign, presentedSessions } from '#platform/server/http/access.ts';
import { type ByteRange, sendRanged } from '#platform/server/http/downloads.ts';
import { setPartHeaders } from '#platform/server/http/headers.ts';
import { shortened } from '#platform/server/networks.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { isAdmitted } from '#platform/shared/roles.ts';
import { PHOTO_FOLDER } from '../shared/terms.ts';
import { findBeforeFile } from './binStore.ts';
import { findPhotoFile, insertOpenings, type Opening, type PhotoFile } from './filesStore.ts';
import { isSeen } from './store.ts';

/** Names that a photo file can have; anything else is refused before it reaches the database. */
const NAME = /^[\w.]{1,60}$/;
/** An id, as an address names it. */
const ID = /^[1-9]\d{0,14}$/;

/**
 * Registers `/api/photos/{file}`, which serves every size of a photo, and `/api/photos/avant/{n}`, which serves what one was
 * before it was blurred, to staff alone.
 */
export function servePhotoFiles(app: FastifyInstance, services: Services, openings: Openings): void {
  const { db } = services.database;
  const serve = <File extends StoredFile>(path: string, { find, isFor }: Served<File>) =>
    app.route<{ Params: { file: string } }>({
      method: 'GET',
      url: `${PHOTO_FOLDER}${path}:file`,
      config: { name: `GET ${PHOTO_FOLDER}${path}:file` },
      // The same access check at each request.
      handler: async (request, reply) => {
        if (isForeign(services, request)) throw foreign(services, request);
        const sessions = await presentedSessions(services, request);
        // Checked first, so that nobody without a session learns which names exist.
        if (sessions.length === 0) throw unauthorized();
        const file = await find(request.params.file);
        const session = file && sessions.find((one) => isFor(one, file));
        if (!file || !session) throw notFound();
        openings.note(file.photo_id, session.id, request.ip);
        return sendPhoto(services, request, reply, file);
      },
    });
  serve('', {
    find: async (name) => (NAME.test(name) ? findPhotoFile(db, name) : undefined),
    isFor: (session, file) => maySee(services, session, file),
  });
  serve('avant/', {
    find: async (n) => (ID.test(n) ? findBeforeFile(db, Number(n)) : undefined),
    isFor: (session) => isAdmitted(session, ['photos']),
  });
}

type StoredFile = Pick<PhotoFile, 'nom' | 'dossier' | 'type' | 'taille' | 'photo_id'>;

interface Served<File> {
  find(name: string): Promise<File | undefined>;
  isFor(session: Session, file: File): boolean;
}

function maySee(services: Services, session: Session, file: PhotoFile): boolean {
  if (isAdmitted(session, ['photos'])) return true;
  if (session.stageId !== file.stage_id) return false;
  const now = services.clock();
  if (photoTimeAt(services, file, file.days, now).isOver) return false;
  return session.role === 'director' || isSeen(file, now);
}

/** Lifetime in seconds of a link to the bucket: a browser follows it at once, and a copied link soon expires. */
const LINK_SECONDS = 60;

async function sendPhoto(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply> {
  setPartHeaders(reply);
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
  { dossier, nom }: StoredFile,
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

const WRITE_AFTER_MS = 3_000;
/** Most openings that wait to be written, should the database refuse for long; further ones are dropped. */
const UNWRITTEN_MAX = 200_000;
/** Most rows of one statement. */
const ROWS_AT_ONCE = 5_000;

export function openOpenings({ database, clock, log }: Services): Openings {
  const inTurn = openTurns(1, 1_000);
  let unwritten = new Map<string, Opening>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: Opening): void {
    const key = `${row[0]} ${row[1]}`;
    if (unwritten.has(key) || unwritten.size >= UNWRITTEN_MAX) return;
    unwritten.set(key, row);
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
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
          const slice = rows.slice(from, from + ROWS_AT_ONCE);
          await database.write((transaction) => insertOpenings(database, transaction, slice));
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
