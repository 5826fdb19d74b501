import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { readTimes } from './tools/times.mjs';

/** Files of which each takes long, longest first: a worker that came to one at the end would keep the run waiting. */
const long = Object.entries(readTimes())
  .filter(([file, seconds]) => file.endsWith('.spec.ts') && seconds > 30)
  .sort(([, a], [, b]) => b - a)
  .map(([file]) => `**/${file.slice('tests/'.length)}`);

// No webServer: each test starts its own server, on a free port and an empty data folder.
export default defineConfig({
  testDir: 'tests',
  // Projects start in their order.
  projects: [
    ...long.map((testMatch) => ({ name: testMatch, testMatch })),
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: long },
  ],
  outputDir: 'test-results/playwright',
  workers: Math.min(availableParallelism(), 8),
  retries: 0,
  timeout: 60_000,
  // Two browsers and two sites share two cores: what is slow there is not wrong.
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
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
