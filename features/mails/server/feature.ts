import type { Feature } from '#features/feature.ts';
import { letters } from './compose.ts';
import { lostCodeHandlers, sendLostCode } from './lostCode.ts';
import { jobPlace, mailPlace } from './personalData.ts';
import { mailHandlers } from './routes.ts';

export const mails = {
  open: (services) => ({ handlers: { ...mailHandlers(services), ...lostCodeHandlers(services) } }),
  jobs: (services) => ({ 'lost-code': (payload) => sendLostCode(services, payload) }),
  letters,
  personalData: (services) => [mailPlace(services), jobPlace],
} satisfies Feature;
