import { randomBytes } from 'node:crypto';
import type { Expression, Selectable, SqlBool } from 'kysely';
import { expressionBuilder } from 'kysely';
import { jsonIds } from '#platform/server/db/json.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { condemnFiles, tryEraseCondemned } from '#platform/server/files/register.ts';
import { notFound } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/*
 * Uploads under way: one row each, and one registered file for the bytes of each request, so that any process can
 * continue them and a restart loses none. The name of an upload begins with the id of its stay, so that access is
 * checked without a look-up. Their files are never served.
 */

const { eb, and, or, exists, selectFrom } = expressionBuilder<Tables, 'photos_envois'>();

export type UploadRow = Selectable<Tables['photos_envois']>;

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

/** Number of uploads under way to a stay, and the sum of their announced sizes in bytes. */
export async function measureUploads(db: Access, stageId: number): Promise<{ count: number; bytes: number }> {
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

/** Condition for `dropUploads`. */
export const uploadOf = (id: number) => eb('id', '=', id);

export const uploadsTo = (stageId: number) => eb('stage_id', '=', stageId);

/** Milliseconds without a byte after which an upload is dropped. */
const WAITED_MS = 7 * DAY_MS;

/** Like `WAITED_MS`, when the photo has arrived by another upload. */
const USELESS_MS = HOUR_MS;

/**
 * Erases the uploads that nobody has continued for a week, or for an hour when their photo has arrived in full by
 * another one: their files hold what the camera wrote, the location included.
 */
export async function forgetOldUploads(services: Services): Promise<void> {
  const { database, clock } = services;
  const untouchedFor = (ms: number) =>
    eb('photos_envois.modifie_le', '<', new Date(clock().getTime() - ms).toISOString());
  const hasCome = exists(
    selectFrom('photos')
      .select('photos.id')
      .whereRef('photos.stage_id', '=', 'photos_envois.stage_id')
      .whereRef('photos.empreinte', '=', 'photos_envois.empreinte')
      .where('version', '=', 'complete')
      .where('statut', '!=', 'illisible'),
  );
  const which = or([untouchedFor(WAITED_MS), and([untouchedFor(USELESS_MS), hasCome])]);
  await database.write((transaction) => dropUploads(database, transaction, which));
  await tryEraseCondemned(services);
}
