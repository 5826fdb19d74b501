import { sql } from 'kysely';
import { holds, keysIn, type Place, withoutOthers } from '#platform/server/personalData.ts';

/** What imports keep of families for their undo. */

const LINE_ADDRESSES = ['avant_email', 'avant_email_2'] as const;

const isInLine = (key: string) =>
  sql<boolean>`(${sql.join(
    LINE_ADDRESSES.map((column) => holds(column, key)),
    sql` or `,
  )})`;

export const importPlace: Place = {
  genre: 'imports',
  listKeys: async (db) => keysIn(await db.selectFrom('imports_familles').select(LINE_ADDRESSES).execute()),
  list: async (db, key) => {
    const lines = await db
      .selectFrom('imports_familles')
      .innerJoin('stagiaires', 'stagiaires.id', 'stagiaire_id')
      .select(['import_id', 'stage_id as stageId'])
      .select(['avant_nom', 'avant_prenom', 'avant_consentement_image'])
      .select(LINE_ADDRESSES)
      .where(isInLine(key))
      .orderBy('imports_familles.id')
      .execute();
    return lines.map((line) => withoutOthers(line, key));
  },
  erase: ({ transaction, key }) => transaction.deleteFrom('imports_familles').where(isInLine(key)).execute(),
  text: (count) =>
    count === 1
      ? 'Une ligne que le dernier import de familles a changée, gardée pour l’annuler\u202f: effacée\u202f; cet import ne peut plus être annulé.'
      : `${count} lignes que le dernier import de familles a changées, gardées pour l’annuler\u202f: effacées\u202f; cet import ne peut plus être annulé.`,
};
