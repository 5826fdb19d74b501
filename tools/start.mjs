// npm start, npm run demo, npm run build: installs and builds what is not up to date, then starts.
import { ensureBuilt, SERVER } from './build.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { become, keepCompiled, main } from './process.mjs';

await main(async () => {
  const [first, ...rest] = process.argv.slice(2);
  await ensureInstalled();
  await ensureBuilt();
  if (first === '--build') return;
  keepCompiled();
  if (first === '--demo') await become(node24(), ['operations/cli/demo.ts', ...rest]);
  await become(node24(), [SERVER, ...process.argv.slice(2)]);
});
