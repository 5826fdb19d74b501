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

const { eb, and, or, exists, selectFrom } = expressionBuilder<Tables, 'photos_envois'>();

export type UploadRow = Selectable<Tables['photos_envois']>;

/** In the register: what holds the pieces of uploads. */
export const UPLOADS = 'photos_envois';

export const noSuchUpload = () => notFound('Cet envoi n’existe pas ou n’existe plus.');

/** A new name, which nobody can guess. */
export function newUploadName(stageId: number): string {
  return `${stageId}-${randomBytes(16).toString('hex')}`;
}

/** The stay of an upload; undefined for what is no name of one. */
export function stayOfUpload(name: string): number | undefined {
  const [, stageId] = /^([1-9]\d{0,14})-[0-9a-f]{32}$/.exec(name) ?? [];
  return stageId === undefined ? undefined : Number(stageId);
}

/** What the names of its pieces begin with, so that they stand in their order. */
export function piecesOf({ nom }: Pick<UploadRow, 'nom'>): string {
  return nom.slice(nom.indexOf('-') + 1);
}

/** The file name of what came from an offset on. */
export function newPieceName(upload: Pick<UploadRow, 'nom'>, offset: number): string {
  return `${piecesOf(upload)}-${String(offset).padStart(9, '0')}-${randomBytes(8).toString('hex')}.bin`;
}

/** How many uploads to a stay are under way, and the bytes that they were announced with. */
export async function measureUploads(db: Access, stageId: number): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('photos_envois')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('taille').as('bytes')])
    .where('stage_id', '=', stageId)
    .executeTakeFirstOrThrow();
  return { count, bytes: Number(bytes ?? 0) };
}

/** Drops uploads, in the transaction that makes them useless. `tryEraseCondemned` after the commit. */
export async function dropUploads(
  { engine, rowLock }: Pick<Database, 'engine' | 'rowLock'>,
  transaction: Access,
  which: Expression<SqlBool>,
): Promise<void> {
  // Held first: a piece that comes just then is either seen here, or finds its upload gone.
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

/** For `dropUploads`. */
export const uploadOf = (id: number) => eb('id', '=', id);

export const uploadsTo = (stageId: number) => eb('stage_id', '=', stageId);

/** Time after its last byte at which an upload is not waited for any longer, and of a photo that has come otherwise. */
const WAITED_MS = 7 * DAY_MS;

const USELESS_MS = HOUR_MS;

/**
 * Erases the uploads that nobody has gone on with for a week, or for an hour when their photo has come in full by another
 * one: they hold what the camera wrote, the place too.
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
