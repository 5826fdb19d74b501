import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { journal } from '#features/audit/server/journal.ts';
import { type SentPhoto, sentPhoto } from '#features/photos/calls.ts';
import { numberChange } from '#features/photos/server/changesStore.ts';
import { dateByCamera } from '#features/photos/server/clocks.ts';
import { dayOfPhoto, suiteOf, takenBy } from '#features/photos/server/days.ts';
import { notifyPhotos } from '#features/photos/server/live.ts';
import { insertPhoto, leaves, updatePhoto } from '#features/photos/server/states.ts';
import { countWaiting, isSeen, orderBurst, type PhotoRow } from '#features/photos/server/store.ts';
import { isWhole } from '#features/photos/server/versions.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { NOT_A_PHOTO, PHOTO_BYTES, UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStaysStore.ts';
import { getStayToChange, requireOwnStay, type Stay } from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import { openTurns } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/database.ts';
import { check, HttpError, invalid, tooLarge, unreadable, wrongKind } from '#platform/server/errors.ts';
import {
  type FileRow,
  handOverFiles,
  listFiles,
  tryEraseCondemned,
} from '#platform/server/files/registerStore.ts';
import { admit, refuseForeign } from '#platform/server/http/access.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf, type Storage } from '#platform/server/storage/storage.ts';
import { atMost } from '#platform/shared/bytes.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { PICTURE_KINDS, SNIFF_BYTES, sniff } from '#platform/shared/sniff.ts';
import { DAY_MS, dayAt, HOUR_MS, wallClock } from '#platform/shared/time.ts';
import type { Tus } from './tus.ts';
import {
  deleteUpload,
  dropUploads,
  findKnown,
  getUpload,
  leftByPhotos,
  noSuchUpload,
  piecesOf,
  requireRoom,
  stayOfUpload,
  UPLOADS,
  type UploadRow,
  uploadOf,
  uploadsOver,
} from './uploadsStore.ts';

/*
 * Uploads of photos, by the tus 1.0 protocol. The tus library moves the bytes (`tus.ts`, loaded only when the first
 * upload comes); access, refusals and error messages are the site's own, as everywhere.
 */

const PATH = `${API_PREFIX}${UPLOAD_PATH}`;
const BYTES = 'application/offset+octet-stream';
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
    await services.staging.requireFree(bytes, leftByPhotos);
    return pass(PATH, request, reply);
  }

  async function goOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { nom } = request.params as { nom: string };
    const { store, pass } = await tus();
    const { offset, size } = await store.getUpload(nom);
    // All bytes have come, but the photo was never recorded and the sender got no answer: finish now.
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
      request.session = await admit(services, request, { access: ['photos', 'director'] });
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

/** Throws 404 for an upload to another stay, as for one that does not exist. */
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

/*
 * The end of an upload: one transaction writes the photo, hands the pieces over to it, and queues its preparation.
 * After an interruption, any new request for the upload, in any process, completes it.
 */

/** Uploads completed at once: more would only wait for the same disk and the same row. */
const AT_ONCE = 4;

/** Completes an upload whose last byte has come; concurrent calls share one run. Throws the error of a refused file. */
function openReceiver(services: Services): (name: string) => Promise<void> {
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
  const upload = await getUpload(database.db, name, services.clock());
  try {
    await keep(services, upload);
  } catch (error) {
    // Another process has just completed it.
    if (error instanceof FileMissing) throw noSuchUpload();
    // Refused for good. After a server error, the same bytes are tried again.
    if (error instanceof HttpError && error.status < 500)
      await database.write((transaction) => dropUploads(database, transaction, uploadOf(upload.id)));
    throw error;
  } finally {
    await tryEraseCondemned(services);
  }
}

async function keep(services: Services, upload: UploadRow): Promise<void> {
  const { database, storage, jobs } = services;
  const sent = check(sentPhoto, JSON.parse(upload.annonce));
  const pieces = await listFiles(database.db, { table: UPLOADS, id: upload.id });
  // Dropped since it was read, with its stay: without its bytes it would look like what is no photo.
  if (pieces.length === 0) throw noSuchUpload();
  const { sha256, isPicture } = await inspect(storage, pieces);
  if (!isPicture) throw wrongKind(NOT_A_PHOTO);
  if (sent.version === 'complete' && sha256 !== sent.empreinte)
    throw invalid(
      { empreinte: 'ce fichier est arrivé abîmé\u202f: renvoyez-le.' },
      { empreinte: 'Empreinte' },
    );
  const isNew = await database.write((transaction) => record(services, transaction, sent, upload));
  if (!isNew) return;
  jobs.wake();
  notifyPhotos(services, sent.stageId);
}

/** Reads the SHA-256 and the kind of a file. A single piece was hashed on arrival; several are all read again. */
async function inspect(storage: Storage, pieces: readonly FileRow[]) {
  const [only, ...others] = pieces;
  const isWhole = only !== undefined && others.length === 0;
  const range = isWhole ? { start: 0, end: Math.min(SNIFF_BYTES, only.taille) - 1 } : undefined;
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  for (const { nom, dossier } of pieces) {
    const bytes: AsyncIterable<Buffer> = await storage.read(keyOf(dossier, nom), range);
    for await (const chunk of bytes) {
      if (head.length < SNIFF_BYTES) head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)]);
      hash.update(chunk);
    }
  }
  return {
    sha256: isWhole ? only.sha256 : hash.digest('hex'),
    isPicture: PICTURE_KINDS.includes(sniff(head)),
  };
}

