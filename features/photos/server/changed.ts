import type { Access } from '#platform/server/db/open.ts';
import { seenAt } from './core/seen.ts';
import type { PhotoRow, Viewer } from './store.ts';

/** What has changed in the photos of a stay since somebody read them. */

/** The last change of a stay's photos; 0 before the first. */
export async function readNumber(db: Access, stageId: number): Promise<number> {
  const row = await db
    .selectFrom('photos_flux')
    .select('numero')
    .where('stage_id', '=', stageId)
    .executeTakeFirst();
  return row?.numero ?? 0;
}

/** Photos that changed after a number, or that became visible after an instant; of families', those they see or saw. */
export function listChanged(
  db: Access,
  stageId: number,
  since: { numero: number; instant: Date },
  { isFamily, now }: Viewer,
  limit: number,
): Promise<PhotoRow[]> {
  return db
    .selectFrom('photos')
    .selectAll()
    .where('stage_id', '=', stageId)
    .where((expression) => {
      const { eb, and, or } = expression;
      const isShown = seenAt(now)(expression);
      const hasCome = and([isShown, eb('publiee_le', '>', since.instant.toISOString())]);
      const isTheirs = or([isShown, eb('cachee', '>', since.numero)]);
      const hasChanged = eb('numero', '>', since.numero);
      return or([isFamily ? and([hasChanged, isTheirs]) : hasChanged, hasCome]);
    })
    .limit(limit)
    .execute();
}

/** Photos that were erased after a number; of families', those they saw until after it. */
export async function listErased(
  db: Access,
  stageId: number,
  { numero }: { numero: number },
  { isFamily }: Viewer,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('photos_effacees')
    .select('photo_id')
    .where('stage_id', '=', stageId)
    .where('numero', '>', numero)
    .$if(isFamily, (query) => query.where('cachee', '>', numero))
    .limit(limit)
    .execute();
  return rows.map(({ photo_id }) => photo_id);
}
