import { defineConfig } from 'vite';

// The server in a few files, which start faster than the hundreds that it is written in.
export default defineConfig({
  // These two are hundreds of files themselves; the other packages stay as they were installed.
  ssr: { noExternal: ['kysely', 'zod'], target: 'node' },
  build: { ssr: 'app/server/main.ts', target: 'node24' },
});
