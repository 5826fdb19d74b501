import type { KeptPlace } from '#platform/server/personalData.ts';
import { folded } from '#platform/shared/fold.ts';

/** Accounts of staff that are named by an address: they stay. */
export const accountPlace: KeptPlace = {
  genre: 'administrateurs',
  list: (db, key) =>
    db
      .selectFrom('admins')
      .select(['username', 'created_at', 'vu_le'])
      .where('cle', '=', folded(key))
      .execute(),
  text: () =>
    'Un compte du portail porte cette adresse comme identifiant\u202f: il reste, et se supprime dans «\u00a0Administrateurs\u00a0».',
};
