import type { Access, Database } from '#platform/server/db/open.ts';
import type { Stay } from './staysStore.ts';

/* Stays between the end of their photos (`fini_le`) and their erasure (`efface_le`). */

/** The stays that are not erased. */
export function listKept(db: Access): Promise<Stay[]> {
  return db.selectFrom('stages').selectAll().where('efface_le', 'is', null).orderBy('id').execute();
}

/** Like `listKept`, those that ended before a day or are marked as over; locked until the transaction ends. */
export function listEndedToChange({ rowLock }: Database, transaction: Access, day: string): Promise<Stay[]> {
  return transaction
    .selectFrom('stages')
    .selectAll()
    .where('efface_le', 'is', null)
    .where((where) => where.or([where('date_fin', '<', day), where('fini_le', 'is not', null)]))
    .orderBy('id')
    .modifyEnd(rowLock)
    .execute();
}

/** Erased stays, one or all, locked until the transaction ends. */
export function listErasedToChange({ rowLock }: Database, transaction: Access, stageId?: number) {
  return (
    transaction
      .selectFrom('stages')
      .selectAll()
      .where('efface_le', 'is not', null)
      .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
      // Always in the same order, so that two transactions that lock several stays cannot deadlock.
      .orderBy('id')
      .modifyEnd(rowLock)
      .execute()
  );
}

type Ending = Partial<
  Pick<Stay, 'fini_le' | 'efface_le' | 'prevenu_pour' | 'mdp_formateur' | 'mdp_stagiaire'>
>;

/** Writes how far a stay has come to its end; its version stays, as nobody edits this in a form. */
export async function writeEnding(db: Access, id: number, change: Ending): Promise<void> {
  await db.updateTable('stages').set(change).where('id', '=', id).execute();
}

/**
 * Clears `fini_le`, for one stay or for all, after a change of the stay or of the retention: the day between the end
 * of the photos and their erasure starts anew.
 */
export async function forgetEnded(transaction: Access, stageId?: number): Promise<void> {
  await transaction
    .updateTable('stages')
    .set({ fini_le: null })
    .where('fini_le', 'is not', null)
    .where('efface_le', 'is', null)
    .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
    .execute();
}
