import type { Access } from '#platform/server/db/database.ts';

/* The bin of photos: those that were thrown away, until they are put back or erased for good. */

export async function listStaysDue(db: Access, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('photos')
    .select('stage_id')
    .distinct()
    .where('jetee_le', 'is not', null)
    .where('effacement_le', '<=', now.toISOString())
    .execute();
  return rows.map(({ stage_id }) => stage_id);
}

export function listDue(db: Access, stageId: number, now: Date, limit: number) {
  return db
    .selectFrom('photos')
    .select(['id', 'stage_id', 'empreinte'])
    .where('stage_id', '=', stageId)
    .where('jetee_le', 'is not', null)
    .where('effacement_le', '<=', now.toISOString())
    .limit(limit)
    .execute();
}

/** Stays with photos in the bin that staff have to confirm, by name, and how many. */
export function countToConfirm(db: Access) {
  return db
    .selectFrom('photos')
    .innerJoin('stages', 'stages.id', 'photos.stage_id')
    .select(({ fn }) => ['nom_stage', fn.countAll<number>().as('nombre')])
    .where('jetee_le', 'is not', null)
    .where('effacement_le', 'is', null)
    .groupBy(['stages.id', 'nom_stage'])
    .orderBy('nom_stage')
    .execute();
}
