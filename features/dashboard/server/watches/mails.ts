import type { Access } from '#platform/server/db/open.ts';
import { countSent, countWaiting, findRelayTrouble } from '#platform/server/mail/state.ts';
import type { Services } from '#platform/server/services.ts';
import { MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import type { Watch } from './watch.ts';

/** Time of a trouble of the mail server before staff are told: most pass by themselves. */
const TROUBLE_MS = HOUR_MS;
/** How long a failure is told on the portal's first page. */
const FAILURES_MS = 7 * DAY_MS;
/** Failures of a day that are more than a few mistyped addresses. */
const FAILURES_MANY = 10;
/** How long a message waits at most when all goes well: it is given up after six hours of trying. */
const WAIT_HOURS = 12;

export function mailWatches(services: Services): Watch[] {
  const mails = { part: 'envois', panel: 'envois' } as const;
  return [
    {
      ...mails,
      key: 'relais',
      label: 'aucun e-mail ne part',
      isUrgent: true,
      only: 'portal',
      look: () => relayTrouble(services),
    },
    {
      ...mails,
      key: 'sans-serveur',
      label: 'pas de serveur d’envoi',
      isUrgent: true,
      only: 'portal',
      look: () => withoutServer(services),
    },
    {
      ...mails,
      key: 'echecs',
      label: 'e-mails en échec',
      isUrgent: true,
      only: 'portal',
      look: () => failedMails(services),
    },
    {
      ...mails,
      key: 'echecs-nombreux',
      label: 'beaucoup d’e-mails en échec',
      only: 'mail',
      look: () => manyFailedMails(services),
    },
    {
      ...mails,
      key: 'attente',
      label: 'des e-mails attendent trop longtemps',
      look: () => longWait(services),
    },
  ];
}

/** The mail server has taken nothing for an hour. */
async function relayTrouble({ database, config, clock }: Services): Promise<string | undefined> {
  if (config.SMTP_URL === undefined) return undefined;
  const trouble = await findRelayTrouble(database.db);
  if (!trouble || Date.parse(trouble.depuis) + TROUBLE_MS > clock().getTime()) return undefined;
  return `Aucun e-mail ne part depuis plus d’une heure\u202f: ${MAIL_TROUBLES[trouble.erreur]}.`;
}

/** Messages wait for a mail server that nobody has set. */
async function withoutServer({ database, config }: Services): Promise<string | undefined> {
  if (config.SMTP_URL !== undefined) return undefined;
  const { count } = await database.db
    .selectFrom('envois_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('etat', '=', 'attente')
    .executeTakeFirstOrThrow();
  if (count === 0) return undefined;
  const subject = count === 1 ? 'Un e-mail attend' : `${count} e-mails attendent`;
  return `${subject}, car le site n’a pas de serveur d’envoi. La personne qui héberge le site doit régler SMTP_URL.`;
}

async function failedMails({ database, clock }: Services): Promise<string | undefined> {
  const count = await countFailed(database.db, new Date(clock().getTime() - FAILURES_MS));
  if (count === 0) return undefined;
  return count === 1
    ? 'Un e-mail n’a pas pu être remis ces sept derniers jours.'
    : `${count} e-mails n’ont pas pu être remis ces sept derniers jours.`;
}

async function manyFailedMails({ database, clock }: Services): Promise<string | undefined> {
  const count = await countFailed(database.db, new Date(clock().getTime() - DAY_MS));
  if (count < FAILURES_MANY) return undefined;
  return (
    `${count} e-mails n’ont pas pu être remis en 24 heures. Le portail en dit la raison dans «\u00a0E-mails envoyés\u00a0»\u202f: ` +
    'corrigez les adresses fausses\u202f; si un fournisseur refuse tout, prévenez la personne qui héberge le site.'
  );
}

async function longWait({ database, config, clock }: Services): Promise<string | undefined> {
  if (config.SMTP_URL === undefined || (await findRelayTrouble(database.db))) return undefined;
  const { count, oldest } = await countWaiting(database.db);
  if (oldest === null || Date.parse(oldest) + WAIT_HOURS * HOUR_MS > clock().getTime()) return undefined;
  // They wait for tomorrow, as they were told to.
  if (config.MAIL_PER_DAY && (await countSent(database.db, clock())) >= config.MAIL_PER_DAY) return undefined;
  const waiting = count === 1 ? 'Un e-mail attend' : `${count} e-mails attendent`;
  return (
    `${waiting}, depuis plus de ${WAIT_HOURS} heures pour le plus ancien. Le portail en dit la raison dans «\u00a0E-mails ` +
    'envoyés\u00a0»\u202f; si tous attendent, prévenez la personne qui héberge le site.'
  );
}

/**
 * The failures since an instant, but for codes after which the same address was sent the same ones again: of other
 * mails nobody knows whether a later one says the same.
 */
async function countFailed(db: Access, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('envois_messages as failed')
    .innerJoin('envois as mailing', 'mailing.id', 'failed.envoi_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('failed.etat', '=', 'echec')
    .where('failed.termine_le', '>=', since.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('envois_messages as again')
            .innerJoin('envois as later', 'later.id', 'again.envoi_id')
            .select('again.id')
            .whereRef('again.cle_destinataire', '=', 'failed.cle_destinataire')
            .whereRef('again.id', '>', 'failed.id')
            .where('again.etat', 'in', ['attente', 'envoi', 'envoye'])
            .whereRef('later.genre', '=', 'mailing.genre')
            .whereRef('later.type', '=', 'mailing.type')
            .whereRef('again.stage_id', '=', 'failed.stage_id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}
