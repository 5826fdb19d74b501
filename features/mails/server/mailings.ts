import { journal } from '#features/audit/server/journal.ts';
import { conflict } from '#platform/server/errors.ts';
import type { Context, HandlersOf } from '#platform/server/http/serve.ts';
import { findRelayTrouble, listSecondsLeft, openTexts } from '#platform/server/mail/outboxStore.ts';
import { countSent } from '#platform/server/mail/pacingStore.ts';
import type { Composers } from '#platform/server/mail/sender.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { OpenedPassword } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { MAIL_KINDS, type MailState } from '#platform/shared/mails.ts';
import type { Mailing, MailMessage, mailingCalls } from '../calls.ts';
import { FAILURES_MS } from './checks.ts';
import { shownOf } from './codes.ts';
import { requireKnown } from './knownAddressesStore.ts';
import { listPeopleBehind, recipientsOf, replaceAddress } from './recipientsStore.ts';
import {
  countMessages,
  countWaiting,
  getMailing,
  getMessage,
  listFailed,
  listMailings,
  listMessages,
  listNamedStays,
  type MailingRow,
  readdress,
  resendFailed,
} from './store.ts';

/** Most stays named for each mailing of the list. */
const NAMED_STAYS = 3;

export function followHandlers(services: Services, composers: Composers): HandlersOf<typeof mailingCalls> {
  const { database, config, clock, jobs } = services;
  return {
    'GET /envois': async () => {
      const mailings = await describe(services, await listMailings(database.db), NAMED_STAYS);
      // A mailing without messages has lost its subject: a stay, or a visitor's message, was erased.
      return mailings.filter(({ total }) => total > 0);
    },
    'GET /envois/:id': async ({ params: { id }, query }) => {
      const row = await getMailing(database.db, id);
      const [mailing] = await describe(services, [row]);
      const messages = await listMessages(database.db, id, query);
      const failed = messages.filter(({ etat }) => etat === 'echec');
      const { genre, type } = row;
      const people = await listPeopleBehind(
        database.db,
        failed.map((message) => ({ ...message, genre, type })),
      );
      return { ...(mailing as Mailing), messages: messages.map((message) => messageOf(message, people)) };
    },
    'GET /envois/refuses': async () => {
      const failed = await listFailed(database.db, new Date(clock().getTime() - FAILURES_MS));
      const people = await listPeopleBehind(database.db, failed);
      // Nothing can be corrected where nobody has the address.
      return failed.flatMap((message) =>
        people.get(message.id)?.length
          ? [
              {
                ...messageOf({ ...message, a_faire_le: null }, people),
                envoi_id: message.envoi_id,
                genre: message.genre,
              },
            ]
          : [],
      );
    },
    'PUT /envois/:id/messages/:n/adresse': ({ params: { id, n }, body: { email }, ...context }) =>
      correctAddress(services, context, { id, n, email }),
    'POST /envois/:id/relancer': async ({ params: { id }, ...context }) => {
      const nombre = await database.write(async (transaction) => {
        const mailing = await getMailing(transaction, id);
        const count = await resendFailed(transaction, mailing, clock());
        if (count === 0) throw conflict('Aucun message de cet envoi n’est en échec.');
        if (isErased(mailing)) throw conflict(ERASED);
        const action = `nouvel envoi des messages en échec (${count})`;
        await journal(transaction, context, clock(), action, { table: 'envois', id });
        return count;
      });
      jobs.wake();
      const message =
        nombre === 1 ? 'Un message est envoyé de nouveau' : `${nombre} messages sont envoyés de nouveau`;
      return { message, nombre };
    },
    'GET /envois/:id/messages/:n': ({ params: { id, n }, ...context }) =>
      database.write(async (transaction) => {
        const message = await getMessage(transaction, id, n);
        const opening = (password: OpenedPassword) => password.shownTo(context.session, clock());
        const isCancelled = message.etat === 'annule';
        const composed = isCancelled
          ? (message.erreur ?? 'autre')
          : await composers[message.genre]({ ...services, shown: opening }, transaction, message);
        const action = `lecture d’un message «\u00a0${MAIL_KINDS[message.genre]}\u00a0»`;
        await journal(transaction, context, clock(), action, { table: 'envois_messages', id: n });
        const shown = shownOf(composed);
        return { ...shown, remarque: typeof composed !== 'string' && composed.isOutdated ? OUTDATED : null };
      }),
    'GET /messagerie': async () => ({
      configuree: config.SMTP_URL !== undefined,
      expediteur: config.MAIL_FROM ?? null,
      en_attente: await countWaiting(database.db),
      panne: (await findRelayTrouble(database.db)) ?? null,
      par_jour: config.MAIL_PER_DAY ?? null,
      partis: await countSent(database.db, clock()),
    }),
  };
}

