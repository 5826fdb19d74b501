import { sql } from 'kysely';
import { getDirector, updateDirector } from '#features/stays/server/directorsStore.ts';
import { updateChild } from '#features/stays/server/familiesStore.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { MailKind } from '#platform/shared/mails.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import type { MailMessage } from '../calls.ts';

export interface Recipient {
  stageId: number;
  /** As it was typed. */
  address: string;
  /** Folded to one case: the same address twice is one recipient. */
  key: string;
}

/**
 * The addresses of the families, or of the directors, of these stays, each once per stay; with `children`, those of the
 * families of these alone. By stay in the order given, then by address.
 */
export async function listRecipients(
  db: Access,
  type: PasswordType,
  stageIds: readonly number[],
  children?: readonly number[],
): Promise<Recipient[]> {
  const rows =
    type === 'stagiaire' ? await listFamilies(db, stageIds, children) : await listDirectors(db, stageIds);
  const found = new Map<string, Recipient>();
  for (const { stageId, address } of rows) {
    const key = addressKey(address);
    if (key !== '' && !found.has(`${stageId} ${key}`))
      found.set(`${stageId} ${key}`, { stageId, address, key });
  }
  const place = new Map(stageIds.map((id, index) => [id, index]));
  const placeOf = ({ stageId }: Recipient) => place.get(stageId) ?? 0;
  return [...found.values()].sort((a, b) => placeOf(a) - placeOf(b) || (a.key < b.key ? -1 : 1));
}

/** Whether the address with this key belongs to one of the stay's families, or directors. */
export async function isRecipient(
  db: Access,
  type: PasswordType,
  stageId: number,
  key: string,
): Promise<boolean> {
  return (await listRecipients(db, type, [stageId])).some((recipient) => recipient.key === key);
}

type Found = { stageId: number; address: string }[];

async function listFamilies(
  db: Access,
  stageIds: readonly number[],
  children?: readonly number[],
): Promise<Found> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(['stage_id', 'email', 'email_2'])
    .where('stage_id', 'in', stageIds)
    .$if(children !== undefined, (query) => query.where('id', 'in', children ?? []))
    .execute();
  return rows.flatMap(({ stage_id: stageId, email, email_2 }) => [
    { stageId, address: email },
    { stageId, address: email_2 },
  ]);
}

/** Number of children without an address, by stay; no mail of codes reaches their families. */
export async function countWithoutAddress(
  db: Access,
  type: PasswordType,
  stageIds: readonly number[],
): Promise<Map<number, number>> {
  if (type === 'formateur') return new Map();
  const rows = await db
    .selectFrom('stagiaires')
    .select(({ fn }) => ['stage_id', fn.countAll<number>().as('nombre')])
    .where('stage_id', 'in', stageIds)
    .where('email', '=', '')
    .groupBy('stage_id')
    .execute();
  return new Map(rows.map(({ stage_id, nombre }) => [stage_id, Number(nombre)]));
}

function listDirectors(db: Access, stageIds: readonly number[]): Promise<Found> {
  return db
    .selectFrom('affectations')
    .innerJoin('formateurs', 'formateurs.id', 'affectations.formateur_id')
    .select(['affectations.stage_id as stageId', 'formateurs.mail as address'])
    .where('affectations.stage_id', 'in', stageIds)
    .execute();
}

type Person = MailMessage['personnes'][number];

/** The message of a stay, as far as it says whose address it went to. */
interface Addressed {
  id: number;
  stage_id: number | null;
  cle_destinataire: string;
  type: PasswordType | null;
  genre: MailKind;
}

/** Mails to families without codes. */
export const TO_FAMILIES: readonly MailKind[] = ['soir', 'fin'];

/** Whose addresses a message about a stay goes to; null for other mails. */
export function recipientsOf({ type, genre }: Pick<Addressed, 'type' | 'genre'>): PasswordType | null {
  return type ?? (TO_FAMILIES.includes(genre) ? 'stagiaire' : null);
}

