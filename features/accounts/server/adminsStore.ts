import type { Selectable } from 'kysely';
import { holds } from '#platform/server/db/conditions.ts';
import {
  type Access,
  countRows,
  type Database,
  databaseTrouble,
  hasChanged,
} from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { conflict, notFound } from '#platform/server/errors.ts';
import type { KeptPlace } from '#platform/server/personalData.ts';
import { endSessions, isToken, tokenHash } from '#platform/server/sessionsStore.ts';
import { folded } from '#platform/shared/fold.ts';
import { ALL_RIGHTS, type Right } from '#platform/shared/roles.ts';

export type AdminRow = Selectable<Tables['admins']>;

export function listAdmins(db: Access): Promise<AdminRow[]> {
  return db.selectFrom('admins').selectAll().orderBy('cle').orderBy('id').execute();
}

export function findAdminByName(db: Access, username: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('cle', '=', folded(username)).executeTakeFirst();
}

export async function getAdmin(db: Access, id: number): Promise<AdminRow> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirstOrThrow(noSuchAdmin);
}

interface NewAdmin {
  email: string;
  rights: readonly Right[];
  /** The password was made up and printed by the site. */
  isProvisional: boolean;
  /** By when they need a second factor; null: none is asked for. */
  factorBefore: string | null;
  invitation: Invitation | undefined;
}

export type Invitation = Pick<AdminRow, 'lien' | 'jeton' | 'invite_jusqua'>;
const NOT_INVITED: Invitation = { lien: null, jeton: null, invite_jusqua: null };

/** Throws 409 when the name is taken. */
export async function insertAdmin(
  db: Access,
  username: string,
  passwordHash: string,
  now: Date,
  {
    email = '',
    rights = ALL_RIGHTS,
    isProvisional = false,
    factorBefore = null,
    invitation = NOT_INVITED,
  }: Partial<NewAdmin> = {},
): Promise<AdminRow> {
  return db
    .insertInto('admins')
    .values({
      username,
      cle: folded(username),
      mot_de_passe: passwordHash,
      created_at: now.toISOString(),
      vu_le: null,
      email,
      droits: rightsColumn(rights),
      provisoire: isProvisional ? 1 : 0,
      facteur_avant: factorBefore,
      ...invitation,
    })
    .onConflict((clash) => clash.column('cle').doNothing())
    .returningAll()
    .executeTakeFirstOrThrow(nameTaken);
}

export async function holdAdmin(database: Database, transaction: Access, id: number): Promise<void> {
  await transaction
    .selectFrom('admins')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(database.rowLock)
    .execute();
}

/** The session and the device that a call comes from; absent: none of the account. */
export interface Here {
  sessionId?: number | undefined;
  /** Hash of the cookie of the device. */
  device?: string | undefined;
}

/**
 * Throws 404 when there is no such admin, 409 when the name is taken. A new password ends the sessions of the account and
 * forgets its devices, except what is `here`: a thief may have either. It ends an invitation, and so does a new address.
 */
export async function updateAdmin(
  transaction: Access,
  id: number,
  change: {
    username?: string | undefined;
    email?: string | undefined;
    passwordHash?: string | undefined;
    rights?: readonly Right[] | undefined;
    invitation?: Invitation | undefined;
  },
  here: Here = {},
): Promise<AdminRow> {
  const admin = await getAdmin(transaction, id);
  const username = change.username ?? admin.username;
  try {
    const changed = await transaction
      .updateTable('admins')
      .set({
        username,
        cle: folded(username),
        email: change.email,
        droits: change.rights && rightsColumn(change.rights),
      })
      .$if(change.passwordHash !== undefined, (query) =>
        query.set({ mot_de_passe: change.passwordHash ?? '', provisoire: 0 }),
      )
      .$if((change.passwordHash ?? change.email) !== undefined, (query) => query.set(NOT_INVITED))
      .$if(change.invitation !== undefined, (query) => query.set(change.invitation ?? NOT_INVITED))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (change.passwordHash !== undefined) await shutElsewhere(transaction, id, here);
    return changed;
  } catch (error) {
    throw databaseTrouble(error) === 'duplicate' ? nameTaken() : error;
  }
}

/** Ends the sessions of an admin and forgets their devices, except what is `here`. */
export async function shutElsewhere(
  transaction: Access,
  adminId: number,
  { sessionId, device }: Here = {},
): Promise<void> {
  await endSessions(transaction, { adminId }, { except: sessionId });
  await transaction
    .deleteFrom('appareils')
    .where('admin_id', '=', adminId)
    .$if(device !== undefined, (query) => query.where('empreinte', '!=', device ?? ''))
    .execute();
}

