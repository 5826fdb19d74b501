import { holdAdmin } from '#features/accounts/server/adminsStore.ts';
import { journal } from '#features/audit/server/journal.ts';
import type { freeMailCalls } from '#features/mails/calls.ts';
import type { Access } from '#platform/server/db/open.ts';
import { tooMany } from '#platform/server/http/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outbox.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { listFreeMails, type Span } from './store.ts';

export function freeHandlers(
  services: Pick<Services, 'database' | 'secrets' | 'clock' | 'jobs'>,
): HandlersOf<typeof freeMailCalls> {
  const { database, secrets, clock, jobs } = services;
  return {
    'POST /send-email': async ({ body: { to, subject, message }, ...context }) => {
      const id = await database.write(async (transaction) => {
        await refuseTooMany(services, transaction, context.session?.adminId ?? 0);
        const now = clock();
        const mailing = await insertMailing(
          transaction,
          secrets,
          {
            genre: 'libre',
            texts: { objet: subject, texte: message },
            actor: context,
            messages: [{ address: to }],
          },
          now,
        );
        await journal(transaction, context, now, 'envoi d’un e-mail', { table: 'envois', id: mailing });
        return mailing;
      });
      jobs.wake();
      return { message: 'Message envoyé', id };
    },
  };
}

/** Most mails to any address from one admin in an hour: enough for people, not for a stolen session. */
const PER_HOUR = 60;

/** Span that a limit counts at `now`: also up to `ms` later, for rows dated by a machine whose clock is ahead. */
export function around(now: Date, ms: number): Span {
  return { after: new Date(now.getTime() - ms), until: new Date(now.getTime() + ms) };
}

/** Seconds until an instant is `ms` old; an instant in the future counts as now. */
export function secondsLeft(instant: string, ms: number, now: Date): number {
  const age = Math.max(0, now.getTime() - Date.parse(instant));
  return Math.ceil((ms - age) / 1000);
}

/** Throws 429 when this admin has reached the limit of an hour. */
export async function refuseTooMany(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  transaction: Access,
  adminId: number,
): Promise<void> {
  // Locked until the end of the transaction, so that of two mails at once, the second counts the first.
  await holdAdmin(database, transaction, adminId);
  const now = clock();
  const sent = await listFreeMails(transaction, adminId, around(now, HOUR_MS), PER_HOUR);
  const oldest = sent[PER_HOUR - 1];
  if (oldest === undefined) return;
  const seconds = secondsLeft(oldest, HOUR_MS, now);
  const minutes = Math.ceil(seconds / 60);
  throw tooMany(
    seconds,
    `${PER_HOUR}\u00a0e-mails sont déjà partis en une heure\u202f: le prochain pourra partir dans ${minutes}\u00a0min.`,
  );
}