/**
 * Puts an address in the place of one that was refused, wherever people have it, and sends again what was not received.
 */
async function correctAddress(
  { database, clock, jobs }: Services,
  context: Pick<Context<'POST /envois/:id/relancer'>, 'session' | 'ip'>,
  { id, n, email }: { id: number; n: number; email: string },
): Promise<{ message: string }> {
  const changed = await database.write(async (transaction) => {
    const now = clock();
    const mailing = await getMailing(transaction, id);
    const message = await getMessage(transaction, id, n);
    const type = recipientsOf(mailing);
    if (type === null) throw conflict('L’adresse de ce message n’est inscrite nulle part.');
    if (message.etat !== 'echec') throw conflict('Ce message n’est plus en échec.');
    if (isErased(mailing)) throw conflict(ERASED);
    const key = message.cle_destinataire;
    const since = new Date(now.getTime() - FAILURES_MS);
    const sent = await readdress(transaction, [type, key, email], since, now);
    if (mailing.type !== null)
      await requireKnown(
        transaction,
        mailing.type,
        [{ stageId: message.stage_id ?? 0, key: addressKey(email) }],
        context.session,
        now,
      );
    const places = await replaceAddress(database, transaction, type, [key, email], now);
    if (places.length === 0)
      throw conflict('Plus personne n’a cette adresse\u202f: il n’y a rien à corriger.');
    for (const place of places)
      await journal(transaction, context, now, 'correction d’une adresse e-mail refusée', place);
    await journal(transaction, context, now, 'nouvel envoi d’un message', {
      table: 'envois_messages',
      id: n,
    });
    return { places, sent };
  });
  jobs.wake();
  const { places, sent } = changed;
  const noun = places[0]?.table === 'formateurs' ? 'directeur' : 'enfant';
  const whose = places.length > 1 ? `${places.length} ${noun}s` : `un ${noun}`;
  const what = sent > 1 ? `${sent} messages repartent` : 'le message repart';
  return { message: `Adresse corrigée pour ${whose}\u202f: ${what}` };
}

const OUTDATED = 'Le mot de passe a changé depuis\u202f: le message en portait un autre.';
const ERASED = 'Le texte de cet envoi est effacé\u202f: faites-en un nouveau.';

/** Whether the text of a mailing is erased; a contact message has none here, as it is read from its own table. */
function isErased({ genre, contenu }: MailingRow): boolean {
  return genre !== 'contact' && contenu === '';
}

/** Mailings with the counts of their messages, and at most `mostStays` of their stays. */
async function describe(
  services: Services,
  mailings: readonly MailingRow[],
  mostStays = Number.POSITIVE_INFINITY,
): Promise<Mailing[]> {
  if (mailings.length === 0) return [];
  const { db } = services.database;
  const ids = mailings.map(({ id }) => id);
  const counts = Map.groupBy(await countMessages(db, ids), ({ envoi_id }) => envoi_id);
  const left = await listSecondsLeft(services);
  const stays = await listNamedStays(db, ids);
  return mailings.map((mailing) => {
    const own = counts.get(mailing.id) ?? [];
    const ownStays = new Set(own.map(({ stage_id }) => stage_id));
    const named = stays.filter(({ id }) => ownStays.has(id));
    const of = (state: MailState) => sum(own.filter(({ etat }) => etat === state));
    return {
      id: mailing.id,
      genre: mailing.genre,
      type: mailing.type,
      acteur: mailing.acteur,
      created_at: mailing.created_at,
      objet:
        mailing.genre === 'contact'
          ? MAIL_KINDS.contact
          : (openTexts(services.secrets, mailing)?.objet ?? null),
      sejours: named.slice(0, mostStays),
      sejours_nombre: named.length,
      total: sum(own),
      attente: of('attente'),
      envoi: of('envoi'),
      envoye: of('envoye'),
      echec: of('echec'),
      annule: of('annule'),
      reste_secondes: left.get(mailing.id) ?? null,
    };
  });
}

function sum(rows: readonly { count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}

type ListedMessage = Awaited<ReturnType<typeof listMessages>>[number];

function messageOf(
  message: ListedMessage,
  people: Awaited<ReturnType<typeof listPeopleBehind>>,
): MailMessage {
  const { id, destinataire, stage_id, nom_stage, etat, essais, erreur, reponse, termine_le } = message;
  const isRetried = etat === 'attente' && erreur !== null;
  return {
    id,
    destinataire,
    stageId: stage_id,
    nom_stage,
    etat,
    essais,
    erreur,
    reponse,
    termine_le,
    prochain_essai: isRetried ? message.a_faire_le : null,
    personnes: people.get(id) ?? [],
  };
}
