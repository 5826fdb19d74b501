import type { ExpressionBuilder, Selectable, Updateable } from 'kysely';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';
import {
  COMMON_QUEUE,
  closeQueue,
  FURTHEST_MS,
  holdQueue,
  listClosedQueues,
  openQueue,
  pauseQueue,
  RELAY,
  resumeQueue,
} from './providerQueues.ts';
import type { Failure } from './reasons.ts';
import { countOne } from './state.ts';
import { ATTEMPT_MS } from './transport.ts';

/*
 * The queue of messages: a message is claimed before it is sent and marked afterwards, each in a transaction of its
 * own. Whatever happens to the process in between, the message is claimed again, with the same message id.
 */

/** Tries after which a message is given up. */
const TRIES_MAX = 12;
/** Backoff in ms before another try: the first wait doubles up to the longest. */
const WAITS = { first: 60_000, longest: 3_600_000 };
/** Lease of a message, in ms, past which its process counts as dead. */
const LEASE_MS = ATTEMPT_MS + 20_000;

/** Claims the next message that is due and may be sent now; undefined for none. */
export async function claimMessage(database: Database, now: Date): Promise<QueuedMessage | undefined> {
  const until = after(now, LEASE_MS);
  for (;;) {
    const closed = await listClosedQueues(database.db, now);
    if (closed.includes(RELAY)) return undefined;
    const due = await queuedMessages(database.db)
      .where('envois_messages.etat', '=', 'attente')
      .where((where) =>
        where.or([
          where('envois_messages.a_envoyer_le', '<=', now.toISOString()),
          where('envois_messages.a_envoyer_le', '>', after(now, FURTHEST_MS)),
        ]),
      )
      .$if(closed.length > 0, (query) => query.where('envois_messages.voie', 'not in', closed))
      .orderBy('envois_messages.rang')
      .orderBy('envois_messages.a_envoyer_le')
      .orderBy('envois_messages.id')
      .limit(1)
      .executeTakeFirst();
    if (!due) return undefined;
    // Counted before it is sent: a message that takes the process down with it must not be tried for ever.
    const taken = { etat: 'envoi' as const, pris_jusqua: until, essais: due.essais + 1 };
    const isTaken = await database.write(async (transaction) => {
      if (!(await holdQueue(transaction, due.voie, now, until))) return false;
      const { numUpdatedRows } = await transaction
        .updateTable('envois_messages')
        .set(taken)
        .where('id', '=', due.id)
        .where('etat', '=', 'attente')
        .where('essais', '=', due.essais)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) await pauseQueue(transaction, due.voie, now);
      return numUpdatedRows === 1n;
    });
    if (isTaken) return { ...due, ...taken };
  }
}

/** Marks a message as sent, even when another process has the lease by now: it is a fact. */
export function markSent(
  database: Database,
  message: QueuedMessage,
  { answer, mark }: { answer: string | null; mark: string | null },
  now: Date,
): Promise<void> {
  return database.write(async (transaction) => {
    await goOn(transaction, message.voie, now);
    await transaction
      .updateTable('envois_messages')
      .set({
        pris_jusqua: null,
        etat: 'envoye',
        erreur: null,
        reponse: answer,
        mdp_empreinte: mark,
        termine_le: now.toISOString(),
      })
      .where('id', '=', message.id)
      .execute();
    await countOne(transaction, now);
  });
}

/** Marks a message that must not be sent, or not any longer. */
export function markStopped(
  database: Database,
  message: QueuedMessage,
  trouble: MailTrouble,
  now: Date,
): Promise<void> {
  const etat = trouble === 'texte_efface' ? ('echec' as const) : ('annule' as const);
  const change = { etat, erreur: trouble, reponse: null, termine_le: now.toISOString() };
  return database.write(async (transaction) => {
    await pauseQueue(transaction, message.voie, now);
    await changeMine(transaction, message, change);
  });
}

/** Marks a failed attempt: the message is tried again later, or given up, and what stands in its way is paused. */
export function markFailed(
  database: Database,
  message: QueuedMessage,
  failure: Failure & { answer: string | null },
  now: Date,
): Promise<void> {
  return database.write(async (transaction) => {
    const restsUntil = await rest(transaction, message.voie, failure, now);
    await changeMine(transaction, message, afterFailure(message, failure, restsUntil, now));
  });
}

