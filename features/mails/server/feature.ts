import type { Feature } from '#features/feature.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { mailChecks } from './checks.ts';
import { codesHandlers } from './codes.ts';
import { composers } from './compose.ts';
import { freeHandlers } from './free.ts';
import { lostCodeHandlers, sendLostCode } from './lostCode.ts';
import { followHandlers } from './mailings.ts';
import { jobPlace, mailPlace } from './personalData.ts';
import { slipHandlers } from './slips.ts';

export const mails = {
  open: (services) => ({ handlers: { ...mailHandlers(services), ...lostCodeHandlers(services) } }),
  jobs: (services) => ({ 'lost-code': (payload) => sendLostCode(services, payload) }),
  checks: mailChecks,
  composers: composers,
  personalData: (services) => [mailPlace(services), jobPlace],
} satisfies Feature;

type MailKeys = Extract<
  CallKey,
  | `${string} /stages/envoi-mots-de-passe${string}`
  | `${string} /envois${string}`
  | `${string} /messagerie`
  | `${string} /send-email`
  | `${string} /stages/:id/etiquettes`
>;

function mailHandlers(services: Services): Pick<Handlers, MailKeys> {
  return {
    ...codesHandlers(services),
    ...followHandlers(services),
    ...freeHandlers(services),
    ...slipHandlers(services),
  };
}
