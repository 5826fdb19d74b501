import type { Access } from '#platform/server/db/database.ts';
import { openTexts, queuedMessages } from '#platform/server/mail/outboxStore.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { keysIn, type Place } from '#platform/server/personalData.ts';
import type { Secrets } from '#platform/server/secrets.ts';

/* Personal data of an address in mails and in jobs. */

export function mailPlace({ secrets }: { secrets: Secrets }): Place {
  return {
    genre: 'envois',
    listKeys: async (db) =>
      keysIn(await db.selectFrom('envois_messages').select('cle_destinataire').distinct().execute()),
    list: async (db, key) => {
      const messages = await queuedMessages(db)
        .where('cle_destinataire', '=', key)
        .orderBy('envois_messages.id')
        .execute();
      return messages.map((message) => ({
        genre: message.genre,
        destinataire: message.destinataire,
        stageId: message.stage_id,
        objet: null,
        texte: null,
        ...openTexts(secrets, message),
        etat: message.etat,
        erreur: message.erreur,
        reponse: message.reponse,
        created_at: message.created_at,
        termine_le: message.termine_le,
      }));
    },
    erase: async ({ transaction, key }) => {
      await transaction.deleteFrom('envois_messages').where('cle_destinataire', '=', key).execute();
      // The text of mailings without other recipients is blanked too; the mailing stays for a day, as hourly limits
      // count it.
      await transaction
        .updateTable('envois')
        .set({ contenu: '' })
        .where('contenu', '!=', '')
        .where('id', 'not in', (query) => query.selectFrom('envois_messages').select('envoi_id'))
        .execute();
    },
    text: (count) =>
      count === 1
        ? 'Un e-mail envoyé ou en attente\u202f: effacé du site. S’il attend encore, il ne part pas.'
        : `${count} e-mails envoyés ou en attente\u202f: effacés du site. Ceux qui attendent encore ne partent pas.`,
  };
}

/** Jobs whose payload holds an `@`; `keys`: its text values as address keys. */
async function listJobs(db: Access) {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'nom', 'charge', 'created_at'])
    .where('charge', 'like', '%@%')
    .orderBy('id')
    .execute();
  return rows.map(({ charge, ...row }) => {
    const payload: object = JSON.parse(charge);
    const texts = Object.values(payload).filter((value) => typeof value === 'string');
    return { ...row, charge: payload, keys: texts.map(addressKey) };
  });
}

export const jobPlace: Place = {
  genre: 'taches',
  listKeys: async (db) => (await listJobs(db)).flatMap(({ keys }) => keys),
  list: async (db, key) =>
    (await listJobs(db)).filter(({ keys }) => keys.includes(key)).map(({ keys: _keys, ...job }) => job),
  erase: async ({ transaction, key }) => {
    for (const { id, keys } of await listJobs(transaction)) {
      if (keys.includes(key)) await transaction.deleteFrom('jobs').where('id', '=', id).execute();
    }
  },
  text: (count) =>
    count === 1
      ? 'Une tâche que le site allait faire\u202f: abandonnée et effacée.'
      : `${count} tâches que le site allait faire\u202f: abandonnées et effacées.`,
};
