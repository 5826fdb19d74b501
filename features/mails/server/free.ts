import { holdAdmin } from '#features/accounts/server/adminsStore.ts';
import { journal } from '#features/audit/server/journal.ts';
import type { Access } from '#platform/server/db/database.ts';
import { tooMany } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import type { freeMailCalls } from '../calls.ts';
import { around, listFreeMails, secondsLeft } from './store.ts';

export function freeHandlers(services: Services): HandlersOf<typeof freeMailCalls> {
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

/** Throws 429 when this admin has reached the limit of an hour. */
export async function refuseTooMany(
  { database, clock }: Services,
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
