import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vite';

const commands = readdirSync('operations/cli')
  .filter((file) => !['command.ts', 'demo.ts', 'variables.ts'].includes(file))
  .map((file): [string, string] => [basename(file, '.ts'), `operations/cli/${file}`]);

// The server, or with `--mode commands` the commands, in a few files, which start faster than the hundreds that they are
// written in.
export default defineConfig(({ mode }) => ({
  // These two are hundreds of files themselves; the other packages stay as they were installed.
  ssr: { noExternal: ['kysely', 'zod'], target: 'node' },
  build: {
    ssr: true,
    target: 'node24',
    rolldownOptions: {
      input: mode === 'commands' ? Object.fromEntries(commands) : { main: 'app/server/main.ts' },
    },
  },
}));
