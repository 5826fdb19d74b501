import { type Access, insertedId } from '#platform/server/db/database.ts';
import { nameKey } from '#platform/shared/fold.ts';

/** The table of booklets; the file register names it as the owner of their files. */
export const TABLE = 'livrets';

interface Booklet {
  nom: string;
  /** The stay that it belongs to; null: for all stays. */
  stage_id: number | null;
}

/** All booklets, or those that people of a stay may open, sorted by name in French order. */
export async function listBooklets(db: Access, stageId?: number): Promise<Booklet[]> {
  const rows = await db
    .selectFrom('livrets')
    .select(['nom', 'stage_id'])
    .$if(stageId !== undefined, (query) =>
      query.where((where) =>
        where.or([where('stage_id', 'is', null), where('stage_id', '=', stageId as number)]),
      ),
    )
    .execute();
  const { compare } = new Intl.Collator('fr', { numeric: true });
  return rows.sort((a, b) => compare(a.nom, b.nom));
}

export function findBooklet(db: Access, id: number): Promise<(Booklet & { created_at: string }) | undefined> {
  return db
    .selectFrom('livrets')
    .select(['nom', 'stage_id', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

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

/** Adds a booklet, or respells and moves the one of that name; returns its id, locked until the transaction ends. */
export async function putBooklet(
  transaction: Access,
  { nom, stage_id }: Booklet,
  now: Date,
): Promise<number> {
  return insertedId(
    transaction
      .insertInto('livrets')
      .values({ nom, cle: nameKey(nom), stage_id, created_at: now.toISOString() })
      .onConflict((clash) => clash.column('cle').doUpdateSet({ nom, stage_id })),
  );
}

export async function deleteBooklet(transaction: Access, label: string): Promise<number | undefined> {
  const row = await transaction
    .deleteFrom('livrets')
    .where('cle', '=', nameKey(label))
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function deleteBookletsOf(transaction: Access, stageId: number): Promise<number[]> {
  const rows = await transaction
    .deleteFrom('livrets')
    .where('stage_id', '=', stageId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
