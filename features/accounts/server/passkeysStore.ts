import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';

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

/** Writes a use; false when the passkey has signed this challenge or a later one, or is gone. */
export async function writePasskeyUse(
  db: Access,
  id: number,
  use: Required<Pick<Updateable<Tables['cles_acces']>, 'compteur' | 'vu_le'>> & { defi_le: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cles_acces')
    .set(use)
    .where('id', '=', id)
    .where('defi_le', '<', use.defi_le)
    .executeTakeFirst();
  return numUpdatedRows !== 0n;
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