/** The admin whose invitation a secret opens. */
export async function findInvited(db: Access, secret: string, now: Date): Promise<AdminRow | undefined> {
  if (!isToken(secret)) return undefined;
  return db
    .selectFrom('admins')
    .selectAll()
    .where('jeton', '=', tokenHash(secret))
    .where('invite_jusqua', '>', now.toISOString())
    .executeTakeFirst();
}

export function findByLink(db: Access, lien: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('lien', '=', lien).executeTakeFirst();
}

export async function deleteAdmin(transaction: Access, id: number): Promise<void> {
  if (!(await hasChanged(transaction.deleteFrom('admins').where('id', '=', id)))) throw noSuchAdmin();
}

export function holdAdmins(database: Database, transaction: Access): Promise<AdminRow[]> {
  return transaction.selectFrom('admins').selectAll().orderBy('id').modifyEnd(database.rowLock).execute();
}

const rightsColumn = (rights: readonly Right[]) =>
  ALL_RIGHTS.filter((right) => rights.includes(right)).join(';');

export async function writeFactorBefore(db: Access, id: number, before: string | null): Promise<void> {
  await db.updateTable('admins').set({ facteur_avant: before }).where('id', '=', id).execute();
}

/**
 * Writes by when all admins who have neither an application nor a passkey need one of them; who has a date already keeps
 * it. Null: nobody needs one.
 */
export async function writeFactorsBefore(db: Access, before: string | null): Promise<void> {
  await db
    .updateTable('admins')
    .set({ facteur_avant: before })
    .$if(before !== null, (query) => query.where('facteur_avant', 'is', null))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('seconds_facteurs')
            .select('admin_id')
            .whereRef('admin_id', '=', 'admins.id')
            .where('actif_le', 'is not', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('cles_acces').select('admin_id').whereRef('admin_id', '=', 'admins.id'))),
    )
    .execute();
}

/** Stores the sign-in time of an admin; false when their password has changed since `admin` was read, or they are gone. */
export async function writeSignIn(db: Access, { id, mot_de_passe }: AdminRow, now: Date): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('admins')
      .set({ vu_le: now.toISOString() })
      .where('id', '=', id)
      .where('mot_de_passe', '=', mot_de_passe),
  );
}

/** Notes the use of a device by an admin; true when they had not used it before. */
export async function putDevice(
  db: Access,
  adminId: number,
  empreinte: string,
  use: { vu_le: string; appareil: string; reseau: string },
): Promise<boolean> {
  if (
    await hasChanged(
      db.updateTable('appareils').set(use).where('admin_id', '=', adminId).where('empreinte', '=', empreinte),
    )
  )
    return false;
  await db
    .insertInto('appareils')
    .values({ admin_id: adminId, empreinte, ...use })
    .execute();
  return true;
}

export function listDevices(db: Access, adminId: number) {
  return db
    .selectFrom('appareils')
    .select(['empreinte as id', 'appareil', 'reseau', 'vu_le'])
    .where('admin_id', '=', adminId)
    .orderBy('vu_le', 'desc')
    .orderBy('empreinte')
    .execute();
}

export async function deleteDevice(db: Access, adminId: number, empreinte: string): Promise<boolean> {
  return hasChanged(
    db.deleteFrom('appareils').where('admin_id', '=', adminId).where('empreinte', '=', empreinte),
  );
}

export async function hasDevice(db: Access, adminId: number, empreinte: string): Promise<boolean> {
  const found = db.selectFrom('appareils').where('admin_id', '=', adminId).where('empreinte', '=', empreinte);
  return (await countRows(found)) > 0;
}

export async function deleteDevices(db: Access, before: Date): Promise<void> {
  await db.deleteFrom('appareils').where('vu_le', '<', before.toISOString()).execute();
}

export async function deleteExpiredSessions(transaction: Access, now: Date): Promise<void> {
  for (const table of ['sessions', 'sessions_finies'] as const)
    await transaction.deleteFrom(table).where('expire_le', '<=', now.toISOString()).execute();
}

const noSuchAdmin = () => notFound('Cet administrateur n’existe pas.');

const nameTaken = () => conflict('Cet identifiant est déjà pris.');

/** Staff accounts that have an e-mail address, as their name or to be told of sign-ins: they stay. */
export const accountPlace: KeptPlace = {
  genre: 'administrateurs',
  list: (db, key) =>
    db
      .selectFrom('admins')
      .select(['username', 'email', 'created_at', 'vu_le'])
      .where(({ or, eb }) => or([eb('cle', '=', folded(key)), holds('email', key)]))
      .execute(),
  text: () =>
    'Un compte du portail porte cette adresse, comme identifiant ou pour être prévenu de ses connexions\u202f: elle reste, et se change dans «\u00a0Administrateurs\u00a0».',
};
