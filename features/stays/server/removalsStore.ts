import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { DIRECTOR_DAYS } from '../shared/terms.ts';

/*
 * What people removed: children from stays, directors, stays. An older list would bring it back. Only a keyed hash of each
 * is kept, from which nobody reads a name.
 */

/** Days that a removal is remembered: a list of the year before may still come. */
const REMOVAL_DAYS = DIRECTOR_DAYS;
type Removed =
  | [genre: 'stages', cle: string]
  | [genre: 'stagiaires', stageId: number, cle: string]
  | [genre: 'formateurs', address: string]
  | [genre: 'affectations', stageId: number, address: string];

export function removalMark(secrets: Secrets, ...what: Removed): string {
  return secrets.fingerprint(`retrait ${what.join('|')}`);
}

export async function rememberRemovals(
  transaction: Access,
  marks: readonly string[],
  now: Date,
): Promise<void> {
  const retire_le = now.toISOString();
  const rows = [...new Set(marks)].map((empreinte) => ({ empreinte, retire_le }));
  for (const slice of slicesOf(rows))
    await transaction
      .insertInto('retraits')
      .values(slice)
      .onConflict((clash) => clash.column('empreinte').doUpdateSet({ retire_le }))
      .execute();
}

export async function listRemovals(db: Access): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('retraits').select('empreinte').execute();
  return new Set(rows.map(({ empreinte }) => empreinte));
}

export async function forgetRemovals(database: Database, now: Date): Promise<void> {
  const old = new Date(now.getTime() - REMOVAL_DAYS * DAY_MS).toISOString();
  await database.write((transaction) =>
    transaction.deleteFrom('retraits').where('retire_le', '<', old).execute(),
  );
}
