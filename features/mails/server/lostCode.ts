import { journal } from '#features/audit/server/journal.ts';
import { WATCHED } from '#features/audit/shared/journal.ts';
import { photoTimeOf } from '#features/stays/server/photoTime.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { networkOf } from '#platform/server/networks.ts';
import type { Services } from '#platform/server/services.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { lostCodeCalls } from '../calls.ts';
import { CODES_SUBJECT } from '../shared/terms.ts';
import { isToTell, listYoung } from './knownAddressesStore.ts';
import { ensureLinks } from './linksStore.ts';
import { listRecipients, type Recipient } from './recipientsStore.ts';
import { listLostCodes } from './store.ts';

/*
 * Lost codes, sent again to an address that is recorded for the stay. The requester must not learn which addresses are
 * recorded: the answer is the same, and takes the same time, for any input, and all work that depends on the input is
 * done later, by a job.
 */

/** Limit of a network: enough for a company whose staff share one IP address, but not for a script. */
const LIMIT = {
  most: 10,
  refusal: 'Trop de mots de passe ont été demandés\u202f: réessayez dans quelques minutes.',
};
/** Limits on the mails to one address, past which none is sent, silently: a pause, and mails in a day. */
const PAUSE_MS = 10 * 60_000;
const PER_DAY = { ofStay: 5, ofAll: 10 };

const ANSWER =
  'Si cette adresse est inscrite à ce séjour, elle reçoit un e-mail dans quelques minutes. ' +
  'Vous n’avez rien reçu\u202f? Regardez parmi les courriers indésirables, puis écrivez-nous.';
/** Answer without a mail server; the message is queued all the same, and staff read it in the portal. */
const ANSWER_WITHOUT_SERVER =
  'Le site n’envoie pas encore d’e-mails\u202f: écrivez-nous pour recevoir votre mot de passe.';

export function lostCodeHandlers({
  rateLimits,
  config,
  database,
  clock,
}: Services): HandlersOf<typeof lostCodeCalls> {
  return {
    'POST /auth/code-perdu': async ({ body: { stageId, email }, ip }) => {
      await rateLimits.count('code-perdu', networkOf(ip), LIMIT);
      // The queue is not woken, so that the duration of the job, which varies, does not show in the next answer.
      await database.write((transaction) =>
        addJob(transaction, 'lost-code', { stageId, address: email }, clock()),
      );
      return { message: config.SMTP_URL === undefined ? ANSWER_WITHOUT_SERVER : ANSWER };
    },
  };
}

/** The job: queues a message of each type for which the address is recorded, if any. Run twice, it queues one. */
export async function sendLostCode(
  services: Services,
  { stageId, address }: JobPayloads['lost-code'],
): Promise<void> {
  const { database, secrets, jobs, clock } = services;
  const now = clock();
  await database.write(async (transaction) => {
    // Locked, so that two processes at once count each other’s message.
    const stay = await findStayToChange(database, transaction, stageId);
    if (!stay || (await photoTimeOf(services, transaction, stay)).isOver) return;
    for (const type of Object.keys(PASSWORD_TYPES) as PasswordType[]) {
      const recorded = await listRecipients(transaction, type, [stageId]);
      const recipient = recorded.find(({ key }) => key === addressKey(address));
      if (!recipient || (await hasEnough(transaction, type, recipient, now))) continue;
      const about = { table: 'stages', id: stageId };
      const [young] = await listYoung(transaction, type, [recipient], now);
      if (young || (await isToTell(transaction, type, recipient, now)))
        await journal(transaction, {}, now, young ? WATCHED.lostToYoung : WATCHED.lostToAdded, about);
      if (young) continue;
      const mailing = {
        genre: 'perdu',
        type,
        texts: { objet: CODES_SUBJECT, texte: '' },
        actor: {},
        messages: [recipient],
      } as const;
      await ensureLinks(transaction, secrets, type, [recipient], now);
      await insertMailing(transaction, secrets, mailing, now);
    }
  });
  jobs.wake();
}

/** Whether this address has reached a limit, for these codes or for all. */
async function hasEnough(
  db: Access,
  type: PasswordType,
  { stageId, key }: Recipient,
  now: Date,
): Promise<boolean> {
  const since = (ms: number) => new Date(now.getTime() - ms);
  const all = await listLostCodes(db, key, { after: since(DAY_MS), until: now });
  const ofStay = all.filter((sent) => sent.type === type && sent.stage_id === stageId);
  return (
    all.length >= PER_DAY.ofAll ||
    ofStay.length >= PER_DAY.ofStay ||
    ofStay.some(({ created_at: at }) => at > since(PAUSE_MS).toISOString())
  );
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Sends the codes of a stay to an address, when it is recorded for it. */
    'lost-code': { stageId: number; address: string };
  }
}
