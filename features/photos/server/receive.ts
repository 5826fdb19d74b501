import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type SentPhoto, sentPhoto } from '#features/photos/calls.ts';
import { type FileRow, listFiles, tryEraseCondemned } from '#platform/server/files/register.ts';
import { HttpError, invalid, wrongKind } from '#platform/server/http/errors.ts';
import { check } from '#platform/server/http/problems.ts';
import { SNIFF_BYTES, sniff } from '#platform/server/images/sniff.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf, type Storage } from '#platform/server/storage/storage.ts';
import { openTurns } from '#platform/server/turns.ts';
import { dropUploads, noSuchUpload, UPLOADS, type UploadRow, uploadOf } from './core/uploads.ts';
import { record } from './record.ts';

/*
 * The end of an upload: in one transaction its photo is written, takes its pieces over, and its preparation is asked for.
 * Whatever comes in between, asking for the upload again ends it, in whichever process.
 */

/** Files received at once: more would only wait for the same disk and the same row. */
const AT_ONCE = 4;

/** Ends uploads whose last byte has come, each once however often it is asked. Throws what is wrong with the file. */
export function openReceiver(services: Services): (name: string) => Promise<void> {
  const inTurn = openTurns(AT_ONCE, Number.POSITIVE_INFINITY);
  const underWay = new Map<string, Promise<void>>();
  return (name) => {
    const known = underWay.get(name);
    if (known) return known;
    const work = inTurn(() => receive(services, name)).finally(() => underWay.delete(name));
    underWay.set(name, work);
    return work;
  };
}

async function receive(services: Services, name: string): Promise<void> {
  const { database } = services;
  const upload = await database.db
    .selectFrom('photos_envois')
    .selectAll()
    .where('nom', '=', name)
    .executeTakeFirst();
  if (!upload) throw noSuchUpload();
  try {
    await keep(services, upload);
  } catch (error) {
    // Another process has just ended it.
    if (error instanceof FileMissing) throw noSuchUpload();
    // Refused for good; what the site could not do just now is tried again with the same bytes.
    if (error instanceof HttpError && error.status < 500)
      await database.write((transaction) => dropUploads(database, transaction, uploadOf(upload.id)));
    throw error;
  } finally {
    await tryEraseCondemned(services);
  }
}

async function keep(services: Services, upload: UploadRow): Promise<void> {
  const { database, storage, jobs, photos } = services;
  const sent = check(sentPhoto, JSON.parse(upload.annonce));
  const pieces = await listFiles(database.db, { table: UPLOADS, id: upload.id });
  requirePicture(sent, await look(storage, pieces));
  const isNew = await database.write((transaction) => record(services, transaction, sent, upload));
  if (!isNew) return;
  jobs.wake();
  photos.changed(sent.stageId);
}

interface Found {
  sha256: string;
  isPicture: boolean;
}

type Piece = Pick<FileRow, 'nom' | 'dossier' | 'sha256' | 'taille'>;

/** The fingerprint of one piece is known since it came; of several, all are read again. */
async function look(storage: Storage, pieces: readonly Piece[]): Promise<Found> {
  const [only] = pieces;
  const isWhole = only !== undefined && pieces.length === 1;
  const range = isWhole ? { start: 0, end: Math.min(SNIFF_BYTES, only.taille) - 1 } : undefined;
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  for (const { nom, dossier } of pieces) {
    const bytes: Readable = await storage.read(keyOf(dossier, nom), range);
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (head.length < SNIFF_BYTES) head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)]);
      hash.update(chunk);
    }
  }
  const kind = sniff(head) ?? '';
  return {
    sha256: isWhole ? only.sha256 : hash.digest('hex'),
    isPicture: ['jpeg', 'png', 'webp', 'heif'].includes(kind),
  };
}

function requirePicture({ version, empreinte }: SentPhoto, { sha256, isPicture }: Found): void {
  if (!isPicture)
    throw wrongKind('Ce fichier n’est pas une photo\u202f: JPEG, PNG, WebP, AVIF ou HEIC est attendu.');
  if (version === 'complete' && sha256 !== empreinte)
    throw invalid(
      { empreinte: 'ce fichier est arrivé abîmé\u202f: renvoyez-le.' },
      { empreinte: 'Empreinte' },
    );
}
