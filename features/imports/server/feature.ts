import type { Feature } from '#features/feature.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { forgetOldImports, importHandlers } from './imports.ts';
import { importPlace } from './record.ts';

export const imports = {
  open: (services) => ({ handlers: importHandlers(services) }),
  works: (services) => [
    {
      name: 'imports',
      label: 'effacement des anciens imports',
      every: HOUR_MS,
      run: () => forgetOldImports(services),
    },
  ],
  personalData: () => [importPlace],
} satisfies Feature;
