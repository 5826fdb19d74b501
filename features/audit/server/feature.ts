import type { Feature } from '#features/feature.ts';
import { erasuresCheck } from './erasures.ts';
import { auditHandlers, journalCheck } from './journal.ts';
import { journalPlace } from './store.ts';

export const audit = {
  open: (services) => ({ handlers: auditHandlers(services) }),
  checks: (services) => [journalCheck(services), erasuresCheck(services)],
  keptData: () => [journalPlace],
} satisfies Feature;
