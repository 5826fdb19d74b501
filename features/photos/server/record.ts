import type { Selectable } from 'kysely';
import type { SentPhoto } from '#features/photos/calls.ts';
import { STAY_BYTES, STAY_PHOTOS } from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStays.ts';
import { getStayToChange, type Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { handOverFiles } from '#platform/server/files/register.ts';
import { conflict } from '#platform/server/http/errors.ts';
import { addJob } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { dayAt, wallClock } from '#platform/shared/time.ts';
import { dayOfPhoto } from './days.ts';
import { numberChange } from './erasures.ts';
import { stateAfter, TRANSITIONS } from './states.ts';
import { isSeen } from './store.ts';
import {
  dropUploads,
  measureUploads,
  noSuchUpload,
  piecesOf,
  UPLOADS,
  type UploadRow,
  uploadOf,
} from './uploadsUnderWay.ts';

/* Recording received photos, within the limits of what a stay may hold. */

type Known = Pick<Selectable<Tables['photos']>, 'id' | 'statut' | 'publiee_le' | 'version' | 'octets'>;

/** Whether a version is worth keeping: the photo is new, was unreadable, or is light while this version is full. */
function isWanted(known: Known | undefined, version: SentPhoto['version']): boolean {
  if (!known || known.statut === 'illisible') return true;
  return known.version === 'legere' && version === 'complete';
}

function findKnown(db: Access, { stageId, empreinte }: SentPhoto): Promise<Known | undefined> {
  return db
    .selectFrom('photos')
    .select(['id', 'statut', 'publiee_le', 'version', 'octets'])
    .where('stage_id', '=', stageId)
    .where('empreinte', '=', empreinte)
    .executeTakeFirst();
}

/**
 * Makes a photo of a complete upload, and hands the pieces over to it; returns false when the photo is there already
 * and nothing is stored. Either way the upload is over. Call `tryEraseCondemned` after the commit.
 */
export async function record(
  services: Services,
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
    : await insertPhoto(services, transaction, stay, sent, {
        numero,
        octets: size,
        created_at: at,
        modifie_le: at,
      });
  const { numDeletedRows } = await transaction
    .deleteFrom('photos_envois')
    .where('id', '=', upload.id)
    .executeTakeFirst();
  // Ended by another process, or dropped, while its file was inspected.
  if (numDeletedRows === 0n) throw noSuchUpload();
  await handOverFiles(transaction, { table: UPLOADS, id: upload.id }, { table: 'photos', id });
  const payload = { id, nom: piecesOf(upload), version: sent.version };
  await addJob(transaction, 'prepare-photo', payload, now, rang);
  return true;
}

/** Number of photos of a stay that wait for the preparation of their first version, or of their full one. */
async function countWaiting(db: Access, stageId: number): Promise<number> {
  const { count } = await db
    .selectFrom('photos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('stage_id', '=', stageId)
    .where(({ or, and, eb }) =>
      or([
        eb('statut', '=', 'recue'),
        and([eb('version', '=', 'complete'), eb('a_jpeg', '=', 0), eb('statut', '!=', 'illisible')]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return count;
}

async function insertPhoto(
  { config, clock }: Services,
  transaction: Access,
  stay: Stay,
  { empreinte, version, filename, prise_le }: SentPhoto,
  written: { numero: number; octets: number; created_at: string; modifie_le: string },
): Promise<number> {
  const taken = prise_le ?? wallClock(clock(), config.TIME_ZONE);
  const { id } = await transaction
    .insertInto('photos')
    .values({
      stage_id: stay.id,
      empreinte,
      version,
      nom_envoye: filename,
      ...written,
      statut: TRANSITIONS.receive.to,
      prise_le: taken,
      jour: dayOfPhoto(stay, taken, dayAt(clock(), config.TIME_ZONE)),
      nom: null,
      publiee_le: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates a known photo: its full version has come while a light one is shown, or an unreadable one was sent again. */
async function markReceived(
  transaction: Access,
  known: Known,
  { version, filename }: SentPhoto,
  written: { numero: number; octets: number; modifie_le: string },
): Promise<number> {
  await transaction
    .updateTable('photos')
    .set({ ...written, version })
    // When a light version comes, the reason why the full one could not be read still holds.
    .$if(version === 'complete', (query) => query.set({ refus: '' }))
    .$if(known.statut === 'illisible', (query) =>
      query.set({ ...stateAfter('receive', known.statut), nom_envoye: filename }),
    )
    .where('id', '=', known.id)
    .execute();
  return known.id;
}

/** Most uploads under way to one stay: a sender has a few at a time, and continues those that were interrupted. */
const UNDER_WAY_MAX = 1_000;

/** Checks, before a byte is sent, that a stay can take an upload; throws 404 or 409. Locks the stay. */
export async function requireReceivable(
  services: Services,
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
  const { count, octets } = await db
    .selectFrom('photos')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('octets').as('octets')])
    .where('stage_id', '=', sent.stageId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= STAY_PHOTOS && !(await findKnown(db, sent)))
    throw conflict('Ce séjour a déjà 5\u202f000 photos\u202f: supprimez-en avant d’en envoyer d’autres.');
  if (Number(octets ?? 0) + bytes > STAY_BYTES)
    throw conflict(
      'Les photos de ce séjour prennent déjà 25\u00a0Go\u202f: supprimez-en avant d’en envoyer d’autres.',
    );
}
