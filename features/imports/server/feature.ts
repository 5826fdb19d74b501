import type { Feature } from '#features/feature.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { importHandlers } from './imports.ts';
import { directorImportPlace, forgetImports, importPlace, leftPlace } from './importsStore.ts';
import { importTables } from './tables.ts';

export const imports = {
  tables: importTables,
  open: (services) => ({ handlers: importHandlers(services) }),
  works: (services) => [
    {
      name: 'imports',
      label: 'effacement des anciens imports',
      every: HOUR_MS,
      run: () => forgetImports(services.database, services.clock()),
    },
  ],
  personalData: () => [importPlace, directorImportPlace, leftPlace],
} satisfies Feature;
