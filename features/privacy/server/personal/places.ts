import { readSettings } from '#features/site/server/settingsStore.ts';
import { JOURNAL_DAYS } from '#features/site/shared/promises.ts';
import type { Access } from '#platform/server/db/open.ts';
import { addressKey } from '#platform/server/mail/address.ts';
import type { Services } from '#platform/server/services.ts';
import { folded } from '#platform/shared/fold.ts';
import {
  directorPlace,
  type EraseEmployee,
  employeePlace,
  familyPlace,
  secondAddressPlace,
} from './people.ts';
import { holds, type KeptPlace, type Place } from './place.ts';
import { contactPlace, importPlace, jobPlace, mailPlace } from './traces.ts';

/*
 * All places where the site knows people by their e-mail address. Counting, exporting and erasing walk the same list:
 * whatever comes to hold addresses gets a place here. Evaluations have no name, failed sign-ins are counted by keyed
 * hashes, and texts that others wrote are not searched.
 */

/** In the order in which they are erased: mails after what takes mails along. */
export function listPlaces(services: Services, eraseEmployee: EraseEmployee): Place[] {
  return [
    familyPlace,
    secondAddressPlace,
    directorPlace,
    employeePlace(services, eraseEmployee),
    contactPlace,
    mailPlace(services),
    importPlace,
    jobPlace,
  ];
}

/** Those that an erasure says and leaves. */
export function listKeptPlaces({ config }: Services): KeptPlace[] {
  return [
    {
      genre: 'administrateurs',
      list: (db, key) =>
        db
          .selectFrom('admins')
          .select(['username', 'created_at', 'vu_le'])
          .where('cle', '=', folded(key))
          .execute(),
      text: () =>
        'Un compte du portail porte cette adresse comme identifiant\u202f: il reste, et se supprime dans «\u00a0Administrateurs\u00a0».',
    },
    {
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
    },
    {
      genre: 'reglages',
      list: async (db, key) =>
        Object.entries(await readSettings(db, config))
          .filter(([, value]) => addressKey(String(value)) === key)
          .map(([reglage, valeur]) => ({ reglage, valeur })),
      text: () =>
        'Une adresse de l’organisation\u202f: elle reste, et se change dans «\u00a0Réglages\u00a0».',
    },
  ];
}

/** Mailings or imports that an account of this name began. */
function actsIn(db: Access, table: 'envois' | 'imports', key: string): Promise<object[]> {
  return db
    .selectFrom(table)
    .select(['created_at as instant', 'genre'])
    .where(holds('acteur', key))
    .orderBy('id')
    .execute();
}
