import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, type Locker, Metadata, Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sentPhoto } from '#features/photos/calls.ts';
import { check, conflict, HttpError, notNow, tooLarge, unreadable } from '#platform/server/errors.ts';
import {
  eraseUnregistered,
  type FileRow,
  listFiles,
  RECEIVED_FOLDER,
  registerFiles,
  tryEraseCondemned,
} from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf, metered } from '#platform/server/storage/storage.ts';
import {
  advanceUpload,
  dropUploads,
  getUpload,
  insertUpload,
  leftByPhotos,
  newPieceName,
  newUploadName,
  noSuchUpload,
  requireReceivable,
  UPLOADS,
  type UploadRow,
  uploadOf,
} from './uploadsStore.ts';

/* The adapter between the tus library and the site's own requests and answers. */

export type Tus = ReturnType<typeof openTus>;

/** `path`: where uploads are created; `receive`: called when the last byte of an upload has come. */
export function openTus(services: Services, path: string, receive: (id: string) => Promise<void>) {
  const store = new UploadStore(services);
  const server = new Server({
    path,
    datastore: store,
    relativeLocation: true,
    locker: uploadLocks(),
    // The connection that is ended is one that a phone has lost; the bytes received by it are kept.
    lockDrainTimeout: 1,
    namingFunction: (_request, metadata) => newUploadName(Number(metadata?.stageId)),
    // The library hands the store nothing else of a request.
    onUploadCreate: async (request, { metadata }) => ({
      metadata: { ...metadata, [SESSION]: request.headers.get(SESSION) },
    }),
    onUploadFinish: async (_request, { id }) => {
      await receive(id);
      return {};
    },
    onResponseError: (_request, error) => {
      throw error;
    },
  });
  /** Passes a request to the library, and answers in the site's own form. */
  async function pass(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const bytes = request.body instanceof Readable ? untilCut(request.body) : undefined;
    try {
      // A stream needs `duplex`, which the types of browsers do not know.
      const sent: RequestInit & { duplex: 'half' } = {
        method: request.method,
        headers: headersOf(request),
        body: bytes ? (Readable.toWeb(bytes) as ReadableStream) : null,
        duplex: 'half',
      };
      const answer = await server.handleWeb(new Request(`http://localhost${path}`, sent)).catch(asHttp);
      if (answer.status >= 400) throw httpError(answer.status);
      for (const [name, value] of answer.headers)
        if (!/^(access-control-|content-|cache-control)/.test(name)) reply.header(name, value);
      return reply.code(answer.status).send();
    } finally {
      // The rest of the body is read and discarded, or the answer would be lost.
      if (bytes) request.raw.unpipe(bytes).resume();
    }
  }
  return { store, metadataOf, pass };
}

/** Name under which the id of the session travels through the library, in place of one that a sender may give. */
const SESSION = 'session';

const HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
] as const;

function metadataOf(request: FastifyRequest): Record<string, string | null> {
  try {
    return Metadata.parse(String(request.headers['upload-metadata'] ?? ''));
  } catch {
    throw unreadable('Ce qui est dit du fichier n’est pas lisible.');
  }
}

function headersOf(request: FastifyRequest): [string, string][] {
  const sent = HEADERS.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return [...sent, [SESSION, String(request.session?.id)]];
}

/** The bytes up to the point where the connection was cut, without an error: they are kept, and continued from. */
function untilCut(raw: Readable): PassThrough {
  const bytes = new PassThrough();
  const end = () => bytes.end();
  return raw.on('error', end).on('close', end).pipe(bytes);
}

/** Converts an error of the library, an object of its own with a status. */
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

const outOfStep = () =>
  conflict('Cet envoi n’en est pas là\u202f: demandez où il en est avant de continuer.');

/**
 * Pieces of an upload: a phone sends 5 MB at a time, and a line that is cut leaves smaller ones. Each is a file and a
 * row, so that an upload in more of them is dropped, and begun again by whoever sends a photo.
 */
const PIECES_MAX = 200;

