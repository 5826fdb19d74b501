import { sql } from 'kysely';
import type { Config } from '#platform/server/config.ts';
import { type Access, type Database, hasChanged } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { ClaimedJob, Pacing } from '#platform/server/jobs/jobsStore.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';
import { DAY_MS, hourOf } from '#platform/shared/time.ts';

/*
 * When mails may be sent. A few French providers slow down, then refuse, senders of many messages at once: each of
 * them is a lane of the queue, in which messages are sent one after the other with a pause between. All other addresses
 * share one lane that has no pause. A trouble of the site's own mail server, the relay, stops every lane.
 */

/** The lane of all addresses whose provider has none of its own. */
export const COMMON_LANE = 'autres';
/** The mail server itself: a trouble of it concerns every message. */
export const RELAY = 'relais';

/** Pause, in ms, between two messages to one provider. */
export const PAUSE_MS = 1_000;

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

export function laneOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return LANES.get(domain) ?? COMMON_LANE;
}

/** An instant further ahead than this, in ms, was set by a clock that ran ahead. */
const FURTHEST_MS = 2 * 3_600_000;

/** Backoff in ms: the first wait, which doubles each time in a row, and the longest. */
const LANE_WAITS = { first: 30_000, longest: 15 * 60_000 };
const RELAY_WAITS = { first: 5_000, longest: 10 * 60_000 };

/** The pacing of the queue `mails`. Without a mail server no message is sent: all wait, and are read in the portal. */
export function mailPacing({ config }: { config: Pick<Config, 'SMTP_URL' | 'MAIL_PER_DAY'> }): Pacing {
  return {
    async closed(db, now) {
      const { SMTP_URL, MAIL_PER_DAY } = config;
      if (SMTP_URL === undefined) return 'all';
      if (MAIL_PER_DAY !== undefined && (await countSent(db, now)) >= MAIL_PER_DAY) return 'all';
      const closed = await listClosed(db, now);
      return closed.includes(RELAY) ? 'all' : closed;
    },
    async reserve(transaction, job, now) {
      if (!(await reserveLane(transaction, job, now))) return false;
      // Left alone if it was given up meanwhile: the job then finds nothing to send.
      await transaction
        .updateTable('envois_messages')
        .set({ etat: 'envoi', essais: job.essais })
        .where('id', '=', job.message_id)
        .where('etat', 'in', ['attente', 'envoi'])
        .execute();
      return true;
    },
    nextOpening: findNextOpening,
  };
}

/**
 * Opens the relay when the site starts, as somebody may have mended what kept messages from being sent.
 * `areAllDead`: no other process is at work on this database, so no message is being sent.
 */
export async function resumeMails(
  { database, config }: { database: Database; config: Pick<Config, 'SMTP_URL'> },
  areAllDead: boolean,
): Promise<void> {
  await database.write(async (transaction) => {
    if (config.SMTP_URL !== undefined) await openLane(transaction, RELAY);
    if (!areAllDead) return;
    await transaction
      .updateTable('envois_messages')
      .set({ etat: 'attente' })
      .where('etat', '=', 'envoi')
      .execute();
  });
}

async function listClosed(db: Access, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('envois_voies')
    .select('nom')
    .where('libre_le', '>', now.toISOString())
    .where('libre_le', '<=', later(now, FURTHEST_MS))
    .execute();
  return rows.map(({ nom }) => nom);
}

/** Closes the lane of a provider while one message is sent; false when it is closed already. */
async function reserveLane(
  transaction: Access,
  { voie, pris_jusqua }: ClaimedJob,
  now: Date,
): Promise<boolean> {
  if (voie === COMMON_LANE) return true;
  return hasChanged(
    transaction
      .insertInto('envois_voies')
      .values({ nom: voie, libre_le: pris_jusqua, erreur: null, depuis: null })
      .onConflict((conflict) =>
        conflict
          .column('nom')
          .doUpdateSet({ libre_le: pris_jusqua })
          .where((where) =>
            where.or([
              where('envois_voies.libre_le', '<=', now.toISOString()),
              where('envois_voies.libre_le', '>', later(now, FURTHEST_MS)),
            ]),
          ),
      ),
  );
}

/** Sets the pause before the next message in a lane that this process has reserved. */
export async function pauseLane(transaction: Access, lane: string, now: Date): Promise<void> {
  await transaction
    .updateTable('envois_voies')
    .set({ libre_le: later(now, PAUSE_MS) })
    .where('nom', '=', lane)
    .where('nom', '!=', COMMON_LANE)
    .execute();
}

/** Opens a lane and the relay after a message was sent, or refused for itself: the next one is sent after the pause. */
export async function resumeLane(transaction: Access, lane: string, now: Date): Promise<void> {
  await openLane(transaction, RELAY);
  if (lane === COMMON_LANE) return openLane(transaction, lane);
  const state = { libre_le: later(now, PAUSE_MS), reculs: 0, erreur: null, depuis: null };
  await writeLane(transaction, lane, state);
}

async function writeLane(
  transaction: Access,
  lane: string,
  state: Omit<Tables['envois_voies'], 'nom' | 'reculs'> & { reculs: number },
): Promise<void> {
  await transaction
    .insertInto('envois_voies')
    .values({ nom: lane, ...state })
    .onConflict((conflict) => conflict.column('nom').doUpdateSet(state))
    .execute();
}

/** Opens this lane, or the relay: forgets what closed it. */
export async function openLane(transaction: Access, lane: string): Promise<void> {
  await transaction.deleteFrom('envois_voies').where('nom', '=', lane).execute();
}

/**
 * Closes a lane, or the relay, for a while, each time in a row for longer, and returns until when. With `isDoubtful`
 * the first time has no effect and returns undefined: the message may have been the cause.
 */
export async function closeLane(
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
  await writeLane(transaction, lane, state);
  return isLetBy ? undefined : state.libre_le;
}

async function findNextOpening(db: Access, now: Date): Promise<Date | undefined> {
  const { next } = await db
    .selectFrom('envois_voies')
    .select(({ fn }) => fn.min<string | null>('libre_le').as('next'))
    .where('libre_le', '>', now.toISOString())
    .where('libre_le', '<=', later(now, FURTHEST_MS))
    .executeTakeFirstOrThrow();
  return next === null ? undefined : new Date(next);
}

function later(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

/* The limit of messages a day. */

/** Counts one more sent message. */
export async function countOne(transaction: Access, now: Date): Promise<void> {
  await transaction
    .insertInto('envois_heures')
    .values({ heure: hourOf(now), nombre: 1 })
    .onConflict((conflict) =>
      conflict
        .column('heure')
        .doUpdateSet(({ ref }) => ({ nombre: sql`${ref('envois_heures.nombre')} + 1` })),
    )
    .execute();
}

/** Number of messages sent in the last 24 hours, counted from the start of the hour in which these begin. */
export async function countSent(db: Access, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('envois_heures')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('nombre'), sql<number>`0`).as('count'))
    .where('heure', '>=', hourOf(new Date(now.getTime() - DAY_MS)))
    // Excludes those dated by a clock that ran ahead.
    .where('heure', '<=', hourOf(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function deleteHours(transaction: Access, now: Date): Promise<void> {
  const before = hourOf(new Date(now.getTime() - DAY_MS));
  await transaction.deleteFrom('envois_heures').where('heure', '<', before).execute();
}