/** Whose addresses these messages went to, by id of message: children of the stay, or its directors. */
export async function listPeopleBehind(
  db: Access,
  messages: readonly Addressed[],
): Promise<Map<number, Person[]>> {
  const people = new Map<number, Person[]>();
  for (const type of ['stagiaire', 'formateur'] as const) {
    const own = messages.filter((message) => recipientsOf(message) === type && message.stage_id !== null);
    if (own.length === 0) continue;
    const stageIds = [...new Set(own.map(({ stage_id }) => stage_id ?? 0))];
    const keys = [...new Set(own.map(({ cle_destinataire }) => cle_destinataire))];
    const found =
      type === 'stagiaire'
        ? await listChildrenAt(db, stageIds, keys)
        : await listDirectorsAt(db, stageIds, keys);
    for (const { id, stage_id, cle_destinataire } of own) {
      const theirs = found.filter(
        ({ stageId, addresses }) =>
          stageId === stage_id && addresses.some((address) => addressKey(address) === cle_destinataire),
      );
      people.set(
        id,
        theirs.map(({ person }) => person),
      );
    }
  }
  return people;
}

type Holder = { stageId: number; addresses: string[]; person: Person };

async function listChildrenAt(
  db: Access,
  stageIds: readonly number[],
  keys: readonly string[],
): Promise<Holder[]> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(['id', 'stage_id', 'prenom', 'nom', 'email', 'email_2'])
    .where('stage_id', 'in', stageIds)
    .where((expression) =>
      expression.or([expression(sql`lower(email)`, 'in', keys), expression(sql`lower(email_2)`, 'in', keys)]),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id, stage_id: stageId, prenom, nom, email, email_2 }) => {
    return { stageId, addresses: [email, email_2], person: { nature: 'enfant', id, prenom, nom } };
  });
}

async function listDirectorsAt(
  db: Access,
  stageIds: readonly number[],
  keys: readonly string[],
): Promise<Holder[]> {
  const rows = await db
    .selectFrom('affectations')
    .innerJoin('formateurs', 'formateurs.id', 'formateur_id')
    .select(['formateurs.id', 'affectations.stage_id', 'prenom', 'nom', 'mail'])
    .where('affectations.stage_id', 'in', stageIds)
    .where(sql`lower(mail)`, 'in', keys)
    .orderBy('formateurs.id')
    .execute();
  return rows.map(({ id, stage_id: stageId, prenom, nom, mail }) => {
    return { stageId, addresses: [mail], person: { nature: 'directeur', id, prenom, nom } };
  });
}

/**
 * Replaces an address of families in every stay, as one address is one family; or that of a director. Returns the
 * tables and ids of what was changed. Throws 409 when another director has the new address.
 */
export async function replaceAddress(
  { rowLock }: Database,
  transaction: Access,
  type: PasswordType,
  [key, address]: readonly [old: string, address: string],
  now: Date,
): Promise<{ table: 'stagiaires' | 'formateurs'; id: number }[]> {
  const replaced = (held: string) => (addressKey(held) === key ? address : held);
  if (type === 'formateur') {
    const rows = await transaction
      .selectFrom('formateurs')
      .select('id')
      .where(sql`lower(mail)`, '=', key)
      .modifyEnd(rowLock)
      .execute();
    for (const { id } of rows) {
      const { nom, prenom, telephone } = await getDirector(transaction, id);
      await updateDirector(transaction, id, { nom, prenom, telephone, mail: address }, now);
    }
    return rows.map(({ id }) => ({ table: 'formateurs', id }));
  }
  const rows = await transaction
    .selectFrom('stagiaires')
    .selectAll()
    .where((expression) =>
      expression.or([expression(sql`lower(email)`, '=', key), expression(sql`lower(email_2)`, '=', key)]),
    )
    .orderBy('id')
    .modifyEnd(rowLock)
    .execute();
  for (const row of rows) {
    const { nom, prenom, consentement_image } = row;
    const addresses = { email: replaced(row.email), email_2: replaced(row.email_2) };
    await updateChild(transaction, row, { nom, prenom, consentement_image, ...addresses }, now);
  }
  return rows.map(({ id }) => ({ table: 'stagiaires', id }));
}
