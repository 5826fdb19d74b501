import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { target } from './tools/browsers.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

const icons = (...names: string[]) => names.map((name) => `lucide-react/.*/icons/${name}\\.mjs$`);

/**
 * Files of scripts for several pages, the first that names a module has it. What every page loads comes in few: in a dozen
 * small ones it compresses worse, and each costs a slow phone ten milliseconds. A part takes along what its modules import,
 * unless one before it has that: hence the small ones, for what other pages want of it.
 */
const PARTS: { name: string; files: string[]; tags?: ['$initial']; minShareCount?: number }[] = [
  // Read before the rest: of all scripts together, evaluating them would hold the page up for a quarter more.
  { name: 'react', files: ['node_modules/(react|react-dom|scheduler)/|rolldown/runtime'] },
  // What the frame of every page imports. The first, small script stays by itself with what it imports, and so does the one
  // that waits for the page: pages import the frame, and would wait for it in turn.
  {
    name: 'frame',
    files: ['^(?!.*/(boot\\.ts|shared/served\\.ts|package\\.json|entry-browser\\.tsx)$)'],
    tags: ['$initial'],
  },
  {
    name: 'kept',
    files: [
      '/platform/web/(askAgain|drafts|preference|groupBy)\\.ts$',
      '/ui/TextSize\\.tsx$',
      '/ui/arrival\\.ts$',
    ],
  },
  {
    name: 'common',
    files: ['/platform/', '/lucide-react/', '/features/\\w+/shared/', '/features/\\w+/web/\\w+\\.ts$'],
    minShareCount: 10,
  },
  {
    name: 'carousel',
    files: ['/ui/autoplay\\.tsx$', ...icons('play', 'pause', 'images', 'gift', 'arrow-right', 'file-text')],
  },
  { name: 'card', files: ['/content/web/pages/Card\\.tsx$'] },
  {
    name: 'terms',
    files: [
      ...['/(photos|stays)/shared/terms\\.ts$', '/photos/shared/states\\.ts$'],
      ...['/ui/Marked\\.tsx$', '/shared/elision\\.ts$'],
      ...icons('phone', 'check', 'download', 'arrow-up', 'triangle-exclamation-point', 'calendar-days'),
      ...icons('printer', 'mail', 'plus'),
    ],
  },
  { name: 'story', files: ['/content/web/pages/\\w*(Story|Page)\\.tsx$'], minShareCount: 2 },
  {
    name: 'stay',
    files: ['/features/(gallery|stayPages)/web/', '/photos/web/(grid/|useStayPhotos)', '/stays/web/stay/'],
    minShareCount: 2,
  },
];

/** Fails the build when what a part names is no file any longer: what it named would be in a file of its own. */
const requireNamed: Plugin = {
  name: 'require-named',
  buildEnd(error) {
    if (error) return;
    const ids = [...this.getModuleIds()];
    const named = PARTS.flatMap(({ files }) => files);
    const stale = named.filter((file) => !ids.some((id) => new RegExp(file).test(id)));
    if (stale.length > 0) this.error(`vite.config.ts names no file: ${stale.join(' ')}`);
  },
};

// The same sources twice: for browsers, and (with --ssr) for the server, which needs no package beside it.
export default defineConfig(({ isSsrBuild }) => ({
  root,
  publicDir: 'app/web/public',
  plugins: [react(), tailwindcss(), !isSsrBuild && requireNamed],
  ssr: { noExternal: true, target: 'node' },
  // Settled here, or the server would render with React's slow edition wherever NODE_ENV is not set.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: isSsrBuild ? 'node24' : target,
    outDir: fileURLToPath(new URL(isSsrBuild ? 'dist/server' : 'dist/client', import.meta.url)),
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    manifest: !isSsrBuild,
    // The policy of the site forbids inline code and styles, so nothing may be inlined.
    assetsInlineLimit: 0,
    // The server names the chunks of a page, all at once; of those of the next pages there is little to fetch ahead.
    modulePreload: false,
    cssCodeSplit: false,
    ...(isSsrBuild
      ? {}
      : {
          rolldownOptions: {
            input: ['boot.ts', 'entry-browser.tsx'].map((name) =>
              fileURLToPath(new URL(`app/web/${name}`, import.meta.url)),
            ),
            output: {
              codeSplitting: {
                groups: PARTS.map(({ files, ...part }, index) => ({
                  ...part,
                  test: new RegExp(files.join('|')),
                  priority: PARTS.length - index,
                })),
              },
            },
          },
        }),
  },
}));
