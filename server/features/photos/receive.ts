import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SentPhoto, sentPhoto } from '../../../shared/photos/photos.ts';
import { eraseUnregistered, RECEIVED_FOLDER } from '../../files.ts';
import { HttpError, invalid, notFound, wrongKind } from '../../http/errors.ts';
import { check } from '../../http/problems.ts';
import { SNIFF_BYTES, sniff } from '../../images/sniff.ts';
import { eraseOtherParts, erasePart, partsDirectory } from '../../photos/parts.ts';
import type { Services } from '../../services.ts';
import { keyOf } from '../../storage/storage.ts';
import { openTurns } from '../../turns.ts';
import { record } from './record.ts';

/*
 * The end of an upload: the file is kept, and in one transaction its photo is written, the file registered and its
 * preparation asked for. The upload itself is erased last: whatever comes in between, asking for it again ends it.
 */

/** Files received at once: more would only wait for the same disk and the same row. */
const AT_ONCE = 4;

export const noSuchUpload = () => notFound('Cet envoi n’existe pas ou n’existe plus.');

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
  const { config, database, storage, staging } = services;
  const path = join(partsDirectory(config), name);
  try {
    const { metadata } = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    const sent = check(sentPhoto, metadata);
    const found = await look(path);
    requirePicture(sent, found);
    const nom = `${randomBytes(16).toString('hex')}.bin`;
    const file = { nom, dossier: RECEIVED_FOLDER, largeurs: '' };
    const staged = staging.newPath();
    await link(path, staged);
    try {
      await storage.keep(staged, keyOf(file.dossier, nom));
      const isNew = await database.write((transaction) =>
        record(services, transaction, sent, { nom, ...found }),
      );
      if (isNew) tell(services, sent.stageId);
    } finally {
      await rm(staged, { force: true });
      await eraseUnregistered(database, storage, [file]);
    }
    // They hold what the camera wrote, the place too, and nobody would go on with them.
    if (sent.version === 'complete') await eraseOtherParts(config, name, sent.empreinte);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noSuchUpload();
    // Refused for good; what the site could not do just now is tried again with the same bytes.
    if (error instanceof HttpError && error.status < 500) await erasePart(config, name);
    throw error;
  }
  await erasePart(config, name);
}

function tell({ jobs, photos }: Services, stageId: number): void {
  jobs.wake();
  photos.changed(stageId);
}

interface Found {
  size: number;
  sha256: string;
  isPicture: boolean;
}

async function look(path: string): Promise<Found> {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    if (head.length < SNIFF_BYTES) head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)]);
    size += chunk.length;
    hash.update(chunk);
  }
  const kind = sniff(head) ?? '';
  return { size, sha256: hash.digest('hex'), isPicture: ['jpeg', 'png', 'webp', 'heif'].includes(kind) };
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
