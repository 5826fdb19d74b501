import { sql } from 'kysely';
import type { Access } from '#platform/server/db/open.ts';
import { addressKey } from '#platform/server/mail/address.ts';
import { openTexts } from '#platform/server/mail/outbox.ts';
import { queuedMessages } from '#platform/server/mail/queue.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { holds, keysIn, type Place, withoutOthers } from './place.ts';

/** What an address left behind: messages, mails, what imports have changed, work to be done. */

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
      // What was written to nobody else goes as well; that something was written stays for a day, as hourly limits
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

/** Jobs whose payload holds an address, by itself. */
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
