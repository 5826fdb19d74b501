import type { Feature } from '#features/feature.ts';
import { decisionHandlers } from './decisions.ts';
import { retouchHandlers } from './retouch.ts';

export const checking = {
  open: (services) => ({ handlers: { ...decisionHandlers(services), ...retouchHandlers(services) } }),
} satisfies Feature;
