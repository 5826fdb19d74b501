import type { ReplyOf } from '#platform/shared/call.ts';
import type { MailState } from '#platform/shared/mails.ts';
import type { Question } from '#platform/shared/page.ts';

export const MAIL_SERVICE = { key: 'GET /messagerie' } as const satisfies Question;
export const MAILINGS = { key: 'GET /envois' } as const satisfies Question;

/** A message as its reader sees it. */
export type Letter = NonNullable<CodesPreview['exemple']>;
export type CodesPreview = ReplyOf<'POST /stages/envoi-mots-de-passe/apercu'>;
export type OneMailing = ReplyOf<'GET /envois/:id'>;

/** What of the messages of a mailing is shown. */
export interface Shown {
  etat: MailState | '';
  /** How many are left out from the beginning. */
  apres: number;
}

/** Time, in ms, between two looks at what is on its way. */
export const LOOK_MS = 2_000;
