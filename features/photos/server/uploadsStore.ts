import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, type Locker, Upload } from '@tus/server';
import { sentPhoto } from '#features/photos/calls.ts';
import type { Access } from '#platform/server/db/open.ts';
import {
  eraseUnregistered,
  RECEIVED_FOLDER,
  registerFiles,
  tryEraseCondemned,
} from '#platform/server/files/register.ts';
import { check, conflict } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { requireReceivable } from './record.ts';
import {
  dropUploads,
  newPieceName,
  noSuchUpload,
  UPLOADS,
  type UploadRow,
  uploadOf,
} from './uploadsUnderWay.ts';

export const outOfStep = () =>
  conflict('Cet envoi n’en est pas là\u202f: demandez où il en est avant de continuer.');

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
    const sent = check(sentPhoto, upload.metadata ?? {});
    const taille = upload.size ?? 0;
    await services.database.write(async (transaction) => {
      await requireReceivable(services, transaction, sent, taille);
      await transaction
        .insertInto('photos_envois')
        .values({
          nom: upload.id,
          stage_id: sent.stageId,
          empreinte: sent.empreinte,
          annonce: JSON.stringify(upload.metadata),
          taille,
          modifie_le: services.clock().toISOString(),
        })
        .execute();
    });
    return upload;
  }

  override async getUpload(name: string): Promise<Upload> {
    const { taille, recu } = await this.#find(name);
    return new Upload({ id: name, size: taille, offset: recu });
  }

  override async write(bytes: Readable, name: string, offset: number): Promise<number> {
    const { database, storage, staging } = this.#services;
    const upload = await this.#find(name);
    const piece = { nom: newPieceName(upload, offset), dossier: RECEIVED_FOLDER, largeurs: '' };
    const staged = staging.newPath();
    try {
      const { size, sha256 } = await stage(bytes, staged);
      if (size === 0) return offset;
      await storage.keep(staged, keyOf(piece.dossier, piece.nom));
      await this.#register(upload, offset, { ...piece, taille: size, sha256 });
      return offset + size;
    } finally {
      await rm(staged, { force: true });
      await eraseUnregistered(database, storage, [piece]);
    }
  }

  override async remove(name: string): Promise<void> {
    const { database } = this.#services;
    const { id } = await this.#find(name);
    await database.write((transaction) => dropUploads(database, transaction, uploadOf(id)));
    await tryEraseCondemned(this.#services);
  }

  async #find(name: string, db: Access = this.#services.database.db): Promise<UploadRow> {
    const upload = await db
      .selectFrom('photos_envois')
      .selectAll()
      .where('nom', '=', name)
      .executeTakeFirst();
    if (!upload) throw noSuchUpload();
    return upload;
  }

  /** Registers a piece; throws 409 when another request was faster, 404 when the upload is gone. */
  async #register({ id, nom }: UploadRow, offset: number, piece: Piece): Promise<void> {
    const { database, clock } = this.#services;
    const at = clock().toISOString();
    await database.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('photos_envois')
        .set({ recu: offset + piece.taille, modifie_le: at })
        .where('id', '=', id)
        .where('recu', '=', offset)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        await this.#find(nom, transaction);
        throw outOfStep();
      }
      const held = { objet: UPLOADS, objet_id: id, type: 'application/octet-stream', created_at: at };
      await registerFiles(transaction, [{ ...piece, ...held }]);
    });
  }
}

interface Piece {
  nom: string;
  dossier: string;
  largeurs: string;
  taille: number;
  sha256: string;
}

async function stage(bytes: Readable, path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    bytes,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return { size, sha256: hash.digest('hex') };
}

/**
 * Allows one request at a time for each upload of this process: a new request ends the previous one, whose connection
 * the phone has lost, and continues from the bytes that it brought.
 */
export function uploadLocks(): Locker {
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
