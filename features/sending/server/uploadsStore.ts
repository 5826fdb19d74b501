import { randomBytes } from 'node:crypto';
import { type Expression, expressionBuilder, type Insertable, type Selectable, type SqlBool } from 'kysely';
import type { SentPhoto } from '#features/photos/calls.ts';
import { listByFingerprints, measurePhotos, type PhotoRow } from '#features/photos/server/store.ts';
import type { PhotosEnvoisTable } from '#features/photos/server/tables.ts';
import { GIVEN_UP } from '#features/photos/shared/states.ts';
import { STAY_BYTES, STAY_PHOTOS } from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStaysStore.ts';
import { getStayToChange } from '#features/stays/server/staysStore.ts';
import { type Access, type Database, hasChanged } from '#platform/server/db/database.ts';
import { jsonIds } from '#platform/server/db/json.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { conflict, notFound } from '#platform/server/errors.ts';
import { condemnFiles } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';

/*
 * Uploads under way: one row each, and one registered file for the bytes of each request, so that any process can
 * continue them and a restart loses none. The name of an upload begins with the id of its stay, so that access is
 * checked without a look-up. An upload ends with the session that began it: from then on it is not found here, and
 * counts for nothing. Their files are never served.
 */

const { eb, and, or, not, exists, selectFrom } = expressionBuilder<Tables, 'photos_envois'>();

export type UploadRow = Selectable<PhotosEnvoisTable>;

/** Fraction of the disk that photos leave free for everything else. */
const FREE = 0.1;
export const leftByPhotos = (total: number) => total * FREE;

/** Owner table of the pieces of uploads in the file register. */
export const UPLOADS = 'photos_envois';

export const noSuchUpload = () => notFound('Cet envoi n’existe pas ou n’existe plus.');

export function newUploadName(stageId: number): string {
  return `${stageId}-${randomBytes(16).toString('hex')}`;
}

/** Id of the stay that the name of an upload holds; undefined when the name is malformed. */
export function stayOfUpload(name: string): number | undefined {
  const [, stageId] = /^([1-9]\d{0,14})-[0-9a-f]{32}$/.exec(name) ?? [];
  return stageId === undefined ? undefined : Number(stageId);
}

/** Common prefix of the file names of an upload's pieces. */
export function piecesOf({ nom }: Pick<UploadRow, 'nom'>): string {
  return nom.slice(nom.indexOf('-') + 1);
}

/** File name of the piece that starts at an offset, in bytes; padded, so that pieces sort by offset. */
export function newPieceName(upload: Pick<UploadRow, 'nom'>, offset: number): string {
  return `${piecesOf(upload)}-${String(offset).padStart(9, '0')}-${randomBytes(8).toString('hex')}.bin`;
}

/** Uploads whose session has not ended; `at`: the present instant, as text. */
const isOpen = (at: string) =>
  exists(
    selectFrom('sessions')
      .select('sessions.id')
      .whereRef('sessions.id', '=', 'photos_envois.session_id')
      .where('sessions.expire_le', '>', at),
  );

/** Throws 404 when the upload is over, or its session. */
export async function getUpload(db: Access, name: string, now: Date): Promise<UploadRow> {
  return db
    .selectFrom('photos_envois')
    .selectAll()
    .where('nom', '=', name)
    .where(isOpen(now.toISOString()))
    .executeTakeFirstOrThrow(noSuchUpload);
}

export async function insertUpload(db: Access, upload: Insertable<PhotosEnvoisTable>): Promise<void> {
  await db.insertInto('photos_envois').values(upload).execute();
}

/** Counts the bytes of a piece; false when the upload is over, or does not stand at `from`: another one was faster. */
export async function advanceUpload(
  transaction: Access,
  id: number,
  { from, to, at }: { from: number; to: number; at: string },
): Promise<boolean> {
  return hasChanged(
    transaction
      .updateTable('photos_envois')
      .set({ recu: to, modifie_le: at })
      .where('id', '=', id)
      .where('recu', '=', from)
      .where(isOpen(at)),
  );
}

/** Deletes an upload whose pieces are handed over; false when it is over. */
export async function deleteUpload(db: Access, id: number, now: Date): Promise<boolean> {
  return hasChanged(db.deleteFrom('photos_envois').where('id', '=', id).where(isOpen(now.toISOString())));
}

/**
 * Number of uploads of a session under way to a stay, and the bytes that all of them take there: what the session has
 * announced, and what the others have sent. What others have only announced takes nothing from anybody.
 */
