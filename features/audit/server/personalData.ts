import { JOURNAL_DAYS } from '#features/audit/shared/promises.ts';
import type { Access } from '#platform/server/db/open.ts';
import { holds, type KeptPlace } from '#platform/server/personalData.ts';

/** Acts of an account that is named by an address: they stay for as long as the journal does. */
export const journalPlace: KeptPlace = {
  genre: 'journal',
  list: async (db, key) => {
    const lines = await db
      .selectFrom('journal')
      .select(['instant', 'ip', 'action', 'objet', 'objet_id'])
      .where(holds('acteur', key))
      .orderBy('id')
      .execute();
    const mailings = await actsIn(db, 'envois', key);
    const imports = await actsIn(db, 'imports', key);
    return [...lines, ...mailings, ...imports];
  },
  text: () =>
    'Des lignes du journal, des e-mails ou des imports nomment un compte de ce nom\u202f: elles restent, et ' +
    `s’effacent d’elles-mêmes, celles du journal après ${JOURNAL_DAYS}\u00a0jours.`,
};

/** Mailings or imports that an account of this name began. */
function actsIn(db: Access, table: 'envois' | 'imports', key: string): Promise<object[]> {
  return db
    .selectFrom(table)
    .select(['created_at as instant', 'genre'])
    .where(holds('acteur', key))
    .orderBy('id')
    .execute();
}
