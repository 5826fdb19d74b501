import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { codesHandlers } from './codes.ts';
import { freeHandlers } from './free.ts';
import { followHandlers } from './mailings.ts';
import { slipHandlers } from './slips.ts';

/** Mails: codes, free ones, how far they are, and codes on paper. */

type MailKeys = Extract<
  CallKey,
  | `${string} /stages/envoi-mots-de-passe${string}`
  | `${string} /envois${string}`
  | `${string} /messagerie`
  | `${string} /send-email`
  | `${string} /stages/:id/etiquettes`
>;

export function mailHandlers(services: Services): Pick<Handlers, MailKeys> {
  return {
    ...codesHandlers(services),
    ...followHandlers(services),
    ...freeHandlers(services),
    ...slipHandlers(services),
  };
}
