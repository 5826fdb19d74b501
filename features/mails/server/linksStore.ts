import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/database.ts';
import { type LinkRow, newLink, secretOf } from '#platform/server/links.ts';
import { OpenedPassword, type Secrets } from '#platform/server/secrets.ts';
import { isToken, tokenHash } from '#platform/server/sessionsStore.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import type { Recipient } from './recipientsStore.ts';

/*
 * Links: each address that gets the codes of a stay has one, which opens the stay without a password and is cut alone. A link
 * is gone with its row: when the address no longer belongs to the stay, or with the stay.
 */

type Known = Pick<Recipient, 'stageId' | 'key'>;

const ofAddress = (type: PasswordType, { stageId, key }: Known) => ({
  type,
  stage_id: stageId,
  adresse: key,
});

/** Gives those of some addresses a link that have none which opens; they are recorded. */
export async function ensureLinks(
  transaction: Access,
  secrets: Secrets,
  type: PasswordType,
  all: readonly Known[],
  now: Date,
): Promise<void> {
  if (all.length === 0) return;
  const wanted = new Set(all.map(({ stageId, key }) => `${stageId} ${key}`));
  const rows = await transaction
    .selectFrom('destinataires')
    .select(['type', 'stage_id', 'adresse', 'depuis', 'lien', 'jeton'])
    .where('type', '=', type)
    .where('stage_id', 'in', [...new Set(all.map(({ stageId }) => stageId))])
    .execute();
  const without = rows.filter(
    (row) => wanted.has(`${row.stage_id} ${row.adresse}`) && secretOf(secrets, row) === undefined,
  );
  // Their rows are there: many at once, as a summer has thousands.
  for (const slice of slicesOf(without))
    await transaction
      .insertInto('destinataires')
      // The mail that brings the link tells of what is there by now.
      .values(slice.map((row) => ({ ...row, ...newLink(secrets), soir_le: now.toISOString() })))
      .onConflict((clash) =>
        clash.columns(['type', 'stage_id', 'adresse']).doUpdateSet(({ ref }) => ({
          lien: ref('excluded.lien'),
          jeton: ref('excluded.jeton'),
          soir_le: ref('excluded.soir_le'),
        })),
      )
      .execute();
}

/** Stands for an address in the row of a child who is given a link on paper. */
export const paperKey = (childId: number) => `enfant-${childId}`;

/** The id of the child of such a row; undefined for an address. */
export const paperChild = (key: string) => {
  const id = /^enfant-(\d+)$/.exec(key)?.[1];
  return id === undefined ? undefined : Number(id);
};

/** Like `ensureLinks`, for children: one that was cut off gets another link, as staff print it anew. */
export async function ensurePaperLinks(
  transaction: Access,
  secrets: Secrets,
  stageId: number,
  childIds: readonly number[],
): Promise<void> {
  for (const slice of slicesOf(childIds.map(paperKey))) {
    const rows = await listRows(transaction, 'stagiaire', stageId, slice);
    const open = new Set(rows.filter((row) => openLink(secrets, row)).map(({ adresse }) => adresse));
    const without = slice.filter((key) => !open.has(key));
    if (without.length === 0) continue;
    await transaction
      .insertInto('destinataires')
      .values(
        without.map((key) => ({
          ...ofAddress('stagiaire', { stageId, key }),
          depuis: '',
          ...newLink(secrets),
        })),
      )
      .onConflict((clash) =>
        clash.columns(['type', 'stage_id', 'adresse']).doUpdateSet(({ ref }) => ({
          lien: ref('excluded.lien'),
          jeton: ref('excluded.jeton'),
          ouvert_le: null,
          coupe_le: null,
        })),
      )
      .execute();
  }
}

/** What opens the links of some addresses, or children, of a stay, by their key. */
export async function listSecrets(
  db: Access,
  secrets: Secrets,
  type: PasswordType,
  stageId: number,
  keys: readonly string[],
): Promise<Map<string, OpenedPassword>> {
  const found = new Map<string, OpenedPassword>();
  for (const slice of slicesOf(keys))
    for (const row of await listRows(db, type, stageId, slice)) {
      const secret = openLink(secrets, row);
      if (secret) found.set(row.adresse, secret);
    }
  return found;
}

function listRows(db: Access, type: PasswordType, stageId: number, keys: readonly string[]) {
  return db
    .selectFrom('destinataires')
    .selectAll()
    .where('type', '=', type)
    .where('stage_id', '=', stageId)
    .where('adresse', 'in', keys)
    .execute();
}

/** Gives an address another link: the one before opens nothing any more. */
export async function renewLink(
  transaction: Access,
  secrets: Secrets,
  type: PasswordType,
  known: Known,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('destinataires')
    .set({ ...newLink(secrets), ouvert_le: null, coupe_le: null, soir_le: now.toISOString() })
    .where((row) => row.and(ofAddress(type, known)))
    .execute();
}

/** What opens a link; undefined where there is none, or one that is cut or of another key. */
export function openLink(
  secrets: Secrets,
  row: LinkRow & { coupe_le: string | null },
): OpenedPassword | undefined {
  const secret = row.coupe_le === null ? secretOf(secrets, row) : undefined;
  return secret === undefined ? undefined : new OpenedPassword(secret);
}

export function findLinkOf(db: Access, type: PasswordType, known: Known) {
  return db
    .selectFrom('destinataires')
    .selectAll()
    .where((row) => row.and(ofAddress(type, known)))
    .executeTakeFirst();
}

/** The link that a secret opens, cut or not. */
export async function findLink(db: Access, secret: string) {
  if (!isToken(secret)) return undefined;
  const row = await db
    .selectFrom('destinataires')
    .selectAll()
    .where('jeton', '=', tokenHash(secret))
    .executeTakeFirst();
  return row?.lien ? { ...row, lien: row.lien } : undefined;
}

/** The addresses of these stays that are cut off, as `stay key`. */
export async function listCut(db: Access, type: PasswordType, stageIds: readonly number[]) {
  const rows = await db
    .selectFrom('destinataires')
    .select(['stage_id', 'adresse'])
    .where('type', '=', type)
    .where('stage_id', 'in', stageIds)
    .where('coupe_le', 'is not', null)
    .execute();
  return new Set(rows.map(({ stage_id, adresse }) => `${stage_id} ${adresse}`));
}

/** When a link was first opened, or cut. */
export async function markLink(
  transaction: Access,
  lien: string,
  when: { ouvert_le: string } | { coupe_le: string },
): Promise<void> {
  await transaction.updateTable('destinataires').set(when).where('lien', '=', lien).execute();
}

/** The addresses of a stay with their links, in the order of the alphabet; `appareils`: sign-ins that are open by the link. */
export async function listLinks(db: Access, type: PasswordType, stageId: number, now: Date) {
  return db
    .selectFrom('destinataires')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.lien', '=', 'destinataires.lien').on('sessions.expire_le', '>', now.toISOString()),
    )
    .select(({ fn }) => [
      'destinataires.adresse',
      'destinataires.lien',
      'ouvert_le',
      'coupe_le',
      'soir_arret',
      fn.count<number>('sessions.id').as('appareils'),
    ])
    .where('type', '=', type)
    .where('destinataires.stage_id', '=', stageId)
    .groupBy(['destinataires.adresse', 'destinataires.lien', 'ouvert_le', 'coupe_le', 'soir_arret'])
    .orderBy('destinataires.adresse')
    .execute();
}
