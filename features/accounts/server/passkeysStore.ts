import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Access } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { tokenHash } from '#platform/server/sessionsStore.ts';

type PasskeyRow = Selectable<Tables['cles_acces']>;

/** The passkeys of an admin, the oldest first. */
export function listPasskeys(db: Access, adminId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('cles_acces').selectAll().where('admin_id', '=', adminId).orderBy('id').execute();
}

/** The passkeys of all admins, the oldest first. */
export function listAllPasskeys(db: Access): Promise<Pick<PasskeyRow, 'admin_id' | 'created_at'>[]> {
  return db.selectFrom('cles_acces').select(['admin_id', 'created_at']).orderBy('id').execute();
}

/** The passkey of a credential id. */
export function findPasskey(db: Access, identifiant: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('cles_acces').selectAll().where('identifiant', '=', identifiant).executeTakeFirst();
}

/** False when the credential is stored already, whoever it is of. */
export async function insertPasskey(db: Access, values: Insertable<Tables['cles_acces']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('cles_acces')
    .values(values)
    .onConflict((clash) => clash.column('identifiant').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}

export async function writePasskeyUse(
  db: Access,
  id: number,
  use: Required<Pick<Updateable<Tables['cles_acces']>, 'compteur' | 'vu_le' | 'defi_le'>>,
): Promise<void> {
  await db.updateTable('cles_acces').set(use).where('id', '=', id).execute();
}

/** Keeps a challenge as used until `end`; false when it was used before. Of two at once, one waits for the other. */
export async function takeOnce(transaction: Access, challenge: string, end: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('defis')
    .values({ empreinte: tokenHash(challenge), expire_le: end.toISOString() })
    .onConflict((clash) => clash.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Deletes the used challenges that are not kept any longer. */
export async function deleteChallenges(transaction: Access, now: Date): Promise<void> {
  await transaction.deleteFrom('defis').where('expire_le', '<=', now.toISOString()).execute();
}

/** Deletes one of an admin's own passkeys, or all; returns how many there were. */
export async function deletePasskeys(db: Access, adminId: number, id?: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('cles_acces')
    .where('admin_id', '=', adminId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
