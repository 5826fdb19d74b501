import { journal } from '#features/audit/server/journal.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outbox.ts';
import type { Services } from '#platform/server/services.ts';
import { refuseTooMany } from './limit.ts';

type Keys = 'POST /send-email';

export function freeHandlers(services: Services): Pick<Handlers, Keys> {
  const { database, secrets, clock, mails } = services;
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
      mails.wake();
      return { message: 'Message envoyé', id };
    },
  };
}
