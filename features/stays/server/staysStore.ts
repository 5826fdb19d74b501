import { type Selectable, sql } from 'kysely';
import { type PublicSettings, readSettings } from '#features/site/server/settingsStore.ts';
import type { Config } from '#platform/server/config.ts';
import { jsonList } from '#platform/server/db/json.ts';
import { type Access, type Database, databaseTrouble } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { HttpError, notFound } from '#platform/server/http/errors.ts';
import { type Session, shortenSessions } from '#platform/server/http/sessions.ts';
import { generatePassword, type Secrets } from '#platform/server/secrets.ts';
import { nameKey } from '#platform/shared/fold.ts';
import type { PasswordType, Role } from '#platform/shared/roles.ts';
import { dayAfter, dayAt, instantAt } from '#platform/shared/time.ts';

/*
 * What several features need to know of stays: which ones are the same, their passwords, until when they are
 * seen, and whose they are.
 */

export type Stay = Selectable<Tables['stages']>;
type PasswordColumn = `mdp_${PasswordType}`;

/** Whom each password lets in. */
export const PASSWORD_ROLES = { formateur: 'director', stagiaire: 'family' } as const satisfies Record<
  PasswordType,
  Role
>;

/** A stay with the same name and dates is the same stay. */
export function stayKey(stay: Pick<Stay, 'nom_stage' | 'date_debut' | 'date_fin'>): string {
  return [nameKey(stay.nom_stage), stay.date_debut, stay.date_fin].join('|');
}

/** The same names in the same stay are the same child. */
export function childKey({ nom, prenom }: { nom: string; prenom: string }): string {
  return `${nameKey(nom)}|${nameKey(prenom)}`;
}

/** Throws 404 for none. */
export async function getStay(db: Access, id: number): Promise<Stay> {
  const stay = await findStay(db, id);
  if (!stay) throw noSuchStay();
  return stay;
}

