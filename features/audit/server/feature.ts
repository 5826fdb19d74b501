import type { Feature } from '#features/feature.ts';
import { auditHandlers } from './journalList.ts';
import { journalPlace } from './personalData.ts';

export const audit = {
  open: (services) => ({ handlers: auditHandlers(services) }),
  keptData: () => [journalPlace],
} satisfies Feature;
