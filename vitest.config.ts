import { defineConfig } from 'vitest/config';

// What a test asks with inject('database').
declare module 'vitest' {
  interface ProvidedContext {
    database: 'sqlite' | 'postgres';
  }
}

/** The same tests once per database: a second database that no test runs on is a rumour. */
function onDatabase(database: 'sqlite' | 'postgres') {
  return {
    extends: true as const,
    test: {
      name: database,
      include: ['tests/**/*.test.ts'],
      exclude: ['tests/**/*.unit.test.ts'],
      globalSetup: ['tests/support/global.ts'],
      provide: { database },
    },
  };
}

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/**/*.unit.test.ts'] } },
      onDatabase('sqlite'),
      onDatabase('postgres'),
    ],
  },
});
