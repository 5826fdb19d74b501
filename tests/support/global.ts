import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a running PostgreSQL in which databases may be made; blank for the SQLite run. */
    postgresUrl: string;
  }
}

/** Gives the PostgreSQL run its server. */
export default async function setUp(project: TestProject): Promise<(() => void) | undefined> {
  if (project.config.provide.database !== 'postgres') {
    project.provide('postgresUrl', '');
    return undefined;
  }
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url);
  return () => postgres.stop();
}
