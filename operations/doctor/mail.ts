import { readFailure } from '#platform/server/mail/reasons.ts';
import { openTransport, parseSender } from '#platform/server/mail/transport.ts';
import { MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { type Examined, type Finding, fine, treat, watch } from './finding.ts';

/** Whether the mail server takes the account of the site; nothing is sent. */
export async function mail({ services: { config } }: Examined): Promise<Finding> {
  const { SMTP_URL, MAIL_FROM = '' } = config;
  const from = parseSender(MAIL_FROM);
  if (!SMTP_URL || !from)
    return watch('E-mails\u202f: SMTP_URL n’est pas réglée. Ils attendent, et se lisent dans le portail.');
  const transport = openTransport(SMTP_URL, from);
  try {
    await transport.verify();
    return fine('E-mails\u202f: le serveur d’envoi accepte le compte du site.');
  } catch (error) {
    return treat(`E-mails\u202f: ${MAIL_TROUBLES[readFailure(error).trouble]}. Vérifiez SMTP_URL.`);
  } finally {
    await transport.close();
  }
}