/** Pauses what stands in the way of a message; returns until when the relay is closed, if it is. */
async function rest(
  transaction: Access,
  lane: string,
  { trouble, whose }: Failure,
  now: Date,
): Promise<string | undefined> {
  if (whose === 'relay' || whose === 'session') {
    await pauseQueue(transaction, lane, now);
    return closeQueue(transaction, RELAY, trouble, now, whose === 'session');
  }
  if (whose === 'message') await goOn(transaction, lane, now);
  else {
    // When many providers share a queue, one that slows down is no reason for all to wait.
    await closeQueue(transaction, lane, trouble, now, lane === COMMON_QUEUE);
    await openQueue(transaction, RELAY);
  }
  return undefined;
}

function afterFailure(
  { essais }: QueuedMessage,
  { trouble, whose, isFinal, answer }: Failure & { answer: string | null },
  restsUntil: string | undefined,
  now: Date,
): Updateable<Tables['envois_messages']> {
  if (whose === 'relay') return { etat: 'attente', essais: essais - 1 };
  const told = { erreur: trouble, reponse: answer };
  if (restsUntil !== undefined) {
    // Most likely the relay's fault, so it counts as no try. Should it be this message's, the others go first.
    const a_envoyer_le = after(new Date(restsUntil), WAITS.first);
    return { ...told, etat: 'attente', essais: essais - 1, a_envoyer_le };
  }
  if (isFinal || essais >= TRIES_MAX) return { ...told, etat: 'echec', termine_le: now.toISOString() };
  const wait = Math.min(WAITS.longest, WAITS.first * 2 ** (essais - 1));
  return { ...told, etat: 'attente', a_envoyer_le: after(now, wait) };
}

/**
 * Frees the messages that a dead process had claimed. `areAllDead`: no other process is at work on this database, so
 * every lease is of a dead one.
 */
export async function tidyQueue(database: Database, now: Date, areAllDead = false): Promise<void> {
  const at = now.toISOString();
  const isLost = (where: ExpressionBuilder<Tables, 'envois_messages'>) =>
    where.and([
      where('etat', '=', 'envoi'),
      where.or([
        where.lit(areAllDead),
        where('pris_jusqua', '<', at),
        // Further ahead than a lease, as a process whose clock is a little ahead may just have claimed it.
        where('pris_jusqua', '>', after(now, FURTHEST_MS)),
      ]),
    ]);
  const found = await database.db
    .selectFrom('envois_messages')
    .select('id')
    .where(isLost)
    .limit(1)
    .executeTakeFirst();
  if (!found) return;
  await database.write(async (transaction) => {
    await transaction
      .updateTable('envois_messages')
      .set({ pris_jusqua: null, etat: 'attente' })
      .where(isLost)
      .where('essais', '<', TRIES_MAX)
      .execute();
    await transaction
      .updateTable('envois_messages')
      .set({ pris_jusqua: null, etat: 'echec', erreur: 'coupe', termine_le: at })
      .where(isLost)
      .execute();
  });
}

/** Opens queue and relay after a message was sent, or refused for itself: the next one is sent as usual. */
async function goOn(transaction: Access, lane: string, now: Date): Promise<void> {
  await resumeQueue(transaction, lane, now);
  await openQueue(transaction, RELAY);
}

/** Changes a message unless its lease was lost meanwhile: then another process has it. */
async function changeMine(
  transaction: Access,
  { id, pris_jusqua }: QueuedMessage,
  change: Updateable<Tables['envois_messages']>,
): Promise<void> {
  await transaction
    .updateTable('envois_messages')
    .set({ pris_jusqua: null, ...change })
    .where('id', '=', id)
    .where('etat', '=', 'envoi')
    .where('pris_jusqua', '=', pris_jusqua)
    .execute();
}

function after(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

/** A message with the fields of its mailing. */
export type QueuedMessage = Selectable<Tables['envois_messages']> &
  Pick<Selectable<Tables['envois']>, 'genre' | 'type' | 'cle' | 'contenu'>;

export function queuedMessages(db: Access) {
  return db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .selectAll('envois_messages')
    .select(['envois.genre', 'envois.type', 'envois.cle', 'envois.contenu']);
}
