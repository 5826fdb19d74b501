import { type Selectable, sql } from 'kysely';
import { type Access, type Database, databaseTrouble, insertedId } from '#platform/server/db/database.ts';
import { jsonList } from '#platform/server/db/json.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { HttpError, notFound } from '#platform/server/errors.ts';
import {
  countClosed,
  generatePassword,
  OpenedPassword,
  type Sealed,
  type Secrets,
} from '#platform/server/secrets.ts';
import { endSessions, type Session } from '#platform/server/sessionsStore.ts';
import { nameKey } from '#platform/shared/fold.ts';
import { PASSWORD_TYPES, type PasswordType, type Role } from '#platform/shared/roles.ts';

/*
 * The stays of the database, shared by several features: identity keys, access checks, passwords, and the rows
 * themselves.
 */

export type Stay = Selectable<Tables['stages']>;
type PasswordColumn = `mdp_${PasswordType}`;

export const PASSWORD_ROLES = { formateur: 'director', stagiaire: 'family' } as const satisfies Record<
  PasswordType,
  Role
>;

export function namedOf({ id, nom_stage, date_debut, date_fin }: Stay) {
  return { id, nom_stage, date_debut, date_fin };
}

/** Identity key of a stay: two stays of the same name and dates are the same stay. */
export function stayKey(stay: Pick<Stay, 'nom_stage' | 'date_debut' | 'date_fin'>): string {
  return [nameKey(stay.nom_stage), stay.date_debut, stay.date_fin].join('|');
}

/** Identity key of a child within its stay: the same first and last names are the same child. */
export function childKey({ nom, prenom }: { nom: string; prenom: string }): string {
  return `${nameKey(nom)}|${nameKey(prenom)}`;
}

export async function getStay(db: Access, id: number): Promise<Stay> {
  const stay = await findStay(db, id);
  if (!stay) throw noSuchStay();
  return stay;
}

