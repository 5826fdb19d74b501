import { sql } from 'kysely';
import type { Access } from '#platform/server/db/open.ts';
import type { Services } from '#platform/server/services.ts';
import { MAIL_STATES, type MailState, type MailTrouble } from '#platform/shared/mails.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { COMMON_LANE, countSent, PAUSE_MS, RELAY } from './pacing.ts';

/** The state of the sending of mails, for those who follow it. */

/** A trouble of the relay, which keeps every message from being sent. */
interface RelayTrouble {
  erreur: MailTrouble;
  /** Instants: since when, and when it is tried again. */
  depuis: string;
  prochain_essai: string;
}

export async function findRelayTrouble(db: Access): Promise<RelayTrouble | undefined> {
  const relay = await db
    .selectFrom('envois_voies')
    .selectAll()
    .where('nom', '=', RELAY)
    .where('erreur', 'is not', null)
    .executeTakeFirst();
  if (!relay?.erreur || !relay.depuis) return undefined;
  return { erreur: relay.erreur, depuis: relay.depuis, prochain_essai: relay.libre_le };
}

/**
 * Estimated seconds, by mailing, until the last of its waiting messages is sent, those before it included. A mailing
 * without waiting messages is left out; all are while no message can be sent.
 */
export async function listSecondsLeft(services: Services): Promise<Map<number, number>> {
  const { config, database, clock, mails } = services;
  const left = new Map<number, number>();
  if (!config.SMTP_URL || (await findRelayTrouble(database.db))) return left;
  const waiting = await database.db
    .selectFrom('jobs')
    .innerJoin('envois_messages', 'envois_messages.id', 'jobs.message_id')
    .select((expression) => [
      'envoi_id',
      'voie',
      expression.fn.countAll<number>().as('count'),
      sql<string>`max(a_faire_le)`.as('last'),
    ])
    .where('etat', 'in', ['attente', 'envoi'])
    .groupBy(['envoi_id', 'voie'])
    .orderBy('envoi_id')
    .execute();
  if (waiting.length === 0) return left;
  const now = clock().getTime();
  const sent = await countSent(database.db, clock());
  const average = mails.averageMs();
  const lanes = new Map<string, number>();
  let total = 0;
  let latest = 0;
  // Mailings are sent in the order in which they were written, so each also waits for those before it.
  for (const { envoi_id: id, voie, count, last } of waiting) {
    total += count;
    lanes.set(voie, (lanes.get(voie) ?? 0) + count * (average + (voie === COMMON_LANE ? 0 : PAUSE_MS)));
    latest = Math.max(latest, Date.parse(last) - now);
    const milliseconds = Math.max(total * average, latest, ...lanes.values());
    const days = config.MAIL_PER_DAY ? Math.ceil((sent + total) / config.MAIL_PER_DAY) - 1 : 0;
    left.set(id, Math.ceil((milliseconds + days * DAY_MS) / 1000));
  }
  return left;
}

/** How many messages wait, and since when the oldest does. */
export function countWaiting(db: Access): Promise<{ count: number; oldest: string | null }> {
  return db
    .selectFrom('envois_messages')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<string | null>('attend_depuis').as('oldest'),
    ])
    .where('etat', '=', 'attente')
    .executeTakeFirstOrThrow();
}

/** How many messages are in each state, states without any included. */
export async function countByState(db: Access): Promise<Record<MailState, number>> {
  const rows = await db
    .selectFrom('envois_messages')
    .select(['etat', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('etat')
    .execute();
  const found = new Map(rows.map(({ etat, count }) => [etat, count]));
  const states = Object.keys(MAIL_STATES) as MailState[];
  return Object.fromEntries(states.map((state) => [state, found.get(state) ?? 0])) as Record<
    MailState,
    number
  >;
}
