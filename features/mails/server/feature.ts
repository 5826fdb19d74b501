import type { Feature } from '#features/feature.ts';
import { mailChecks } from './checks.ts';
import { codesHandlers } from './codes.ts';
import { composers } from './compose.ts';
import { freeHandlers } from './free.ts';
import { lostCodeHandlers, sendLostCode } from './lostCode.ts';
import { followHandlers } from './mailings.ts';
import { jobPlace, mailPlace } from './personalDataStore.ts';
import { slipHandlers } from './slips.ts';

export const mails = {
  open: (services) => ({
    handlers: {
      ...codesHandlers(services),
      ...followHandlers(services),
      ...freeHandlers(services),
      ...lostCodeHandlers(services),
      ...slipHandlers(services),
    },
  }),
  jobs: (services) => ({ 'lost-code': (payload) => sendLostCode(services, payload) }),
  checks: mailChecks,
  composers: composers,
  personalData: (services) => [mailPlace(services), jobPlace],
} satisfies Feature;
