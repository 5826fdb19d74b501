import { randomBytes } from 'node:crypto';
import type { Expression, Insertable, Selectable, SqlBool } from 'kysely';
import { expressionBuilder } from 'kysely';
import type { SentPhoto } from '#features/photos/calls.ts';
import { STAY_BYTES, STAY_PHOTOS } from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStays.ts';
import { getStayToChange } from '#features/stays/server/staysStore.ts';
import { jsonIds } from '#platform/server/db/json.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { condemnFiles } from '#platform/server/files/register.ts';
import { conflict, notFound } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { listByFingerprints, measurePhotos, type PhotoRow } from './store.ts';
import type { PhotosEnvoisTable } from './tables.ts';

/*
 * Uploads under way: one row each, and one registered file for the bytes of each request, so that any process can
 * continue them and a restart loses none. The name of an upload begins with the id of its stay, so that access is
 * checked without a look-up. Their files are never served.
 */

const { eb, and, or, exists, selectFrom } = expressionBuilder<Tables, 'photos_envois'>();

export type UploadRow = Selectable<PhotosEnvoisTable>;

/** Fraction of the disk that photos leave free for everything else. */
const FREE = 0.1;
export const leftByPhotos = (total: number) => total * FREE;

/** Owner table of the pieces of uploads in the file register. */
export const UPLOADS = 'photos_envois';

export const noSuchUpload = () => notFound('Cet envoi n’existe pas ou n’existe plus.');

/** A new unguessable name. */
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

/** Throws 404 when the upload is over. */
export async function getUpload(db: Access, name: string): Promise<UploadRow> {
  const upload = await db.selectFrom('photos_envois').selectAll().where('nom', '=', name).executeTakeFirst();
  if (!upload) throw noSuchUpload();
  return upload;
}

export async function insertUpload(db: Access, upload: Insertable<PhotosEnvoisTable>): Promise<void> {
  await db.insertInto('photos_envois').values(upload).execute();
}

/** Number of pieces that have arrived of an upload. */
export async function countPieces(db: Access, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('fichiers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('objet', '=', UPLOADS)
    .where('objet_id', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts the bytes of a piece; false when the upload is over, or does not stand at `from`: another one was faster. */
export async function advanceUpload(
  transaction: Access,
  id: number,
  { from, to, at }: { from: number; to: number; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('photos_envois')
    .set({ recu: to, modifie_le: at })
    .where('id', '=', id)
    .where('recu', '=', from)
    .executeTakeFirst();
  return numUpdatedRows !== 0n;
}

/** Deletes an upload whose pieces are handed over; false when it is over. */
export async function deleteUpload(db: Access, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('photos_envois').where('id', '=', id).executeTakeFirst();
  return numDeletedRows !== 0n;
}

/** Number of uploads under way to a stay, and the sum of their announced sizes in bytes. */
async function measureUploads(db: Access, stageId: number): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('photos_envois')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('taille').as('bytes')])
    .where('stage_id', '=', stageId)
    .executeTakeFirstOrThrow();
  return { count, bytes: Number(bytes ?? 0) };
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

/** Uploads untouched since an instant, or since a later one when their photo has arrived in full by another upload. */
export function uploadsUntouched(since: Date, sinceUseless: Date) {
  const untouched = (instant: Date) => eb('photos_envois.modifie_le', '<', instant.toISOString());
  const hasCome = exists(
    selectFrom('photos')
      .select('photos.id')
      .whereRef('photos.stage_id', '=', 'photos_envois.stage_id')
      .whereRef('photos.empreinte', '=', 'photos_envois.empreinte')
      .where('version', '=', 'complete')
      .where('statut', 'not in', ['illisible', 'corbeille']),
  );
  return or([untouched(since), and([untouched(sinceUseless), hasCome])]);
}

/* What a stay may take. */

export async function findKnown(
  db: Access,
  { stageId, empreinte }: SentPhoto,
): Promise<PhotoRow | undefined> {
  const [known] = await listByFingerprints(db, stageId, [empreinte]);
  return known;
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

// What is in the bin takes its place as well: otherwise the bin would hold any number of photos.
const FULL =
  ', corbeille comprise\u202f: l’équipe du CSE doit en effacer pour de bon avant qu’il en arrive d’autres.';

export async function requireRoom(db: Access, sent: SentPhoto, bytes: number): Promise<void> {
  const { count, octets } = await measurePhotos(db, sent.stageId);
  if (count >= STAY_PHOTOS && !(await findKnown(db, sent)))
    throw conflict(`Ce séjour a déjà 5\u202f000 photos${FULL}`);
  if (octets + bytes > STAY_BYTES) throw conflict(`Les photos de ce séjour prennent déjà 25\u00a0Go${FULL}`);
}
