import type { Stay } from '#features/stays/server/staysStore.ts';
import { type Access, type Database, hasChanged } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { dayAt } from '#platform/shared/time.ts';

/*
 * What is remembered of the example: a record for each item that is to come or has come, which goes when the
 * item is taken out. The key is unique, so that no item comes twice.
 */

export type ExampleRecord = Pick<Tables['exemples'], 'cle' | 'objet' | 'objet_id'>;

const COLUMNS = ['cle', 'objet', 'objet_id'] as const;

/** Records the items that are to come, but for those that have a record already. */
export async function planItems(db: Access, items: readonly { cle: string; table: string }[]): Promise<void> {
  await db
    .insertInto('exemples')
    .values(items.map(({ cle, table }) => ({ cle, objet: table, objet_id: null })))
    .onConflict((clash) => clash.column('cle').doNothing())
    .execute();
}

export async function listRecords(db: Access): Promise<ExampleRecord[]> {
  return db.selectFrom('exemples').select(COLUMNS).orderBy('id').execute();
}

/** Lists the records in the order of the example, and locks them until the end of the transaction. */
export async function listRecordsToChange(database: Database, transaction: Access): Promise<ExampleRecord[]> {
  return transaction
    .selectFrom('exemples')
    .select(COLUMNS)
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
}

export async function findRecord(db: Access, cle: string): Promise<ExampleRecord | undefined> {
  return db.selectFrom('exemples').select(COLUMNS).where('cle', '=', cle).executeTakeFirst();
}

/** False when the item is not awaited: it has come already, or is wanted no longer. */
export async function markInPlace(db: Access, cle: string, id: number): Promise<boolean> {
  return hasChanged(
    db.updateTable('exemples').set({ objet_id: id }).where('cle', '=', cle).where('objet_id', 'is', null),
  );
}

export async function deleteAwaited(db: Access, cle: string): Promise<void> {
  await db.deleteFrom('exemples').where('cle', '=', cle).where('objet_id', 'is', null).execute();
}

export async function deleteRecord(db: Access, cle: string): Promise<void> {
  await db.deleteFrom('exemples').where('cle', '=', cle).execute();
}

/**
 * Whether a stay is as the site added it: nobody changed it, its children, review or days, and it has no directors,
 * photos, photo confirmations or evaluations by families.
 */
export async function isStayUntouched(
  db: Access,
  { id, version, created_at }: Stay,
  timeZone: string,
): Promise<boolean> {
  if (version !== 1) return false;
  const ofStay = (
    table: 'stagiaires' | 'bilans' | 'jours' | 'affectations' | 'photos' | 'attestations' | 'livrets',
  ) =>
    db
      .selectFrom(table as 'stagiaires')
      .select('stage_id')
      .where('stage_id', '=', id)
      .limit(1);
  const changes = [
    ...(['stagiaires', 'bilans', 'jours'] as const).map((table) =>
      ofStay(table).where('modifie_le', '>', created_at),
    ),
    ...(['affectations', 'photos', 'attestations', 'livrets'] as const).map(ofStay),
    // Those of the example are dated from the end of their stay, which was over when the site added it.
    db
      .selectFrom('evaluations')
      .select('stage_id')
      .where('stage_id', '=', id)
      .where('jour', '>=', dayAt(new Date(created_at), timeZone))
      .limit(1),
  ];
  for (const change of changes) if (await change.executeTakeFirst()) return false;
  return true;
}
