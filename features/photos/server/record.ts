import type { SentPhoto } from '#features/photos/calls.ts';
import { STAY_BYTES, STAY_PHOTOS } from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStays.ts';
import { getStayToChange, type Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { handOverFiles } from '#platform/server/files/register.ts';
import { conflict } from '#platform/server/http/errors.ts';
import { addJob } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { dayAt, wallClock } from '#platform/shared/time.ts';
import { numberChange } from './changesStore.ts';
import { dayOfPhoto } from './days.ts';
import { stateAfter, TRANSITIONS } from './states.ts';
import {
  countWaiting,
  insertPhoto,
  isSeen,
  listByFingerprints,
  measurePhotos,
  type PhotoRow,
  updatePhoto,
} from './store.ts';
import {
  deleteUpload,
  dropUploads,
  measureUploads,
  noSuchUpload,
  piecesOf,
  UPLOADS,
  type UploadRow,
  uploadOf,
} from './uploadsStore.ts';

/* Recording received photos, within the limits of what a stay may hold. */

/** Whether a version is worth keeping: the photo is new, was unreadable, or is light while this version is full. */
function isWanted(known: PhotoRow | undefined, version: SentPhoto['version']): boolean {
  if (!known || known.statut === 'illisible') return true;
  return known.version === 'legere' && version === 'complete';
}

async function findKnown(db: Access, { stageId, empreinte }: SentPhoto): Promise<PhotoRow | undefined> {
  const [known] = await listByFingerprints(db, stageId, [empreinte]);
  return known;
}

/**
 * Makes a photo of a complete upload, and hands the pieces over to it; returns false when the photo is there already
 * and nothing is stored. Either way the upload is over. Call `tryEraseCondemned` after the commit.
 */
export async function record(
  services: Pick<Services, 'database' | 'clock' | 'config'>,
  transaction: Access,
  sent: SentPhoto,
  upload: UploadRow,
): Promise<boolean> {
  const { database } = services;
  const now = services.clock();
  const at = now.toISOString();
  // The lock makes two people who send the same photo take turns from here on, so that it is stored once.
  const stay = await getStayToChange(services.database, transaction, sent.stageId);
  await requirePhotos(services, transaction, stay);
  const known = await findKnown(transaction, sent);
  if (!isWanted(known, sent.version)) {
    await dropUploads(database, transaction, uploadOf(upload.id));
    return false;
  }
  const size = upload.taille;
  await requireRoom(transaction, sent, size);
  const rang = await countWaiting(transaction, stay.id);
  const numero = await numberChange(transaction, stay.id, known !== undefined && isSeen(known, now));
  const id = known
    ? await markReceived(transaction, known, sent, { numero, octets: known.octets + size, modifie_le: at })
    : await addPhoto(services, transaction, stay, sent, {
        numero,
        octets: size,
        created_at: at,
        modifie_le: at,
      });
  // Ended by another process, or dropped, while its file was inspected.
  if (!(await deleteUpload(transaction, upload.id))) throw noSuchUpload();
  await handOverFiles(transaction, { table: UPLOADS, id: upload.id }, { table: 'photos', id });
  const payload = { id, nom: piecesOf(upload), version: sent.version };
  await addJob(transaction, 'prepare-photo', payload, now, { queue: 'photos', rank: rang });
  return true;
}

async function addPhoto(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  transaction: Access,
  stay: Stay,
  { empreinte, version, filename, prise_le }: SentPhoto,
  written: { numero: number; octets: number; created_at: string; modifie_le: string },
): Promise<number> {
  const taken = prise_le ?? wallClock(clock(), config.TIME_ZONE);
  return insertPhoto(transaction, {
    ...written,
    stage_id: stay.id,
    empreinte,
    version,
    nom_envoye: filename,
    statut: TRANSITIONS.receive.to,
    prise_le: taken,
    jour: dayOfPhoto(stay, taken, dayAt(clock(), config.TIME_ZONE)),
    nom: null,
    publiee_le: null,
  });
}

/** Updates a known photo: its full version has come while a light one is shown, or an unreadable one was sent again. */
async function markReceived(
  transaction: Access,
  known: PhotoRow,
  { version, filename }: SentPhoto,
  written: { numero: number; octets: number; modifie_le: string },
): Promise<number> {
  await updatePhoto(transaction, known.id, {
    ...written,
    version,
    // When a light version comes, the reason why the full one could not be read still holds.
    ...(version === 'complete' ? { refus: '' } : {}),
    ...(known.statut === 'illisible' ? { ...stateAfter('receive', known.statut), nom_envoye: filename } : {}),
  });
  return known.id;
}

/** Most uploads under way to one stay: a sender has a few at a time, and continues those that were interrupted. */
const UNDER_WAY_MAX = 1_000;

/** Checks, before a byte is sent, that a stay can take an upload; throws 404 or 409. Locks the stay. */
export async function requireReceivable(
  services: Pick<Services, 'database' | 'config' | 'clock'>,
  transaction: Access,
  sent: SentPhoto,
  bytes: number,
): Promise<void> {
  const stay = await getStayToChange(services.database, transaction, sent.stageId);
  await requirePhotos(services, transaction, stay);
  const underWay = await measureUploads(transaction, sent.stageId);
  if (underWay.count >= UNDER_WAY_MAX)
    throw conflict(
      'Ce séjour a déjà 1\u202f000 envois en cours\u202f: terminez-les, ou attendez une semaine qu’ils soient oubliés.',
    );
  await requireRoom(transaction, sent, underWay.bytes + bytes);
}

async function requireRoom(db: Access, sent: SentPhoto, bytes: number): Promise<void> {
  const { count, octets } = await measurePhotos(db, sent.stageId);
  if (count >= STAY_PHOTOS && !(await findKnown(db, sent)))
    throw conflict('Ce séjour a déjà 5\u202f000 photos\u202f: supprimez-en avant d’en envoyer d’autres.');
  if (octets + bytes > STAY_BYTES)
    throw conflict(
      'Les photos de ce séjour prennent déjà 25\u00a0Go\u202f: supprimez-en avant d’en envoyer d’autres.',
    );
}
