import { MAIL_TROUBLES } from '../../../shared/mails/terms.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import type { Access } from '../../db/open.ts';
import { findRelayTrouble } from '../../mail/state.ts';
import type { Services } from '../../services.ts';

/** What asks for attention among the mails. */

/** Time of a trouble of the mail server before staff are told: most pass by themselves. */
const TROUBLE_MS = HOUR_MS;
/** How long a failure is told. */
const FAILURES_MS = 7 * DAY_MS;

/** The mail server has taken nothing for an hour. */
export async function relayTrouble({ database, config, clock }: Services): Promise<string | undefined> {
  if (config.SMTP_URL === undefined) return undefined;
  const trouble = await findRelayTrouble(database.db);
  if (!trouble || Date.parse(trouble.depuis) + TROUBLE_MS > clock().getTime()) return undefined;
  return `Aucun e-mail ne part depuis plus d’une heure\u202f: ${MAIL_TROUBLES[trouble.erreur]}.`;
}

/** Messages wait for a mail server that nobody has set. */
export async function withoutServer({ database, config }: Services): Promise<string | undefined> {
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

/** Mails leave by a relay of this machine, with addresses that work on this machine alone. */
export function localLinks({ config, publicUrl }: Services): string | undefined {
  if (config.SMTP_URL === undefined || config.PUBLIC_URL !== undefined) return undefined;
  return (
    `Les messages et les étiquettes mènent à ${publicUrl}, que personne d’autre ne peut ouvrir. ` +
    'La personne qui héberge le site doit régler PUBLIC_URL.'
  );
}

export async function failedMails({ database, clock }: Services): Promise<string | undefined> {
  const count = await countFailed(database.db, new Date(clock().getTime() - FAILURES_MS));
  if (count === 0) return undefined;
  return count === 1
    ? 'Un e-mail n’a pas pu être remis ces sept derniers jours.'
    : `${count} e-mails n’ont pas pu être remis ces sept derniers jours.`;
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