async function measureUploads(
  db: Access,
  { stage_id, session_id }: Pick<UploadRow, 'stage_id' | 'session_id'>,
  now: Date,
): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('photos_envois')
    .select((upload) => {
      const own = upload.case().when('session_id', '=', session_id);
      return [
        upload.fn.sum<number | null>(own.then(1).else(0).end()).as('count'),
        upload.fn
          .sum<number | null>(own.then(upload.ref('taille')).else(upload.ref('recu')).end())
          .as('bytes'),
      ];
    })
    .where('stage_id', '=', stage_id)
    .where(isOpen(now.toISOString()))
    .executeTakeFirstOrThrow();
  return { count: Number(count ?? 0), bytes: Number(bytes ?? 0) };
}

/** Drops uploads, in the transaction that makes them useless. Call `tryEraseCondemned` after the commit. */
export async function dropUploads(
  { engine, rowLock }: Pick<Database, 'engine' | 'rowLock'>,
  transaction: Access,
  which: Expression<SqlBool>,
): Promise<void> {
  // Locked first: a piece that arrives at this moment is either seen here, or finds its upload gone.
  const uploads = await transaction
    .selectFrom('photos_envois')
    .select('id')
    .where(which)
    .orderBy('id')
    .modifyEnd(rowLock)
    .execute();
  if (uploads.length === 0) return;
  const ids = uploads.map(({ id }) => id);
  await condemnFiles(transaction, { table: UPLOADS, ids });
  await transaction.deleteFrom('photos_envois').where('id', 'in', jsonIds(engine, ids)).execute();
}

/* Conditions for `dropUploads`. */

export const uploadOf = (id: number) => eb('id', '=', id);

export const uploadsTo = (stageId: number) => eb('stage_id', '=', stageId);

/**
 * Uploads whose session has ended, untouched since an instant, or since a later one when their photo has arrived in full
 * by another upload.
 */
export function uploadsOver(now: Date, since: Date, sinceUseless: Date) {
  const untouched = (instant: Date) => eb('photos_envois.modifie_le', '<', instant.toISOString());
  const hasCome = exists(
    selectFrom('photos')
      .select('photos.id')
      .whereRef('photos.stage_id', '=', 'photos_envois.stage_id')
      .whereRef('photos.empreinte', '=', 'photos_envois.empreinte')
      .where('version', '=', 'complete')
      .where('statut', 'not in', GIVEN_UP),
  );
  return or([not(isOpen(now.toISOString())), untouched(since), and([untouched(sinceUseless), hasCome])]);
}

/* What a stay may take. */

export async function findKnown(
  db: Access,
  { stageId, empreinte }: SentPhoto,
): Promise<PhotoRow | undefined> {
  const [known] = await listByFingerprints(db, stageId, [empreinte]);
  return known;
}

/** Most uploads of one session under way: a sender has a few at a time, and continues those that were interrupted. */
const UNDER_WAY_MAX = 100;

/** Checks, before a byte is sent, that a stay can take an upload; throws 404 or 409. Locks the stay. */
export async function requireReceivable(
  services: Services,
  transaction: Access,
  sent: SentPhoto,
  { session_id, taille }: Pick<UploadRow, 'session_id' | 'taille'>,
): Promise<void> {
  const stay = await getStayToChange(services.database, transaction, sent.stageId);
  await requirePhotos(services, transaction, stay);
  const underWay = await measureUploads(transaction, { stage_id: stay.id, session_id }, services.clock());
  if (underWay.count >= UNDER_WAY_MAX)
    throw conflict(
      `Vous avez déjà ${UNDER_WAY_MAX} envois en cours\u202f: terminez-les, ou reconnectez-vous, ils recommenceront.`,
    );
  await requireRoom(transaction, sent, underWay.bytes + taille);
}

// What is in the bin takes its place as well: otherwise the bin would hold any number of photos.
const FULL =
  ', corbeille comprise\u202f: l’équipe du CSE doit en effacer pour de bon avant qu’il en arrive d’autres.';

export async function requireRoom(db: Access, sent: SentPhoto, bytes: number): Promise<void> {
  const { count, octets } = await measurePhotos(db, sent.stageId);
  if (count >= STAY_PHOTOS && !(await findKnown(db, sent)))
    throw conflict(`Ce séjour a déjà 5\u202f000 photos${FULL}`);
  if (octets + bytes > STAY_BYTES) throw conflict(`Les photos de ce séjour prennent déjà 25\u00a0Go${FULL}`);
}