export function findStay(db: Access, id: number): Promise<Stay | undefined> {
  return db.selectFrom('stages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The stay, held until the end of the transaction: no password, date or sign-in of it changes meanwhile. */
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

/** The same; throws 404 for none. */
export async function getStayToChange(database: Database, transaction: Access, id: number): Promise<Stay> {
  const stay = await findStayToChange(database, transaction, id);
  if (!stay) throw noSuchStay();
  return stay;
}

export const noSuchStay = () => notFound('Ce séjour n’existe pas ou n’existe plus.');

/** 404 for a family or a director of another stay: to them, theirs is the only one. */
export function requireOwnStay(session: Session | undefined, stageId: number): void {
  if (session?.role !== 'admin' && session?.stageId !== stageId) throw noSuchStay();
}

/** A stay as far as its passwords go. */
export type StayPasswords = Pick<Stay, 'id' | PasswordColumn>;

/** False once they are erased with the families, or forgotten with a lost key. */
export function hasPasswords(stay: StayPasswords): boolean {
  return stay.mdp_formateur !== '';
}

/** A stored password, readable; throws when it was moved from another stay or type. */
export function openStayPassword(secrets: Secrets, stay: StayPasswords, type: PasswordType): string {
  return secrets.open(stay[`mdp_${type}`], sealContext(stay.id, type));
}

/** A password as it is stored. */
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

/** Gives a stay passwords, each as it is named or a generated one; those not named at all stay. */
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

/** Whatever was drawn from the stay as it was is stale from now on. */
export async function raiseVersion(transaction: Access, stageId: number, now: Date): Promise<void> {
  await transaction
    .updateTable('stages')
    .set((expression) => ({ version: expression('version', '+', 1), modifie_le: now.toISOString() }))
    .where('id', '=', stageId)
    .execute();
}

/** Forgets the passwords that only a lost key opens; the next start makes new ones. */
export async function forgetStayPasswords(transaction: Access): Promise<void> {
  await transaction
    .updateTable('stages')
    .set({ mdp_formateur: '', mdp_stagiaire: '' })
    // The undo of an import must not bring back what nothing opens.
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .execute();
  await transaction
    .updateTable('imports_sejours')
    .set({ avant_mdp_formateur: null, avant_mdp_stagiaire: null })
    .execute();
}

/** Seals all passwords of stays with the next key, those included that the undo of an import would bring back. */
export async function resealStayPasswords(
  transaction: Access,
  secrets: Secrets,
  next: Secrets,
): Promise<void> {
  const resealed = <T extends string | null>(sealed: T, id: number, type: PasswordType): T =>
    (sealed ? next.seal(secrets.open(sealed, sealContext(id, type)), sealContext(id, type)) : sealed) as T;
  const stays = await transaction
    .selectFrom('stages')
    .select(['id', 'mdp_formateur', 'mdp_stagiaire'])
    .where('mdp_formateur', '!=', '')
    .execute();
  for (const { id, mdp_formateur, mdp_stagiaire } of stays) {
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

/** Gives passwords to the stays whose old ones were forgotten. */
export async function ensureStayPasswords(database: Database, secrets: Secrets): Promise<void> {
  await database.write(async (transaction) => {
    const stays = await transaction
      .selectFrom('stages')
      .select('id')
      .where('mdp_formateur', '=', '')
      // Those whose photos are over have none.
      .where('efface_le', 'is', null)
      .modifyEnd(database.rowLock)
      .execute();
    for (const { id } of stays) await writeStayPasswords(transaction, secrets, id, bothPasswords());
  });
}

/** The given passwords, generated where none is. */
export function bothPasswords(
  given: Partial<Record<PasswordType, string>> = {},
): Record<PasswordType, string> {
  const { formateur = generatePassword(), stagiaire = generatePassword() } = given;
  return { formateur, stagiaire };
}

/** What a new stay is made of; the rest follows. */
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
  const { id } = await transaction
    .insertInto('stages')
    .values({
      conservation_jours: null,
      ...stay,
      cle: stayKey(stay),
      // Sealed once the id is known, which is part of the seal.
      mdp_formateur: '',
      mdp_stagiaire: '',
      created_at: at,
      modifie_le: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeStayPasswords(transaction, secrets, id, bothPasswords(passwords));
  return id;
}

/**
 * The last day on which the photos of a stay are seen: its retention counts from its end, or from the day it was recorded
 * when that is later. `days` is what the settings say.
 */
export function lastPhotoDay(
  stay: Pick<Stay, 'date_fin' | 'created_at' | 'conservation_jours'>,
  days: number,
  timeZone: string,
): string {
  const recorded = dayAt(new Date(stay.created_at), timeZone);
  const from = stay.date_fin > recorded ? stay.date_fin : recorded;
  return dayAfter(from, stay.conservation_jours ?? days);
}

/** The same, and the instant after it. */
export function photosUntil(
  stay: Parameters<typeof lastPhotoDay>[0],
  days: number,
  timeZone: string,
): { lastDay: string; end: Date } {
  const lastDay = lastPhotoDay(stay, days, timeZone);
  return { lastDay, end: instantAt(`${dayAfter(lastDay, 1)}T00:00:00.000Z`, timeZone) };
}

/** Whether the photos of a stay are over by now: nobody signs in to it any more, nor is sent how to. */
export function arePhotosOver(
  stay: Parameters<typeof lastPhotoDay>[0],
  settings: Pick<PublicSettings, 'photos_conservation_jours'>,
  { TIME_ZONE }: Pick<Config, 'TIME_ZONE'>,
  now: Date,
): boolean {
  return lastPhotoDay(stay, settings.photos_conservation_jours, TIME_ZONE) < dayAt(now, TIME_ZONE);
}

/**
 * Brings sign-ins back to the end of their stay's photos, where it has come nearer: those of one stay, or of all
 * when the settings have changed.
 */
export async function shortenStaySessions(
  transaction: Access,
  config: Config,
  stageId?: number,
): Promise<void> {
  const { photos_conservation_jours: days } = await readSettings(transaction, config);
  const signedIn = transaction.selectFrom('sessions').select('stage_id').where('stage_id', 'is not', null);
  const stays = await transaction
    .selectFrom('stages')
    .selectAll()
    .where('id', 'in', signedIn)
    .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
    .execute();
  for (const stay of stays) {
    await shortenSessions(transaction, stay.id, photosUntil(stay, days, config.TIME_ZONE).end);
  }
}

/** The rows of the stays. */

/** With how many of what goes with it there are. */
export type CountedStay = Stay & Record<Counted, number>;

const COUNTED = {
  familles: 'stagiaires',
  directeurs: 'affectations',
  photos: 'photos',
  bilans: 'bilans',
  evaluations: 'evaluations',
} as const;
type Counted = keyof typeof COUNTED;

/** The latest first, as in every list of stays. */
export function listStays(db: Access): Promise<Stay[]> {
  return db.selectFrom('stages').selectAll().orderBy('date_debut', 'desc').orderBy('id', 'desc').execute();
}

/** What anybody may know of the stays, as JSON under these names by column; in the same order. */
export function listPublicStays(
  { db, engine }: Database,
  names: Readonly<Partial<Record<keyof Stay, string>>>,
): Promise<Buffer> {
  const columns = Object.entries(names).map(([column, name]) => ({ name, value: `"${column}"` }));
  return jsonList(db, engine, columns, sql`from stages order by date_debut desc, id desc`);
}

export function listCountedStays(db: Access): Promise<CountedStay[]> {
  return counted(db).orderBy('date_debut', 'desc').orderBy('stages.id', 'desc').execute();
}

/** By stay, the photos that nobody has decided on yet and those whose removal was asked for. */
export async function countWaitingPhotos(db: Access) {
  const toCheck = await db
    .selectFrom('photos')
    .select(({ fn }) => ['stage_id', fn.countAll<number>().as('nombre')])
    .where('statut', '=', 'a_verifier')
    .groupBy('stage_id')
    .execute();
  const asked = await db
    .selectFrom('photos_retraits')
    .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
    .select(({ fn }) => ['stage_id', fn.count<number>('photo_id').distinct().as('nombre')])
    .where('traite_le', 'is', null)
    .groupBy('stage_id')
    .execute();
  const byStay = (rows: { stage_id: number; nombre: number }[]) =>
    new Map(rows.map(({ stage_id, nombre }) => [stage_id, Number(nombre)]));
  return { toCheck: byStay(toCheck), asked: byStay(asked) };
}

/** Throws 404 for none. */
export async function getCountedStay(db: Access, id: number): Promise<CountedStay> {
  const stay = await counted(db).where('stages.id', '=', id).executeTakeFirst();
  if (!stay) throw noSuchStay();
  return stay;
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

/** With its directors’ places, its families, its review and its evaluations. */
export async function deleteStay(db: Access, id: number): Promise<void> {
  await db.deleteFrom('stages').where('id', '=', id).execute();
}

const TAKEN = 'Un séjour du même nom et aux mêmes dates existe déjà.';

/** What `work` answers, or 409 when the name and the dates are another stay’s: the database alone can tell. */
export async function unlessTaken<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (databaseTrouble(error) !== 'duplicate') throw error;
    const why = 'un autre séjour porte ce nom à ces dates.';
    throw new HttpError(409, TAKEN, { champs: { nom_stage: why } });
  }
}
