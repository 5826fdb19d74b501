// npm run screenshots: starts the demonstration, and takes the pictures of the README from it.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { ensureMachine } from './machine.mjs';
import { main } from './process.mjs';

const folder = join(root, 'docs/screenshots');

/** @type {{ name: string, path: string, width: number, height: number, dark?: boolean }[]} */
const SHOTS = [
  { name: 'accueil', path: '/', width: 1280, height: 900 },
  { name: 'accueil-telephone', path: '/', width: 390, height: 844 },
  { name: 'accueil-nuit', path: '/', width: 1280, height: 900, dark: true },
  { name: 'portail', path: '/portail', width: 1280, height: 900 },
  { name: 'portail-actualite', path: '/actu-modify/1', width: 1280, height: 900 },
];

/** The demonstration once its content is there, and the administrator's name and password that it prints. */
async function startDemo() {
  const demo = spawn(node24(), ['cli/demo.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of demo.stdout) {
    said += chunk;
    const found = /(http:\S+)\/connexion-portail — identifiant « (\S+) », mot de passe (\S+)/.exec(said);
    if (found) return { demo, url: found[1], username: found[2], password: found[3] };
  }
  throw new Error(`The demonstration did not start: ${said}`);
}

await main(async () => {
  await ensureInstalled();
  await ensureMachine();
  await ensureBuilt();
  const { chromium } = await import('@playwright/test');
  const { demo, url, username, password } = await startDemo();
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  try {
    mkdirSync(folder, { recursive: true });
    const answer = await fetch(`${url}/api/api/loginAdmin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { tokenAdmin } = await answer.json();
    for (const { name, path, width, height, dark } of SHOTS) {
      const page = await browser.newPage({
        viewport: { width, height },
        locale: 'fr-FR',
        timezoneId: 'Europe/Paris',
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      if (/portail|modify/.test(path)) {
        await page.addInitScript((token) => localStorage.setItem('adminToken', token), tokenAdmin);
      }
      await page.goto(url + path);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 82 });
      await page.close();
      process.stdout.write(`docs/screenshots/${name}.jpg\n`);
    }
  } finally {
    await browser.close();
    demo.kill('SIGTERM');
  }
});
