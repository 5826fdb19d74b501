import type { Insertable, Selectable, Updateable } from 'kysely';
import { type Access, countChanged, countRows, hasChanged } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { tokenHash } from '#platform/server/sessionsStore.ts';

/* The second factors of admins, confirmed or not, and their recovery codes. */

type FactorRow = Selectable<Tables['seconds_facteurs']>;

export function findFactor(db: Access, adminId: number): Promise<FactorRow | undefined> {
  return db.selectFrom('seconds_facteurs').selectAll().where('admin_id', '=', adminId).executeTakeFirst();
}

export function listSealedFactors(db: Access) {
  return db.selectFrom('seconds_facteurs').select(['admin_id', 'secret']).execute();
}

/** Stores a secret to confirm, in place of an unconfirmed one; false when the admin has a confirmed one. */
export async function putUnconfirmed(db: Access, adminId: number, secret: string): Promise<boolean> {
  return hasChanged(
    db
      .insertInto('seconds_facteurs')
      .values({ admin_id: adminId, actif_le: null, secret })
      .onConflict((clash) =>
        clash.column('admin_id').doUpdateSet({ secret }).where('seconds_facteurs.actif_le', 'is', null),
      ),
  );
}

/** Confirms a secret by the code of a step; false when it was confirmed or replaced since it was read. */
export async function confirmFactor(db: Access, row: FactorRow, pas: number, now: Date): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('seconds_facteurs')
      .set({ actif_le: now.toISOString(), pas })
      .where('admin_id', '=', row.admin_id)
      .where('actif_le', 'is', null)
      .where('secret', '=', row.secret),
  );
}

/** Uses up the code of a step; false when it, or that of a later step, was used already. */
export async function raiseStep(db: Access, adminId: number, pas: number): Promise<boolean> {
  return hasChanged(
    db.updateTable('seconds_facteurs').set({ pas }).where('admin_id', '=', adminId).where('pas', '<', pas),
  );
}

export async function writeSecret(db: Access, adminId: number, secret: string): Promise<void> {
  await db.updateTable('seconds_facteurs').set({ secret }).where('admin_id', '=', adminId).execute();
}

export async function deleteSecondFactor(db: Access, adminId: number): Promise<boolean> {
  return hasChanged(
    db.deleteFrom('seconds_facteurs').where('admin_id', '=', adminId).where('actif_le', 'is not', null),
  );
}

/** Deletes all applications and recovery codes: only a key that is lost can check them. */
export async function forgetSecondFactors(db: Access): Promise<void> {
  await db.deleteFrom('seconds_facteurs').execute();
  await db.deleteFrom('codes_secours').execute();
}

export async function countRecoveryCodes(db: Access, adminId: number): Promise<number> {
  return countRows(db.selectFrom('codes_secours').where('admin_id', '=', adminId));
}

export async function writeRecoveryCodes(db: Access, adminId: number, hashes: string[]): Promise<void> {
  await db.deleteFrom('codes_secours').where('admin_id', '=', adminId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('codes_secours')
    .values(hashes.map((empreinte) => ({ admin_id: adminId, empreinte })))
    .execute();
}

export async function deleteRecoveryCode(db: Access, adminId: number, hash: string): Promise<boolean> {
  return hasChanged(
    db.deleteFrom('codes_secours').where('admin_id', '=', adminId).where('empreinte', '=', hash),
  );
}

/* Passkeys, and the challenges that they have signed. */

type PasskeyRow = Selectable<Tables['cles_acces']>;

export function listPasskeys(db: Access, adminId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('cles_acces').selectAll().where('admin_id', '=', adminId).orderBy('id').execute();
}

export function listAllPasskeys(db: Access): Promise<Pick<PasskeyRow, 'admin_id' | 'created_at'>[]> {
  return db.selectFrom('cles_acces').select(['admin_id', 'created_at']).orderBy('id').execute();
}

export function findPasskey(db: Access, identifiant: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('cles_acces').selectAll().where('identifiant', '=', identifiant).executeTakeFirst();
}

/** False when the credential is stored already, whoever it is of. */
export async function insertPasskey(db: Access, values: Insertable<Tables['cles_acces']>): Promise<boolean> {
  return hasChanged(
    db
      .insertInto('cles_acces')
      .values(values)
      .onConflict((clash) => clash.column('identifiant').doNothing()),
  );
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
  return hasChanged(
    transaction
      .insertInto('defis')
      .values({ empreinte: tokenHash(challenge), expire_le: end.toISOString() })
      .onConflict((clash) => clash.doNothing()),
  );
}

export async function deleteChallenges(transaction: Access, now: Date): Promise<void> {
  await transaction.deleteFrom('defis').where('expire_le', '<=', now.toISOString()).execute();
}

/** Deletes one of an admin's own passkeys, or all; returns how many there were. */
export async function deletePasskeys(db: Access, adminId: number, id?: number): Promise<number> {
  return countChanged(
    db
      .deleteFrom('cles_acces')
      .where('admin_id', '=', adminId)
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0)),
  );
}
