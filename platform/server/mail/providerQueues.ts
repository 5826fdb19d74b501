import type { Access } from '#platform/server/db/open.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';

/*
 * Mail queues by provider. A few French providers slow down, then refuse, senders of many messages at once: each of
 * them has its own queue, in which messages are sent one after the other with a pause between. All other addresses
 * share one queue that has no pause.
 */

/** The queue of all addresses whose provider has none of its own. */
export const COMMON_QUEUE = 'autres';
/** The mail server itself: a trouble of it concerns every message. */
export const RELAY = 'relais';

/** Pause, in ms, between two messages in the queue of a provider. */
export const QUEUE_PAUSE_MS = 1_000;

const PROVIDERS: Record<string, readonly string[]> = {
  orange: ['orange.fr', 'wanadoo.fr', 'voila.fr'],
  free: ['free.fr', 'freesbee.fr', 'libertysurf.fr', 'aliceadsl.fr'],
  laposte: ['laposte.net'],
  sfr: ['sfr.fr', 'neuf.fr', 'cegetel.net', 'club-internet.fr', 'numericable.fr', 'noos.fr', '9online.fr'],
  bouygues: ['bbox.fr'],
};
const LANES = new Map(
  Object.entries(PROVIDERS).flatMap(([lane, domains]) => domains.map((domain) => [domain, lane])),
);

/** The queue through which a message to this address is sent. */
export function queueOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return LANES.get(domain) ?? COMMON_QUEUE;
}

/** An instant further ahead than this, in ms, was set by a clock that ran ahead. */
export const FURTHEST_MS = 2 * 3_600_000;

/** Backoff in ms: the first wait, which doubles each time in a row, and the longest. */
const LANE_WAITS = { first: 30_000, longest: 15 * 60_000 };
const RELAY_WAITS = { first: 5_000, longest: 10 * 60_000 };

/** Lists the queues through which nothing may be sent now. */
export async function listClosedQueues(db: Access, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('envois_voies')
    .select('nom')
    .where('libre_le', '>', now.toISOString())
    .where('libre_le', '<=', later(now, FURTHEST_MS))
    .execute();
  return rows.map(({ nom }) => nom);
}

/**
 * Reserves the queue of a provider for one message until `until`; false when it is not free now. Of two processes at
 * once, only one gets it.
 */
export async function holdQueue(
  transaction: Access,
  lane: string,
  now: Date,
  until: string,
): Promise<boolean> {
  if (lane === COMMON_QUEUE) return true;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('envois_voies')
    .values({ nom: lane, libre_le: until, erreur: null, depuis: null })
    .onConflict((conflict) =>
      conflict
        .column('nom')
        .doUpdateSet({ libre_le: until })
        .where((where) =>
          where.or([
            where('envois_voies.libre_le', '<=', now.toISOString()),
            where('envois_voies.libre_le', '>', later(now, FURTHEST_MS)),
          ]),
        ),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Sets the pause before the next message of a queue that this process holds. */
export async function pauseQueue(transaction: Access, lane: string, now: Date): Promise<void> {
  await transaction
    .updateTable('envois_voies')
    .set({ libre_le: later(now, QUEUE_PAUSE_MS) })
    .where('nom', '=', lane)
    .where('nom', '!=', COMMON_QUEUE)
    .execute();
}

/** Records that a queue works: what made it wait is forgotten, and the next message is sent after the usual pause. */
export async function resumeQueue(transaction: Access, lane: string, now: Date): Promise<void> {
  if (lane === COMMON_QUEUE) return openQueue(transaction, lane);
  const state = { libre_le: later(now, QUEUE_PAUSE_MS), reculs: 0, erreur: null, depuis: null };
  await transaction
    .insertInto('envois_voies')
    .values({ nom: lane, ...state })
    .onConflict((conflict) => conflict.column('nom').doUpdateSet(state))
    .execute();
}

/** When the next closed queue opens; undefined when none is closed. */
export async function findNextOpening(db: Access, now: Date): Promise<Date | undefined> {
  const { next } = await db
    .selectFrom('envois_voies')
    .select(({ fn }) => fn.min<string | null>('libre_le').as('next'))
    .where('libre_le', '>', now.toISOString())
    .where('libre_le', '<=', later(now, FURTHEST_MS))
    .executeTakeFirstOrThrow();
  return next === null ? undefined : new Date(next);
}

/** Opens this queue, or the relay: forgets what closed it. */
export async function openQueue(transaction: Access, lane: string): Promise<void> {
  await transaction.deleteFrom('envois_voies').where('nom', '=', lane).execute();
}

/**
 * Closes a queue, or the relay, for a while, each time in a row for longer, and returns until when. With `isDoubtful`
 * the first time has no effect and returns undefined: the message may have been the cause.
 */
export async function closeQueue(
  transaction: Access,
  lane: string,
  trouble: MailTrouble,
  now: Date,
  isDoubtful: boolean,
): Promise<string | undefined> {
  const before = await transaction
    .selectFrom('envois_voies')
    .selectAll()
    .where('nom', '=', lane)
    .executeTakeFirst();
  const times = before?.reculs ?? 0;
  const { first, longest } = lane === RELAY ? RELAY_WAITS : LANE_WAITS;
  const isLetBy = isDoubtful && times === 0;
  const state = {
    libre_le: later(now, isLetBy ? 0 : Math.min(longest, first * 2 ** (isDoubtful ? times - 1 : times))),
    reculs: times + 1,
    erreur: isLetBy ? null : trouble,
    depuis: isLetBy ? null : (before?.depuis ?? now.toISOString()),
  };
  await transaction
    .insertInto('envois_voies')
    .values({ nom: lane, ...state })
    .onConflict((conflict) => conflict.column('nom').doUpdateSet(state))
    .execute();
  return isLetBy ? undefined : state.libre_le;
}

function later(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
