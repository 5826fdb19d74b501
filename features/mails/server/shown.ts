import { conflict, notFound } from '#platform/server/http/errors.ts';
import type { Letter } from '#platform/server/mail/sender.ts';
import { MAIL_TROUBLES, type MailTrouble } from '#platform/shared/mails.ts';

/** A message as the portal shows it; throws, in words, for one that can no longer be put together. */
export function shownOf(letter: Letter | MailTrouble) {
  if (letter === 'texte_efface') throw notFound('Le texte de ce message est effacé.');
  if (typeof letter === 'string')
    throw conflict(`Ce message ne peut plus être lu\u202f: ${MAIL_TROUBLES[letter]}.`);
  const { to, subject, html, text } = letter;
  return { destinataire: to, objet: subject, html, texte: text };
}
