import { type RawBuilder, type Selectable, sql } from 'kysely';
import { holds } from '#platform/server/db/conditions.ts';
import { type Access, countChanged, type Database, databaseTrouble } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { conflict, HttpError, notFound } from '#platform/server/errors.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { byName } from '#platform/server/names.ts';
import { keysIn, type Place, withoutOthers } from '#platform/server/personalData.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Consent } from '../shared/terms.ts';
import { requireFamilies } from './endedStaysStore.ts';
import { rememberRemovals, removalMark } from './removalsStore.ts';
import { childKey, getStayToChange } from './staysStore.ts';

export type ChildRow = Selectable<Tables['stagiaires']>;
/** The fields of a child that forms send. */
type ChildTexts = Pick<ChildRow, 'nom' | 'prenom' | 'email' | 'email_2' | 'consentement_image'>;

/** The addresses of a family: none, one or two. */
export function addressesOf({ email, email_2 }: Pick<ChildRow, 'email' | 'email_2'>): string[] {
  return [email, email_2].filter((address) => address !== '');
}

/** Whether two families share an address: then two children of one name in a stay are the same child. */
export function shareAddress(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => addressKey(one) === addressKey(other)));
}

/** The key of a child in its stay, by its number among those of the same names; `base` is their `childKey`. */
export function homonymKey(base: string, number: number): string {
  return number === 1 ? base : `${base}|${number}`;
}

export function sharedKey(child: Pick<ChildRow, 'cle' | 'nom' | 'prenom'>): string {
  return /\|\d+$/.test(child.cle) ? childKey(child) : child.cle;
}

export function childOf({ stage_id, cle: _key, created_at: _made, modifie_le: _changed, ...row }: ChildRow) {
  return { ...row, stageId: stage_id };
}

/** A child as directors see it: first name, initial and photo consent only. */
export function seenByDirector({ id, prenom, nom, consentement_image }: ChildRow) {
  const [first = ''] = nom;
  return { id, prenom, initiale: first.toUpperCase(), consentement_image };
}

/** The children of a stay, sorted by name in French order. */
export async function listChildren(db: Access, stageId: number): Promise<ChildRow[]> {
  const rows = await db.selectFrom('stagiaires').selectAll().where('stage_id', '=', stageId).execute();
  return rows.sort(byName);
}

/** Reads and locks a child's row until the transaction ends; throws 404 when there is none. */
export async function getChildToChange(
  { rowLock }: Database,
  transaction: Access,
  id: number,
): Promise<ChildRow> {
  return transaction
    .selectFrom('stagiaires')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(rowLock)
    .executeTakeFirstOrThrow(noSuchChild);
}

/** Most children of one name in a stay. */
const HOMONYMS_MAX = 20;

/**
 * The key of a child in a stay. Throws 409 when the child is enrolled there already: one of the same names shares an address,
 * or nobody says that it is another child (`isHomonym`).
 */
async function freeKey(
  transaction: Access,
  stageId: number,
  child: ChildTexts & { id?: number },
  isHomonym: boolean,
): Promise<string> {
  const base = childKey(child);
  const keys = Array.from({ length: HOMONYMS_MAX }, (_, index) => homonymKey(base, index + 1));
  const rows = await transaction
    .selectFrom('stagiaires')
    .select(['id', 'nom', 'prenom', 'cle', 'email', 'email_2'])
    .where('stage_id', '=', stageId)
    .where('cle', 'in', keys)
    .execute();
  const others = rows.filter((row) => row.id !== child.id && sharedKey(row) === base);
  if (others.some((other) => shareAddress(addressesOf(other), addressesOf(child)))) throw alreadyThere();
  if (others.length > 0 && !isHomonym) throw namesake();
  const free = keys.find((key) => !rows.some(({ id, cle }) => cle === key && id !== child.id));
  if (free === undefined) throw alreadyThere();
  return free;
}

/**
 * Adds a child. Throws 404 for an unknown stay, 409 when the child is already enrolled, see `freeKey`, or the families are
 * erased.
 */
