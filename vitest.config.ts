import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG, ON_ONE } from './tests/runs.mjs';
import { shareFixtures } from './tests/support/fixtures.ts';
import { nameOfRun, readTimes, TimesReporter } from './tools/times.mjs';

// What a test asks with inject('database').
declare module 'vitest' {
  interface ProvidedContext {
    database: 'sqlite' | 'postgres';
  }
}

shareFixtures();
const times = readTimes();

/** Where tools/test.mjs, if it started us, reads what became of the tests. */
const reports = process.env.TEST_REPORTS;
const json = (folder: string): [string, Record<string, string>] => [
  'json',
  { outputFile: join(folder, 'vitest.json') },
];

/**
 * One engine after the other, as a process goes on with files of one; of each the longest first, so that no worker is left
 * alone with one at the end; then those that nobody has timed.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ project, moduleId }: TestSpecification) =>
      times[nameOfRun(moduleId, project.name)] ?? 0;
    const engine = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => engine(a) - engine(b) || seconds(b) - seconds(a));
  }
}

/** In the order in which they run. */
const PROJECTS = ['postgres', 'sqlite', 'unit'];

/** Tests of one database or the other: a second database that no test runs on is a rumour. */
function onDatabase(database: 'sqlite' | 'postgres', exclude: string[]) {
  return {
    extends: true as const,
    test: {
      name: database,
      include: ['tests/**/*.test.ts'],
      exclude,
      globalSetup: ['tests/support/global.ts'],
      provide: { database },
    },
  };
}

const isWhole = process.env.TEST_ALL !== undefined;

export default defineConfig({
  test: {
    environment: 'node',
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['tests/support/alone.ts'],
    pool: 'forks',
    // Twice as many as cores: tests wait for disks, clocks and other processes.
    maxWorkers: Math.min(2 * availableParallelism(), 8),
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      ...(reports ? [json(reports), new TimesReporter(join(reports, 'times.json'))] : []),
    ],
    // Guards against what never comes, not measures: a busy machine may take ten times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/**/*.unit.test.ts'] } },
      // What no engine can change runs on one: `*.sqlite.test.ts`.
      onDatabase('sqlite', ['tests/**/*.unit.test.ts', ...(isWhole ? [] : LONG)]),
      onDatabase('postgres', ['tests/**/*.{unit,sqlite}.test.ts', ...(isWhole ? [] : [...LONG, ...ON_ONE])]),
    ],
  },
});
