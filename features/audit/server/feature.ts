import type { Feature } from '#features/feature.ts';
import { erasuresCheck } from './erasures.ts';
import { journalCheck } from './journal.ts';
import { auditHandlers } from './reading.ts';
import { journalPlace } from './store.ts';

export const audit = {
  open: (services, product) => ({ handlers: auditHandlers(services, product.journalNames(services)) }),
  checks: (services) => [journalCheck(services), erasuresCheck(services)],
  keptData: () => [journalPlace],
} satisfies Feature;
