import type { Access } from '#platform/server/db/open.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';

/*
 * Lanes of mails. A few French providers slow down, then refuse, whoever sends them many messages at once: each of
 * them has a lane of its own, in which messages leave one after the other with a pause between. All other
 * addresses share one that has none.
 */

/** The lane of all addresses whose provider has none of its own. */
export const COMMON_QUEUE = 'autres';
/** The mail server itself: a trouble of it is every message's. */
export const RELAY = 'relais';

/** Milliseconds between two messages of a lane of its own. */
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

/** The lane by which a message to this address leaves. */
export function queueOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return LANES.get(domain) ?? COMMON_QUEUE;
}

/** What is set for later than this was set by a clock that ran ahead. */
export const FURTHEST_MS = 2 * 3_600_000;

/** Milliseconds of the first wait, which doubles each time in a row, and of the longest. */
const LANE_WAITS = { first: 30_000, longest: 15 * 60_000 };
const RELAY_WAITS = { first: 5_000, longest: 10 * 60_000 };

/** The lanes by which nothing leaves now. */
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
 * Keeps a lane of its own for one message until `until`; false when it is not free now. Of two processes at once, one
 * has it.
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

/** Leaves time before the next message of a lane that this process holds. */
export async function pauseQueue(transaction: Access, lane: string, now: Date): Promise<void> {
  await transaction
    .updateTable('envois_voies')
    .set({ libre_le: later(now, QUEUE_PAUSE_MS) })
    .where('nom', '=', lane)
    .where('nom', '!=', COMMON_QUEUE)
    .execute();
}

/** The lane works: what made it wait is forgotten, the next message leaves after the usual pause. */
export async function resumeQueue(transaction: Access, lane: string, now: Date): Promise<void> {
  if (lane === COMMON_QUEUE) return openQueue(transaction, lane);
  const state = { libre_le: later(now, QUEUE_PAUSE_MS), reculs: 0, erreur: null, depuis: null };
  await transaction
    .insertInto('envois_voies')
    .values({ nom: lane, ...state })
    .onConflict((conflict) => conflict.column('nom').doUpdateSet(state))
    .execute();
}

/** When the next lane opens that is closed now; undefined when none is. */
export async function findNextOpening(db: Access, now: Date): Promise<Date | undefined> {
  const { next } = await db
    .selectFrom('envois_voies')
    .select(({ fn }) => fn.min<string | null>('libre_le').as('next'))
    .where('libre_le', '>', now.toISOString())
    .where('libre_le', '<=', later(now, FURTHEST_MS))
    .executeTakeFirstOrThrow();
  return next === null ? undefined : new Date(next);
}

/** Forgets what kept this lane, or the relay, from being used. */
export async function openQueue(transaction: Access, lane: string): Promise<void> {
  await transaction.deleteFrom('envois_voies').where('nom', '=', lane).execute();
}

/**
 * Keeps a lane, or the relay, from being used for a while, each time in a row for longer, and returns until when. With
 * `isDoubtful` the first time goes by, undefined: it may have been the message.
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
