import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';

/* The troubles that are there or were until lately, each known by the key of its check. */

/** Locks them until the transaction ends. */
export function listAlertsToChange(database: Database, transaction: Access): Promise<Tables['alertes'][]> {
  return transaction.selectFrom('alertes').selectAll().orderBy('cle').modifyEnd(database.rowLock).execute();
}

/** Records that troubles are there. */
export async function putSeen(transaction: Access, keys: readonly string[], now: Date): Promise<void> {
  const vue_le = now.toISOString();
  for (const cle of keys)
    await transaction
      .insertInto('alertes')
      .values({ cle, vue_le, dite_le: null })
      .onConflict((clash) => clash.column('cle').doUpdateSet({ vue_le }))
      .execute();
}

/** Records that a mail reported troubles. */
export async function writeTold(transaction: Access, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  const dite_le = now.toISOString();
  await transaction.updateTable('alertes').set({ dite_le }).where('cle', 'in', keys).execute();
}

export async function deleteAlerts(transaction: Access, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await transaction.deleteFrom('alertes').where('cle', 'in', keys).execute();
}
