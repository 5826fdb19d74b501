import type { Feature } from '#features/feature.ts';
import { mailChecks } from './checks.ts';
import { codesHandlers, freeHandlers, slipHandlers } from './codes.ts';
import { composers } from './compose.ts';
import { linkHandlers } from './links.ts';
import { lostCodeHandlers, sendLostCode } from './lostCode.ts';
import { followHandlers } from './mailings.ts';
import { jobPlace, mailPlace } from './personalDataStore.ts';
import { listMessagesTo, sealedMailings } from './store.ts';
import { mailTables } from './tables.ts';

export const mails = {
  tables: mailTables,
  sealed: sealedMailings,
  open: (services, product) => ({
    handlers: {
      ...codesHandlers(services),
      ...followHandlers(services, product.composers),
      ...freeHandlers(services),
      ...linkHandlers(services),
      ...lostCodeHandlers(services),
      ...slipHandlers(services),
    },
  }),
  jobs: (services) => ({ 'lost-code': (payload) => sendLostCode(services, payload) }),
  search: ({ database: { db } }) => [
    {
      genre: 'envois',
      rights: ['sejours'],
      people: 'envois_messages',
      isTrace: true,
      list: (words) => listMessagesTo(db, words),
    },
  ],
  checks: mailChecks,
  composers,
  personalData: (services) => [mailPlace(services), jobPlace],
} satisfies Feature;
