// node tools/run.mjs NAME [words]: a command of the site (operations/cli/NAME.ts), built like it, under the pinned Node.
import { COMMANDS, ensureBuilt } from './build.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { become, main } from './process.mjs';

await main(async () => {
  const [name, ...words] = process.argv.slice(2);
  await ensureInstalled();
  await ensureBuilt();
  await become(node24(), [`${COMMANDS}/${name}.js`, ...words]);
});
