import { defineConfig } from '@playwright/test';

// No webServer: each test starts its own server, on a free port and an empty data folder.
export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  workers: 2,
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
