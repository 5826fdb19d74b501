// node tools/share-picture.mjs: draws app/web/public/partage.png, which shared pages show when they have no picture.
// By hand, when the horizon or the name changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.mjs';
import { ensureInstalled } from './install.mjs';
import { CHROMIUM, ensureMachine } from './machine.mjs';
import { main } from './process.mjs';

const size = { width: 1200, height: 630 };
const typeface = '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2';

/** @param {string} type @param {string} file */
const inline = (type, file) => `data:${type};base64,${readFileSync(join(root, file)).toString('base64')}`;

const page = `<!doctype html><html lang="fr"><meta charset="utf-8"><style>
  @font-face { font-family: Title; font-weight: 600 800; src: url(${inline('font/woff2', `node_modules/${typeface}`)}) }
  body { margin: 0; height: 100vh; display: flex; flex-direction: column; background: #fffbf4 }
  p { margin: auto 0; text-align: center; font: 750 110px/1 Title; color: #0e4d45 }
  img { height: 350px; object-fit: cover; object-position: bottom }
</style><p>Portail CSE</p><img alt="" src="${inline('image/svg+xml', 'platform/web/drawings/horizon.svg')}">`;

await main(async () => {
  await ensureInstalled('testing');
  await ensureMachine();
  const { chromium } = await import('@playwright/test');
  const { default: sharp } = await import('sharp');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  try {
    const tab = await browser.newPage({ viewport: size, colorScheme: 'light' });
    await tab.setContent(page);
    await tab.evaluate(() => document.fonts.ready);
    const shot = await tab.screenshot();
    await sharp(shot).png({ palette: true, effort: 10 }).toFile(join(root, 'app/web/public/partage.png'));
  } finally {
    await browser.close();
  }
});
