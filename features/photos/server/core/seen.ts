import type { ExpressionBuilder } from 'kysely';
import type { PhotosTable } from '#features/photos/server/tables.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import {
  arePhotosOver,
  findStayToChange,
  getStay,
  noSuchStay,
  requireOwnStay,
  type Stay,
} from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';

/* Who sees the photos of a stay, and which of them. */

/** Whether families see a photo by now. */
export function isSeen(
  { statut, publiee_le }: Pick<PhotosTable, 'statut' | 'publiee_le'>,
  now: Date,
): boolean {
  return statut === 'publiee' && publiee_le !== null && publiee_le <= now.toISOString();
}

/** The same as a condition. */
export function seenAt(now: Date) {
  return ({ eb, and }: ExpressionBuilder<Tables, 'photos'>) =>
    and([eb('photos.statut', '=', 'publiee'), eb('photos.publiee_le', '<=', now.toISOString())]);
}

/** The stay, for whoever asks about its photos; 404 for another stay's people, and for all but staff once they are over. */
export async function getPhotoStay(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  db: Access,
  session: Session | undefined,
  stageId: number,
): Promise<Stay> {
  requireOwnStay(session, stageId);
  const stay = await getStay(db, stageId);
  if (session?.role === 'admin') return stay;
  if (arePhotosOver(stay, await readSettings(db, config), config, clock())) throw noSuchStay();
  return stay;
}

/** The same, held: until the end of the transaction nobody else changes its photos. */
export async function holdPhotoStay(
  services: Services,
  transaction: Access,
  session: Session | undefined,
  stageId: number,
): Promise<Stay> {
  requireOwnStay(session, stageId);
  await findStayToChange(services.database, transaction, stageId);
  return getPhotoStay(services, transaction, session, stageId);
}
