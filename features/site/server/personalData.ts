import { addressKey } from '#platform/server/mail/transport.ts';
import { holds, type KeptPlace, keysIn, type Place } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import { readSettings } from './settingsStore.ts';

/** What the site knows of visitors and of the organisation by an address. */

export const contactPlace: Place = {
  genre: 'contact',
  listKeys: async (db) => keysIn(await db.selectFrom('messages_contact').select('email').execute()),
  list: (db, key) =>
    db.selectFrom('messages_contact').selectAll().where(holds('email', key)).orderBy('id').execute(),
  erase: ({ transaction, key }) =>
    transaction.deleteFrom('messages_contact').where(holds('email', key)).execute(),
  text: (count) =>
    count === 1 ? 'Un message de contact\u202f: effacé.' : `${count} messages de contact\u202f: effacés.`,
};

export function settingsPlace({ config }: Pick<Services, 'config'>): KeptPlace {
  return {
    genre: 'reglages',
    list: async (db, key) =>
      Object.entries(await readSettings(db, config))
        .filter(([, value]) => addressKey(String(value)) === key)
        .map(([reglage, valeur]) => ({ reglage, valeur })),
    text: () => 'Une adresse de l’organisation\u202f: elle reste, et se change dans «\u00a0Réglages\u00a0».',
  };
}