export async function insertChild(
  database: Database,
  transaction: Access,
  child: ChildTexts & { stageId: number },
  now: Date,
  isHomonym = false,
): Promise<ChildRow> {
  const { stageId, ...sent } = child;
  const texts = { ...sent, ...inOrder(sent) };
  // Locked: a stay deleted meanwhile would leave the child without a stay.
  requireFamilies(await getStayToChange(database, transaction, stageId));
  const at = now.toISOString();
  return transaction
    .insertInto('stagiaires')
    .values({
      ...texts,
      ...{ cle: await freeKey(transaction, stageId, texts, isHomonym), stage_id: stageId },
      ...{ created_at: at, modifie_le: at },
    })
    .onConflict((clash) => clash.columns(['stage_id', 'cle']).doNothing())
    .returningAll()
    .executeTakeFirstOrThrow(alreadyThere);
}

/** Updates a child; throws 409 when another child of the stay has these names, see `freeKey`. */
export async function updateChild(
  transaction: Access,
  row: ChildRow,
  sent: ChildTexts,
  now: Date,
  isHomonym = false,
): Promise<ChildRow> {
  const { id, version, stage_id } = row;
  const texts = { ...sent, ...inOrder(sent) };
  const isRenamed = childKey(texts) !== sharedKey(row);
  const cle = isRenamed ? await freeKey(transaction, stage_id, { ...texts, id }, isHomonym) : row.cle;
  try {
    return await transaction
      .updateTable('stagiaires')
      .set({ ...texts, cle, modifie_le: now.toISOString(), version: version + 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    throw databaseTrouble(error) === 'duplicate' ? alreadyThere() : error;
  }
}

/** Moves a child to another stay, whose row is locked; throws 409 when it is enrolled there. */
export async function moveChild(
  secrets: Secrets,
  transaction: Access,
  row: ChildRow,
  stageId: number,
  now: Date,
): Promise<void> {
  const { id, nom, prenom, version } = row;
  try {
    const cle = await freeKey(transaction, stageId, row, true);
    await transaction
      .updateTable('stagiaires')
      .set({ stage_id: stageId, cle, modifie_le: now.toISOString(), version: version + 1 })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    const isTaken = error instanceof HttpError && error.status === 409;
    if (databaseTrouble(error) !== 'duplicate' && !isTaken) throw error;
    throw conflict(`${prenom} ${nom} est déjà inscrit à ce séjour\u202f: rien n’a été déplacé.`);
  }
  await rememberRemovals(transaction, [markOf(secrets, row)], now);
}

/** Deletes a child as a person asks for it: no list brings it back unseen. Throws 404 when there is none of this id. */
export async function removeChild(
  secrets: Secrets,
  transaction: Access,
  id: number,
  now: Date,
): Promise<void> {
  const row = await transaction
    .deleteFrom('stagiaires')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(noSuchChild);
  await rememberRemovals(transaction, [markOf(secrets, row)], now);
}

/** Deletes likewise all children of a stay; returns how many there were. */
export async function removeChildrenOf(
  secrets: Secrets,
  transaction: Access,
  stageId: number,
  now: Date,
): Promise<number> {
  const rows = await transaction
    .deleteFrom('stagiaires')
    .where('stage_id', '=', stageId)
    .returningAll()
    .execute();
  const marks = rows.map((row) => markOf(secrets, row));
  await rememberRemovals(transaction, marks, now);
  return rows.length;
}

function markOf(secrets: Secrets, row: ChildRow): string {
  return removalMark(secrets, 'stagiaires', row.stage_id, sharedKey(row));
}

/** Deletes all children of a stay whose time is over; returns how many there were. */
export async function deleteChildrenOf(transaction: Access, stageId: number): Promise<number> {
  return countChanged(transaction.deleteFrom('stagiaires').where('stage_id', '=', stageId));
}

export type Consents = Record<Consent, number>;

export async function countConsents(db: Access, stageId: number): Promise<Consents> {
  const counts = await countConsentsByStay(db, [stageId]);
  return counts.get(stageId) ?? { oui: 0, non: 0, inconnu: 0 };
}

/** Of each of these stays that has children. */
export async function countConsentsByStay(
  db: Access,
  stageIds: readonly number[],
): Promise<Map<number, Consents>> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(({ fn }) => ['stage_id', 'consentement_image', fn.countAll<number>().as('nombre')])
    .where('stage_id', 'in', stageIds)
    .groupBy(['stage_id', 'consentement_image'])
    .execute();
  const counts = new Map<number, Consents>();
  for (const { stage_id, consentement_image, nombre } of rows) {
    const own = counts.get(stage_id) ?? { oui: 0, non: 0, inconnu: 0 };
    counts.set(stage_id, { ...own, [consentement_image]: nombre });
  }
  return counts;
}

/** The addresses of a family, of which the first is there when there is one. */
function inOrder(texts: ChildTexts): Pick<ChildTexts, 'email' | 'email_2'> {
  const [email = '', email_2 = ''] = addressesOf(texts);
  return { email, email_2 };
}

const noSuchChild = () => notFound('Cet enfant n’est pas inscrit, ou ne l’est plus.');
const alreadyThere = () => conflict('Cet enfant est déjà inscrit à ce séjour.');
const namesake = () =>
  new HttpError(409, 'Un enfant de ce nom est déjà inscrit à ce séjour, à une autre adresse.', {
    champs: { homonyme: 'dites si c’est un autre enfant.' },
  });

/* Personal data of families, found and erased by e-mail address. */

/** Condition: the address of `key` is the only one of the child, so without it nobody could be contacted. */
const isOnlyAddress = (key: string) =>
  sql<boolean>`${holds('email', key)} and (email_2 = '' or ${holds('email_2', key)})`;

/** Condition: the address of `key` is one of two different addresses of the child. */
const isOneOfTwo = (key: string) =>
  sql<boolean>`(${holds('email', key)} or ${holds('email_2', key)}) and not (${isOnlyAddress(key)})`;

async function listByAddress(db: Access, key: string, isHeld: RawBuilder<boolean>) {
  const rows = await db
    .selectFrom('stagiaires')
    .innerJoin('stages', 'stages.id', 'stage_id')
    .select(['stagiaires.id', 'stage_id as stageId', 'nom_stage', 'date_debut', 'date_fin', 'nom', 'prenom'])
    .select(['email', 'email_2', 'consentement_image', 'stagiaires.created_at', 'stagiaires.modifie_le'])
    .where(isHeld)
    .orderBy('stagiaires.id')
    .execute();
  return rows.map((row) => withoutOthers(row, key));
}

export const familyPlace: Place = {
  genre: 'familles',
  listKeys: async (db) => keysIn(await db.selectFrom('stagiaires').select(['email', 'email_2']).execute()),
  list: (db, key) => listByAddress(db, key, isOnlyAddress(key)),
  erase: ({ transaction, key }) => transaction.deleteFrom('stagiaires').where(isOnlyAddress(key)).execute(),
  text: (count) =>
    count === 1
      ? 'Un enfant inscrit à un séjour\u202f: effacé, avec ce que sa famille a dit des photos.'
      : `${count} inscriptions d’enfants à des séjours\u202f: effacées, avec ce que la famille a dit des photos.`,
};

export const secondAddressPlace: Place = {
  genre: 'secondes_adresses',
  // `familyPlace` already lists these addresses.
  listKeys: async () => [],
  list: (db, key) => listByAddress(db, key, isOneOfTwo(key)),
  erase: ({ transaction, key, now }) =>
    transaction
      .updateTable('stagiaires')
      .set({
        email: sql<string>`case when ${holds('email', key)} then email_2 else email end`,
        email_2: '',
        modifie_le: now.toISOString(),
        version: sql<number>`version + 1`,
      })
      .where(isOneOfTwo(key))
      .execute(),
  text: (count) =>
    count === 1
      ? 'Un enfant dont la famille a une autre adresse\u202f: celle-ci est retirée, l’enfant et l’autre adresse restent.'
      : `${count} inscriptions d’enfants dont la famille a une autre adresse\u202f: celle-ci est retirée, les enfants et l’autre adresse restent.`,
};
