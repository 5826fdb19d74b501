// npm start, npm run demo, npm run build: installs and builds what is not up to date, then starts.
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { become, main } from './process.mjs';

await main(async () => {
  const [first, ...rest] = process.argv.slice(2);
  await ensureInstalled();
  await ensureBuilt();
  if (first === '--build') return;
  if (first === '--demo') await become(node24(), ['cli/demo.ts', ...rest]);
  await become(node24(), ['server/main.ts', ...process.argv.slice(2)]);
});
