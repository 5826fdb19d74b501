import type { Access } from '#platform/server/db/open.ts';
import { nameKey } from '#platform/shared/fold.ts';

/** The table of booklets, under which their files stand in the register. */
export const TABLE = 'livrets';

/** By name as a French list has it. */
export async function listBooklets(db: Access): Promise<string[]> {
  const rows = await db.selectFrom('livrets').select('nom').execute();
  return rows.map(({ nom }) => nom).sort(new Intl.Collator('fr', { numeric: true }).compare);
}

export function findBooklet(
  db: Access,
  id: number,
): Promise<{ nom: string; created_at: string } | undefined> {
  return db.selectFrom('livrets').select(['nom', 'created_at']).where('id', '=', id).executeTakeFirst();
}

/** Stored name of the PDF of a booklet; undefined when there is no such booklet. */
export async function findBookletFile(db: Access, label: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('livrets')
    .innerJoin('fichiers', (join) =>
      join.onRef('fichiers.objet_id', '=', 'livrets.id').on('fichiers.objet', '=', TABLE),
    )
    .select('fichiers.nom')
    .where('livrets.cle', '=', nameKey(label))
    .executeTakeFirst();
  return row?.nom;
}

/** Adds a booklet, or gives the one of that name this spelling; held until the end of the transaction. */
export async function putBooklet(transaction: Access, nom: string, now: Date): Promise<number> {
  const { id } = await transaction
    .insertInto('livrets')
    .values({ nom, cle: nameKey(nom), created_at: now.toISOString() })
    .onConflict((clash) => clash.column('cle').doUpdateSet({ nom }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns its id; undefined when there is none of that name. */
export async function deleteBooklet(transaction: Access, label: string): Promise<number | undefined> {
  const row = await transaction
    .deleteFrom('livrets')
    .where('cle', '=', nameKey(label))
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
