import type { Feature } from '#features/feature.ts';
import { takeoverTables } from './tables.ts';

export const takeover = { tables: takeoverTables } satisfies Feature;
