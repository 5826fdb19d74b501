// npm run screenshots: starts the demonstration, and takes the pictures of the README from it.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { CHROMIUM, ensureMachine } from './machine.mjs';
import { main } from './process.mjs';

const folder = join(root, 'docs/screenshots');

/**
 * `as`: somebody of the stay that is under way, on the page where signing in leads.
 * @type {{ name: string, path: string, width: number, height: number, dark?: boolean, as?: 'family' | 'director' }[]}
 */
const SHOTS = [
  { name: 'accueil', path: '/', width: 1280, height: 900 },
  { name: 'accueil-telephone', path: '/', width: 390, height: 844 },
  { name: 'accueil-nuit', path: '/', width: 1280, height: 900, dark: true },
  { name: 'portail', path: '/portail', width: 1280, height: 900 },
  { name: 'portail-actualite', path: '/actu-modify/1', width: 1280, height: 900 },
  { name: 'photos-famille', path: '/connexion', width: 1280, height: 900, as: 'family' },
  { name: 'photos-directeur', path: '/connexion', width: 390, height: 844, as: 'director' },
];

/** The demonstration once its content is there, and what it prints to sign in with. */
async function startDemo() {
  const demo = spawn(node24(), ['operations/cli/demo.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  // Left open at the end: a site whose output has no reader any more dies of its next line.
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const found = /(http:\S+)\/connexion-portail — identifiant «\s(\S+)\s», mot de passe (\S+)/.exec(said);
    const stay = /séjour numéro (\d+) \(.*\), mot de passe (\S+)\n.*mot de passe (\S+)\n/.exec(said);
    if (found && stay) {
      demo.stdout.resume();
      const [, id, family, director] = stay;
      return { demo, url: found[1], username: found[2], password: found[3], stay: { id, family, director } };
    }
  }
  throw new Error(`The demonstration did not start: ${said}`);
}

await main(async () => {
  await ensureInstalled('testing');
  await ensureMachine();
  await ensureBuilt();
  const { chromium } = await import('@playwright/test');
  const { demo, url, username, password, stay } = await startDemo();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
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
    for (const { name, path, width, height, dark, as } of SHOTS) {
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
      await page.goto(url + path + (as ? `?stageId=${stay.id}` : ''));
      if (as) {
        await page.getByLabel('Mot de passe', { exact: true }).fill(stay[as]);
        await page.getByRole('button', { name: 'Se connecter' }).click();
        const photos = page.getByRole('heading', { name: 'Les photos du séjour' });
        await photos.waitFor();
        if (as === 'family') await photos.evaluate((heading) => heading.scrollIntoView());
        // A page that hears of new photos is never idle.
        await page.locator('main img').first().waitFor();
        await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      } else {
        await page.waitForLoadState('networkidle');
      }
      await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 82 });
      await page.close();
      process.stdout.write(`docs/screenshots/${name}.jpg\n`);
    }
  } finally {
    await browser.close();
    demo.kill('SIGTERM');
  }
});