/**
 * Data store of the tus library. The bytes of each request become a file of their own (a piece), which counts once a
 * transaction registers it: of two requests at the same offset, in whichever process, one wins.
 */
export class UploadStore extends DataStore {
  readonly #services: Services;

  constructor(services: Services) {
    super();
    this.#services = services;
    this.extensions = ['creation', 'termination'];
  }

  override async create(upload: Upload): Promise<Upload> {
    const services = this.#services;
    const { [SESSION]: session, ...annonce } = upload.metadata ?? {};
    const sent = check(sentPhoto, annonce);
    const size = { session_id: Number(session), taille: upload.size ?? 0 };
    await services.database.write(async (transaction) => {
      await requireReceivable(services, transaction, sent, size);
      await insertUpload(transaction, {
        ...size,
        nom: upload.id,
        stage_id: sent.stageId,
        empreinte: sent.empreinte,
        annonce: JSON.stringify(annonce),
        modifie_le: services.clock().toISOString(),
      });
    });
    return upload;
  }

  override async getUpload(name: string): Promise<Upload> {
    const { database, clock } = this.#services;
    const { taille, recu } = await getUpload(database.db, name, clock());
    return new Upload({ id: name, size: taille, offset: recu });
  }

  override async write(bytes: Readable, name: string, offset: number): Promise<number> {
    const { database, storage, staging, clock } = this.#services;
    const upload = await getUpload(database.db, name, clock());
    const pieces = await listFiles(database.db, { table: UPLOADS, id: upload.id });
    if (pieces.length >= PIECES_MAX) {
      await this.remove(name);
      throw noSuchUpload();
    }
    const piece = { nom: newPieceName(upload, offset), dossier: RECEIVED_FOLDER, largeurs: '' };
    const staged = staging.newPath();
    try {
      const passing = metered(staging.whileFree(leftByPhotos)(bytes));
      await pipeline(passing.bytes, createWriteStream(staged, { mode: 0o600 }));
      const { taille, sha256 } = passing.taken();
      if (taille === 0) return offset;
      await storage.keep(staged, keyOf(piece.dossier, piece.nom));
      await this.#register(upload, offset, { ...piece, taille, sha256 });
      return offset + taille;
    } finally {
      await rm(staged, { force: true });
      await eraseUnregistered(database, storage, [piece]);
    }
  }

  override async remove(name: string): Promise<void> {
    const { database, clock } = this.#services;
    const { id } = await getUpload(database.db, name, clock());
    await database.write((transaction) => dropUploads(database, transaction, uploadOf(id)));
    await tryEraseCondemned(this.#services);
  }

  /** Registers a piece; throws 409 when another request was faster, 404 when the upload is gone. */
  async #register({ id, nom }: UploadRow, offset: number, piece: Piece): Promise<void> {
    const { database, clock } = this.#services;
    const at = clock().toISOString();
    await database.write(async (transaction) => {
      if (!(await advanceUpload(transaction, id, { from: offset, to: offset + piece.taille, at }))) {
        await getUpload(transaction, nom, clock());
        throw outOfStep();
      }
      const held = { objet: UPLOADS, objet_id: id, type: 'application/octet-stream', created_at: at };
      await registerFiles(transaction, [{ ...piece, ...held }]);
    });
  }
}

type Piece = Pick<FileRow, 'nom' | 'dossier' | 'largeurs' | 'taille' | 'sha256'>;

/**
 * Allows one request at a time for each upload of this process: a new request ends the previous one, whose connection
 * the phone has lost, and continues from the bytes that it brought. The library's own locks ask again and again while
 * they wait, which takes a whole processor.
 */
function uploadLocks(): Locker {
  const held = new Map<string, { release(): void; isFree: Promise<void>; free(): void }>();
  return {
    newLock: (name) => ({
      async lock(_signal, release) {
        for (let other = held.get(name); other; other = held.get(name)) {
          other.release();
          await other.isFree;
        }
        const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
        held.set(name, { release: () => void release(), isFree, free });
      },
      async unlock() {
        const own = held.get(name);
        held.delete(name);
        own?.free();
      },
    }),
  };
}
