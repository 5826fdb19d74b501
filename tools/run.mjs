// node tools/run.mjs <file.ts> [arguments]: runs a TypeScript file of the repository under the pinned Node.
import { ensureInstalled, node24 } from './install.mjs';
import { become, main, Stop } from './process.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0) throw new Stop('Usage : node tools/run.mjs <fichier.ts> [arguments]');
  await ensureInstalled();
  await become(node24(), args);
});
