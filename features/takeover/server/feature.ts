import type { Feature } from '#features/feature.ts';
import { exportHandlers } from './export.ts';
import { takeoverTables } from './tables.ts';

export const takeover = {
  tables: takeoverTables,
  open: (services, product) => ({ handlers: exportHandlers(services, product.tables) }),
} satisfies Feature;
