import type { ItemKind } from '#features/content/shared/kinds.ts';
import { type Access, hasChanged } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { folded } from '#platform/shared/fold.ts';

/*
 * What is remembered of a takeover: where each thing that came stands here. The unique key keeps it from coming twice. And
 * what an export reads beside whole tables.
 */

type Origin = Pick<Tables['reprises'], 'origine' | 'genre' | 'numero'>;
type Place = Pick<Tables['reprises'], 'objet' | 'objet_id'>;

/** Ids here of what has come from a site, by `genre/numero`. */
export async function listTaken(db: Access, origine: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('reprises')
    .select(['genre', 'numero', 'objet_id'])
    .where('origine', '=', origine)
    .execute();
  return new Map(rows.map(({ genre, numero, objet_id }) => [`${genre}/${numero}`, objet_id]));
}

/** Hosts from which something has come, but this one. */
export async function listOtherOrigins(db: Access, origine: string): Promise<string[]> {
  const rows = await db
    .selectFrom('reprises')
    .select('origine')
    .distinct()
    .where('origine', '!=', origine)
    .orderBy('origine')
    .execute();
  return rows.map((row) => row.origine);
}

/** False when it has come already, by another run of the command. */
export async function rememberTaken(transaction: Access, what: Origin & Place): Promise<boolean> {
  return hasChanged(
    transaction
      .insertInto('reprises')
      .values(what)
      .onConflict((clash) => clash.columns(['origine', 'genre', 'numero']).doNothing()),
  );
}

/** Gives a row the instant at which it was made on the site that it comes from. */
export async function backdate(
  transaction: Access,
  table: ItemKind['table'],
  id: number,
  created_at: string,
): Promise<void> {
  await transaction.updateTable(table).set({ created_at }).where('id', '=', id).execute();
}

export async function findDirectorId(db: Access, mail: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('formateurs')
    .select('id')
    .where('cle_mail', '=', folded(mail))
    .executeTakeFirst();
  return row?.id;
}

/** The checksums of files; null where none is kept. */
export function listChecksums(db: Access) {
  return db.selectFrom('fichiers').select(['dossier', 'nom', 'crc32']).execute();
}
