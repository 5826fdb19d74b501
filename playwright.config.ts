import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { shareFixtures } from './tests/support/fixtures.ts';
import { CHROMIUM } from './tools/machine.mjs';
import { readTimes } from './tools/times.mjs';

shareFixtures();

/** Files of which each takes long, before the others: a worker that came to one at the end would keep the run waiting. */
const long = Object.entries(readTimes())
  .filter(([file, seconds]) => file.endsWith('.spec.ts') && seconds > 30)
  .map(([file]) => `**/${file.slice('tests/'.length)}`);

// No webServer: each test starts its own server, on a free port and an empty data folder.
export default defineConfig({
  testDir: 'tests',
  // Projects start in their order.
  projects: [
    { name: 'long', testMatch: long },
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: long },
  ],
  outputDir: 'test-results/playwright',
  // Twice as many as cores: pages wait for the site, and for their own animations.
  workers: Math.min(2 * availableParallelism(), 8),
  retries: 0,
  // Guards against what never comes, not measures: a busy machine may take several times as long as a quiet one.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  forbidOnly: true,
  use: {
    // A press on what is not there is told in minutes, not after the whole time of its test.
    actionTimeout: 180_000,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: CHROMIUM,
      // The sandbox and /dev/shm are missing in most containers; the rest keeps the browser off the network.
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
