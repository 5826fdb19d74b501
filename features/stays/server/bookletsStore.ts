import type { Access } from '#platform/server/db/open.ts';
import { nameKey } from '#platform/shared/fold.ts';

/** The table of booklets; the file register names it as the owner of their files. */
export const TABLE = 'livrets';

/** The names of all booklets, sorted in French order. */
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

/** Adds a booklet, or respells the one of that name; returns its id, locked until the transaction ends. */
export async function putBooklet(transaction: Access, nom: string, now: Date): Promise<number> {
  const { id } = await transaction
    .insertInto('livrets')
    .values({ nom, cle: nameKey(nom), created_at: now.toISOString() })
    .onConflict((clash) => clash.column('cle').doUpdateSet({ nom }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes the booklet of that name and returns its id; undefined when there is none. */
export async function deleteBooklet(transaction: Access, label: string): Promise<number | undefined> {
  const row = await transaction
    .deleteFrom('livrets')
    .where('cle', '=', nameKey(label))
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