export function findStay(db: Access, id: number): Promise<Stay | undefined> {
  return db.selectFrom('stages').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function getStayByKey(db: Access, named: Parameters<typeof stayKey>[0]): Promise<Stay> {
  return db
    .selectFrom('stages')
    .selectAll()
    .where('cle', '=', stayKey(named))
    .executeTakeFirstOrThrow(noSuchStay);
}

/** The stays of this name, however spelt, by their dates. */
export async function listStaysNamed(db: Access, name: string): Promise<Stay[]> {
  const stays = await db.selectFrom('stages').selectAll().orderBy('date_debut').orderBy('date_fin').execute();
  return stays.filter((stay) => nameKey(stay.nom_stage) === nameKey(name));
}

/** Reads and locks a stay until the transaction ends: its passwords, dates and sign-ins cannot change meanwhile. */
export function findStayToChange(
  database: Database,
  transaction: Access,
  id: number,
): Promise<Stay | undefined> {
  return transaction
    .selectFrom('stages')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(database.rowLock)
    .executeTakeFirst();
}

/** Reads and locks those of the given stays that exist, by their ids, until the transaction ends. */
export async function holdStays(
  database: Database,
  transaction: Access,
  ids: readonly number[],
): Promise<Map<number, Stay>> {
  if (ids.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('stages')
    .selectAll()
    .where('id', 'in', ids)
    // Always in the same order, so that two transactions that lock several stays cannot deadlock.
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
  return new Map(rows.map((stay) => [stay.id, stay]));
}

export async function getStayToChange(database: Database, transaction: Access, id: number): Promise<Stay> {
  const stay = await findStayToChange(database, transaction, id);
  if (!stay) throw noSuchStay();
  return stay;
}

export const noSuchStay = () => notFound('Ce séjour n’existe pas ou n’existe plus.');

/** Throws 404 for a family or a director of another stay: to them, no stay but their own exists. */
export function requireOwnStay(session: Session | undefined, stageId: number): void {
  if (session?.role !== 'admin' && session?.stageId !== stageId) throw noSuchStay();
}

export type StayPasswords = Pick<Stay, 'id' | PasswordColumn>;

/** Whether a stay has passwords: not once they were erased with its families, or cleared after the key was lost. */
export function hasPasswords(stay: StayPasswords): boolean {
  return stay.mdp_formateur !== '';
}

/** Decrypts a stored password; throws when it was moved from another stay or type. */
export function openStayPassword(secrets: Secrets, stay: StayPasswords, type: PasswordType): OpenedPassword {
  return new OpenedPassword(secrets.open(stay[`mdp_${type}`], sealContext(stay.id, type)));
}

/** Encrypts a password for storage, bound to its stay and type. */
export function sealStayPassword(
  secrets: Secrets,
  stageId: number,
  type: PasswordType,
  password: string,
): string {
  return secrets.seal(password, sealContext(stageId, type));
}

function sealContext(stageId: number, type: PasswordType): string {
  return `stage:${stageId}:${type}`;
}

/** Stores the given passwords of a stay, encrypted; types that are not given keep their password. */
export async function writeStayPasswords(
  db: Access,
  secrets: Secrets,
  stageId: number,
  passwords: Partial<Record<PasswordType, string>>,
): Promise<void> {
  const sealed = Object.fromEntries(
    (Object.keys(passwords) as PasswordType[]).map((type) => [
      `mdp_${type}`,
      sealStayPassword(secrets, stageId, type, passwords[type] ?? ''),
    ]),
  ) as Partial<Record<PasswordColumn, string>>;
  await db.updateTable('stages').set(sealed).where('id', '=', stageId).execute();
}

/** What staff allow the families of a stay; what is not given stays. */
export async function writeAccess(
  transaction: Access,
  stageId: number,
  allowed: { mdp_commun?: number; soir?: number },
): Promise<void> {
  await transaction.updateTable('stages').set(allowed).where('id', '=', stageId).execute();
}

/** Raises the version of a stay, so that forms and imports based on the old one are recognised as stale. */
export async function raiseVersion(transaction: Access, stageId: number, now: Date): Promise<void> {
  await transaction
    .updateTable('stages')
    .set((expression) => ({ version: expression('version', '+', 1), modifie_le: now.toISOString() }))
    .where('id', '=', stageId)
    .execute();
}

function listSealedStays(db: Access): Promise<StayPasswords[]> {
  return db
    .selectFrom('stages')
    .select(['id', 'mdp_formateur', 'mdp_stagiaire'])
    .where('mdp_formateur', '!=', '')
    .execute();
}

/** Re-encrypts all passwords of stays with the next key, including those that an import's undo would restore. */
async function resealStayPasswords(transaction: Access, secrets: Secrets, next: Secrets): Promise<void> {
  const resealed = <T extends string | null>(sealed: T, id: number, type: PasswordType): T =>
    (sealed ? next.seal(secrets.open(sealed, sealContext(id, type)), sealContext(id, type)) : sealed) as T;
  for (const { id, mdp_formateur, mdp_stagiaire } of await listSealedStays(transaction)) {
    await transaction
      .updateTable('stages')
      .set({
        mdp_formateur: resealed(mdp_formateur, id, 'formateur'),
        mdp_stagiaire: resealed(mdp_stagiaire, id, 'stagiaire'),
      })
      .where('id', '=', id)
      .execute();
  }
  const undone = await transaction
    .selectFrom('imports_sejours')
    .select(['id', 'stage_id', 'avant_mdp_formateur', 'avant_mdp_stagiaire'])
    .execute();
  for (const { id, stage_id, avant_mdp_formateur, avant_mdp_stagiaire } of undone) {
    await transaction
      .updateTable('imports_sejours')
      .set({
        avant_mdp_formateur: resealed(avant_mdp_formateur, stage_id, 'formateur'),
        avant_mdp_stagiaire: resealed(avant_mdp_stagiaire, stage_id, 'stagiaire'),
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Clears all passwords of stays, which only a lost key could decrypt; the next start generates new ones. */
async function forgetStayPasswords(transaction: Access): Promise<void> {
  await transaction
    .updateTable('stages')
    .set({ mdp_formateur: '', mdp_stagiaire: '' })
    // The undo of an import must not restore passwords that nothing decrypts.
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .execute();
  await transaction
    .updateTable('imports_sejours')
    .set({ avant_mdp_formateur: null, avant_mdp_stagiaire: null })
    .execute();
}

export const sealedStays: Sealed = {
  label: 'séjours',
  place: 2,
  countClosed: async (db, secrets) =>
    countClosed(await listSealedStays(db), (stay) =>
      (Object.keys(PASSWORD_TYPES) as PasswordType[]).map((type) => openStayPassword(secrets, stay, type)),
    ),
  reseal: resealStayPasswords,
  async forget(transaction) {
    await forgetStayPasswords(transaction);
    for (const role of ['director', 'family'] as const) await endSessions(transaction, { role });
  },
};

/** Generates passwords for the stays whose old ones were cleared. */
export async function ensureStayPasswords(database: Database, secrets: Secrets): Promise<void> {
  await database.write(async (transaction) => {
    const stays = await transaction
      .selectFrom('stages')
      .select('id')
      .where('mdp_formateur', '=', '')
      // A stay whose people were erased after its photos ended has no passwords.
      .where('efface_le', 'is', null)
      .modifyEnd(database.rowLock)
      .execute();
    for (const { id } of stays) await writeStayPasswords(transaction, secrets, id, bothPasswords());
  });
}

export function bothPasswords(
  given: Partial<Record<PasswordType, string>> = {},
): Record<PasswordType, string> {
  const { formateur = generatePassword(), stagiaire = generatePassword() } = given;
  return { formateur, stagiaire };
}

/** The values given for a new stay; the other columns are derived or have defaults. */
export type NewStay = Pick<Stay, 'nom_stage' | 'date_debut' | 'date_fin'> &
  Partial<Pick<Stay, 'adresse' | 'horaires' | 'telephone_urgence' | 'consignes' | 'conservation_jours'>>;

/** Adds a stay with its two passwords, generated where none is given; returns its id. */
export async function insertStay(
  transaction: Access,
  secrets: Secrets,
  stay: NewStay,
  now: Date,
  passwords: Partial<Record<PasswordType, string>> = {},
): Promise<number> {
  const at = now.toISOString();
  const id = await insertedId(
    transaction.insertInto('stages').values({
      conservation_jours: null,
      ...stay,
      cle: stayKey(stay),
      // Encrypted once the id is known: the id is part of the encryption context.
      mdp_formateur: '',
      mdp_stagiaire: '',
      created_at: at,
      modifie_le: at,
    }),
  );
  await writeStayPasswords(transaction, secrets, id, bothPasswords(passwords));
  return id;
}

export type CountedStay = Stay & Record<Counted, number>;

const COUNTED = {
  familles: 'stagiaires',
  directeurs: 'affectations',
  photos: 'photos',
  livrets: 'livrets',
  bilans: 'bilans',
  evaluations: 'evaluations',
} as const;
type Counted = keyof typeof COUNTED;

/** All stays, the latest first, as in every list of stays. */
export function listStays(db: Access): Promise<Stay[]> {
  return db.selectFrom('stages').selectAll().orderBy('date_debut', 'desc').orderBy('id', 'desc').execute();
}

/**
 * The public columns of all stays as JSON, the latest first. `names`: the name of each column in the JSON. Unless
 * `isWhole`, all but the id are blank, and the order says nothing of the dates.
 */
export function listPublicStays(
  { db, engine }: Database,
  names: Readonly<Partial<Record<keyof Stay, string>>>,
  isWhole: boolean,
): Promise<Buffer> {
  const columns = Object.entries(names).map(([column, name]) => ({
    name,
    value: isWhole || column === 'id' ? `"${column}"` : "''",
  }));
  if (!isWhole) return jsonList(db, engine, columns, sql`from stages order by id desc`);
  return jsonList(db, engine, columns, sql`from stages order by date_debut desc, id desc`);
}

export function listCountedStays(db: Access): Promise<CountedStay[]> {
  return counted(db).orderBy('date_debut', 'desc').orderBy('stages.id', 'desc').execute();
}

/** Stays that are not past on `today`, the soonest first. */
export function listComingStays(db: Access, today: string): Promise<CountedStay[]> {
  return counted(db).where('date_fin', '>=', today).orderBy('date_debut').orderBy('stages.id').execute();
}

export async function getCountedStay(db: Access, id: number): Promise<CountedStay> {
  return counted(db).where('stages.id', '=', id).executeTakeFirstOrThrow(noSuchStay);
}

function counted(db: Access) {
  return db
    .selectFrom('stages')
    .selectAll('stages')
    .select(({ selectFrom }) =>
      (Object.keys(COUNTED) as Counted[]).map((name) => {
        const table = COUNTED[name];
        return selectFrom(table)
          .whereRef(`${table}.stage_id`, '=', 'stages.id')
          .select(({ fn }) => fn.countAll<number>().as('nombre'))
          .$asScalar()
          .$notNull()
          .as(name);
      }),
    );
}

/** Changes a stay and raises its version, so that a form drawn from the old one is recognised as stale. */
export async function updateStay(db: Access, id: number, values: NewStay, now: Date): Promise<void> {
  await db
    .updateTable('stages')
    .set({ ...values, cle: stayKey(values), modifie_le: now.toISOString() })
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Deletes a stay with its director assignments, families, review and evaluations; not the files of its booklets. */
export async function deleteStay(db: Access, id: number): Promise<void> {
  await db.deleteFrom('stages').where('id', '=', id).execute();
}

const TAKEN = 'Un séjour du même nom et aux mêmes dates existe déjà.';

/** Awaits `work`; throws 409 when another stay has this name and these dates, which only the database can tell. */
export async function unlessTaken<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (databaseTrouble(error) !== 'duplicate') throw error;
    const why = 'un autre séjour porte ce nom à ces dates.';
    throw new HttpError(409, TAKEN, { champs: { nom_stage: why } });
  }
}
