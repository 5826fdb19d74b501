// npm run dev: the server restarts and the site is built again when a file changes.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { main, run } from './process.mjs';

await main(async () => {
  await ensureInstalled();
  // Gone with its stamp: npm start must not take what is built here for the finished site.
  rmSync(join(root, 'dist'), { recursive: true, force: true });

  const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--watch', '--logLevel', 'warn'];
  const entry = join(root, 'app/web/entry-server.tsx');
  run(node24(), [...vite, '--outDir', join(root, 'dist/client')]);
  run(node24(), [...vite, '--outDir', join(root, 'dist/server'), '--ssr', entry]);

  const built = ['dist/client/.vite/manifest.json', 'dist/server/entry-server.js'].map((file) =>
    join(root, file),
  );
  while (!built.every((file) => existsSync(file))) await wait(200);
  await run(node24(), ['--watch', 'app/server/main.ts', ...process.argv.slice(2)]);
});
