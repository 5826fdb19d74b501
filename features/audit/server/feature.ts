import type { Feature } from '#features/feature.ts';
import { auditHandlers, journalPlace } from './journal.ts';

export const audit = {
  open: (services) => ({ handlers: auditHandlers(services) }),
  keptData: () => [journalPlace],
} satisfies Feature;
