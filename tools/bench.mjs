// npm run bench [-- name…]: measures the site as it is built, and writes docs/performance.md.
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { become, main } from './process.mjs';

await main(async () => {
  await ensureInstalled('testing');
  await ensureBuilt();
  await become(node24(), ['bench/all.ts', ...process.argv.slice(2)]);
});
