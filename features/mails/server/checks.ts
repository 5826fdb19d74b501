import { type Check, COMMANDS } from '#platform/server/checks/check.ts';
import { countWaiting, findRelayTrouble } from '#platform/server/mail/outboxStore.ts';
import { countSent } from '#platform/server/mail/pacingStore.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { countFailed } from './store.ts';

/** Milliseconds for which a failure is shown on the portal's first page, and listed. */
export const FAILURES_MS = 7 * DAY_MS;
/** Failures in a day from which the cause is more than a few mistyped addresses. */
const FAILURES_MANY = 10;
/** Most hours that a message waits when all goes well: it is given up after six hours of trying. */
const WAIT_HOURS = 12;

export function mailChecks({ database: { db }, config, clock }: Services): Check[] {
  const failedWithin = (ms: number) => countFailed(db, new Date(clock().getTime() - ms));
  return [
    {
      key: 'echecs',
      part: 'envois',
      label: 'e-mails en échec',
      isUrgent: true,
      only: 'portal',
      panel: 'envois',
      right: 'sejours',
      async staff() {
        const count = await failedWithin(FAILURES_MS);
        if (count === 0) return undefined;
        return count === 1
          ? 'Un e-mail n’a pas pu être remis ces sept derniers jours.'
          : `${count} e-mails n’ont pas pu être remis ces sept derniers jours.`;
      },
    },
    {
      key: 'echecs-nombreux',
      part: 'envois',
      label: 'beaucoup d’e-mails en échec',
      command: COMMANDS.doctor,
      only: 'mail',
      panel: 'envois',
      right: 'sejours',
      async staff() {
        const count = await failedWithin(DAY_MS);
        if (count < FAILURES_MANY) return undefined;
        return (
          `${count} e-mails n’ont pas pu être remis en 24 heures. Le portail en dit la raison dans «\u00a0E-mails envoyés\u00a0»\u202f: ` +
          'corrigez les adresses fausses\u202f; si un fournisseur refuse tout, prévenez la personne qui héberge le site.'
        );
      },
    },
    {
      key: 'attente',
      part: 'envois',
      label: 'des e-mails attendent trop longtemps',
      command: COMMANDS.doctor,
      panel: 'envois',
      right: 'sejours',
      async staff() {
        if (config.SMTP_URL === undefined || (await findRelayTrouble(db))) return undefined;
        const { count, oldest } = await countWaiting(db);
        if (oldest === null || Date.parse(oldest) + WAIT_HOURS * HOUR_MS > clock().getTime())
          return undefined;
        // The daily limit is reached: messages are meant to wait.
        if (config.MAIL_PER_DAY && (await countSent(db, clock())) >= config.MAIL_PER_DAY) return undefined;
        const waiting = count === 1 ? 'Un e-mail attend' : `${count} e-mails attendent`;
        return (
          `${waiting}, depuis plus de ${WAIT_HOURS} heures pour le plus ancien. Le portail en dit la raison dans «\u00a0E-mails ` +
          'envoyés\u00a0»\u202f; si tous attendent, prévenez la personne qui héberge le site.'
        );
      },
    },
  ];
}
