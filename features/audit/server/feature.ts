import type { Feature } from '#features/feature.ts';
import { auditHandlers } from './journal.ts';
import { journalPlace } from './store.ts';

export const audit = {
  open: (services) => ({ handlers: auditHandlers(services) }),
  keptData: () => [journalPlace],
} satisfies Feature;
