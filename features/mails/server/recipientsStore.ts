import type { Access } from '#platform/server/db/open.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { PasswordType } from '#platform/shared/roles.ts';

/** An address that may be sent the codes of a stay. */
export interface Recipient {
  stageId: number;
  /** As it was typed. */
  address: string;
  /** Folded to one case: the same address twice is one recipient. */
  key: string;
}

/**
 * The addresses of the families, or of the directors, of these stays, each once per stay. By stay in the order given,
 * then by address.
 */
export async function listRecipients(
  db: Access,
  type: PasswordType,
  stageIds: readonly number[],
): Promise<Recipient[]> {
  const rows = type === 'stagiaire' ? await listFamilies(db, stageIds) : await listDirectors(db, stageIds);
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

async function listFamilies(db: Access, stageIds: readonly number[]): Promise<Found> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(['stage_id', 'email', 'email_2'])
    .where('stage_id', 'in', stageIds)
    .execute();
  return rows.flatMap(({ stage_id: stageId, email, email_2 }) => [
    { stageId, address: email },
    { stageId, address: email_2 },
  ]);
}

function listDirectors(db: Access, stageIds: readonly number[]): Promise<Found> {
  return db
    .selectFrom('affectations')
    .innerJoin('formateurs', 'formateurs.id', 'affectations.formateur_id')
    .select(['affectations.stage_id as stageId', 'formateurs.mail as address'])
    .where('affectations.stage_id', 'in', stageIds)
    .execute();
}
