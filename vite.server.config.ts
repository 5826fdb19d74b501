import { dirname, relative } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;
const out = `${root}/dist/site`;

// The server in a few files, for sites in service: it starts in half the time of the hundreds that it is written in.
// Worker threads, commands and tests run the sources.
export default defineConfig({
  root,
  plugins: [
    {
      // What a source finds beside itself, worker threads or pictures, stays beside the source.
      name: 'places',
      enforce: 'pre',
      transform(code, id) {
        if (!id.startsWith(`${root}/`) || id.includes('/node_modules/')) return;
        const at = (path: string) => JSON.stringify(relative(out, path));
        return code
          .replaceAll('import.meta.url', `new URL(${at(id)}, import.meta.url)`)
          .replaceAll('import.meta.dirname', `(import.meta.dirname + '/' + ${at(dirname(id))})`);
      },
    },
  ],
  // These two are hundreds of files themselves; the other packages stay as they were installed.
  ssr: { noExternal: ['kysely', 'zod'], target: 'node' },
  build: {
    ssr: 'app/server/main.ts',
    target: 'node24',
    outDir: out,
    // As one level of files, which the places above count on, and as they can be read in an error.
    rolldownOptions: { output: { chunkFileNames: '[name].js' } },
    minify: false,
    copyPublicDir: false,
  },
});
