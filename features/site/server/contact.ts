import { journal } from '#features/audit/server/journal.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { countMailings, insertMailing } from '#platform/server/mail/outboxStore.ts';
import { networkOf } from '#platform/server/networks.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { contactCalls } from '../calls.ts';
import { CONTACT_DAYS } from '../shared/limits.ts';
import { readSettings } from './settingsStore.ts';
import { deleteMessage, deleteMessagesBefore, insertMessage, listMessages, updateMessage } from './store.ts';

/**
 * Limit of a network: enough for people who correct themselves, too low for a machine. There is none for all together, as
 * ten addresses would shut everybody out: what comes is a list for staff, who are mailed a part of it.
 */
const LIMIT = {
  most: 3,
  refusal: 'Trop de messages ont été envoyés\u202f: réessayez dans quelques minutes.',
};
const CONTACT_MS = CONTACT_DAYS * DAY_MS;
/** Messages mailed in a day; the others are only in the portal, so that visitors cannot use up the mail quota. */
const MAILED_PER_DAY = 50;
const TABLE = 'messages_contact';

export function contactHandlers(services: Services): HandlersOf<typeof contactCalls> {
  const { database, rateLimits, clock, jobs } = services;
  return {
    // Not journalled: a line would store the address that the message came from.
    'POST /contact': async ({ body, ip }) => {
      await rateLimits.count('contact', networkOf(ip), LIMIT);
      await database.write(async (transaction) => {
        const now = clock();
        const id = await insertMessage(transaction, body, now);
        await insertMail(services, transaction, id, now);
      });
      jobs.wake();
      return { message: 'Message envoyé' };
    },
    'GET /contact': () => listMessages(database.db),
    'PUT /contact/:id': async ({ params, body, ...context }) => {
      const state = body.lu ? 'lu' : 'non lu';
      await database.write(async (transaction) => {
        await updateMessage(transaction, params.id, body.lu ? clock() : null);
        const about = { table: TABLE, id: params.id };
        await journal(transaction, context, clock(), `message de contact marqué comme ${state}`, about);
      });
      return { message: `Message marqué comme ${state}` };
    },
    'DELETE /contact/:id': async ({ params, ...context }) => {
      await database.write(async (transaction) => {
        await deleteMessage(transaction, params.id);
        const about = { table: TABLE, id: params.id };
        await journal(transaction, context, clock(), 'suppression d’un message de contact', about);
      });
      return { message: 'Message supprimé' };
    },
  };
}

/** Queues a mail to the contact address of the settings, if set; its text is read from the message when it is sent. */
async function insertMail(
  { config, secrets }: Services,
  transaction: Access,
  contactId: number,
  now: Date,
): Promise<void> {
  const { contact_email: address } = await readSettings(transaction, config);
  if (address === '') return;
  const since = new Date(now.getTime() - DAY_MS);
  if ((await countMailings(transaction, 'contact', since)) >= MAILED_PER_DAY) return;
  const mailing = { genre: 'contact' as const, actor: {}, messages: [{ address, contactId }] };
  await insertMailing(transaction, secrets, mailing, now);
}

/** Scheduled: erases for good the messages older than `CONTACT_DAYS`. */
export async function forgetOldMessages({ database, clock }: Services): Promise<void> {
  await database.write(async (transaction) => {
    const now = clock();
    const count = await deleteMessagesBefore(transaction, new Date(now.getTime() - CONTACT_MS));
    if (count > 0) await journal(transaction, SITE, now, 'effacement d’anciens messages de contact');
  });
}