/** Milliseconds without a byte after which an upload is dropped. */
const WAITED_MS = 7 * DAY_MS;

/** Like `WAITED_MS`, when the photo has arrived by another upload. */
const USELESS_MS = HOUR_MS;

/**
 * Erases the uploads whose session has ended, those that nobody has continued for a week, or for an hour when their photo
 * has arrived in full by another one: their files hold what the camera wrote, the location included.
 */
export async function forgetOldUploads(services: Services): Promise<void> {
  const { database, clock } = services;
  const now = clock();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const which = uploadsOver(now, before(WAITED_MS), before(USELESS_MS));
  await database.write((transaction) => dropUploads(database, transaction, which));
  await tryEraseCondemned(services);
}

/* Recording received photos, within the limits of what a stay may hold. */

/** Whether a version is worth keeping: there is no such photo to see, or it is light while this version is full. */
function isWanted(known: PhotoRow | undefined, version: SentPhoto['version']): boolean {
  if (!known || leaves('receive', known.statut)) return true;
  return known.version === 'legere' && version === 'complete';
}

/**
 * Makes a photo of a complete upload, and hands the pieces over to it; returns false when the photo is there already
 * and nothing is stored. Either way the upload is over. Call `tryEraseCondemned` after the commit.
 */
async function record(
  services: Services,
  transaction: Access,
  sent: SentPhoto,
  upload: UploadRow,
): Promise<boolean> {
  const { database } = services;
  const now = services.clock();
  // The lock makes two people who send the same photo take turns from here on, so that it is stored once.
  const stay = await getStayToChange(services.database, transaction, sent.stageId);
  await requirePhotos(services, transaction, stay);
  const known = await findKnown(transaction, sent);
  if (!isWanted(known, sent.version)) {
    await dropUploads(database, transaction, uploadOf(upload.id));
    return false;
  }
  const isInBin = known !== undefined && PHOTO_STATES[known.statut].isInBin;
  await requireRoom(transaction, sent, upload.taille);
  const rang = await countWaiting(transaction, stay.id);
  const numero = await numberChange(transaction, stay.id, known !== undefined && isSeen(known, now));
  const written = {
    numero,
    octets: upload.taille + (known?.octets ?? 0),
    modifie_le: now.toISOString(),
  };
  const id = known
    ? await markReceived(transaction, known, sent, written)
    : await addPhoto(services, transaction, stay, sent, written);
  // Ended by another process or with its session, or dropped, while its file was inspected.
  if (!(await deleteUpload(transaction, upload.id, now))) throw noSuchUpload();
  await handOverFiles(transaction, { table: UPLOADS, id: upload.id }, { table: 'photos', id });
  const payload = { id, nom: piecesOf(upload), version: sent.version };
  await addJob(transaction, 'prepare-photo', payload, now, { queue: 'photos', rank: rang });
  if (isInBin) await journal(transaction, SITE, now, SENT_AGAIN, { table: 'photos', id });
  return true;
}

const SENT_AGAIN = 'sortie de la corbeille d’une photo envoyée de nouveau';

type Written = Pick<PhotoRow, 'numero' | 'octets' | 'modifie_le'>;

async function addPhoto(
  { config, clock }: Services,
  transaction: Access,
  stay: Stay,
  sent: SentPhoto,
  written: Written,
): Promise<number> {
  const { empreinte, version, filename, prise_le, appareil, choisie_depuis } = sent;
  const created_at = written.modifie_le;
  const taken = takenBy(stay, sent) ?? wallClock(clock(), config.TIME_ZONE);
  const photo = {
    ...written,
    stage_id: stay.id,
    empreinte,
    version,
    nom_envoye: filename,
    prise_le: taken,
    jour: dayOfPhoto(stay, taken, dayAt(clock(), config.TIME_ZONE)),
    suite: suiteOf(taken, filename),
    created_at,
    choisie_le:
      choisie_depuis === undefined
        ? null
        : new Date(Date.parse(created_at) - choisie_depuis * 1_000).toISOString(),
    appareil: '',
    horloge_id: null,
  };
  const camera = prise_le === undefined ? '' : (appareil ?? '');
  const byCamera = await dateByCamera(transaction, photo, stay, taken, camera, config.TIME_ZONE);
  const dated = { ...photo, ...byCamera };
  const id = await insertPhoto(transaction, dated);
  await orderBurst(transaction, dated, written.numero);
  return id;
}

/**
 * Updates a known photo: its full version has come while a light one is shown, or one that was unreadable or in the bin
 * was sent again.
 */
async function markReceived(
  transaction: Access,
  known: PhotoRow,
  { version, filename }: SentPhoto,
  written: Written,
): Promise<number> {
  const changes = {
    ...written,
    // In the bin, it may be there in full already.
    version: isWhole(known) ? ('complete' as const) : version,
    // When a light version comes, the reason why the full one could not be read still holds.
    refus: version === 'complete' ? '' : undefined,
    nom_envoye: leaves('receive', known.statut) ? filename : undefined,
  };
  await updatePhoto(transaction, known, changes, 'receive');
  return known.id;
}
