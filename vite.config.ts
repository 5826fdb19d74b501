import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { target } from './tools/browsers.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Read before the rest: of all scripts together, evaluating them would hold the page up for a quarter more. */
const REACT = /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/;

/** Files by their path from the root. */
const files = (...paths: string[]) => paths.map((path) => new RegExp(`/${path.replaceAll('.', '\\.')}$`));
const widgets = (...names: string[]) => files(...names.map((name) => `platform/web/ui/${name}`));
const icons = (...names: string[]) => names.map((name) => new RegExp(`icons/${name}\\.mjs$`));

/** The other libraries of every page, and what the pages' frame is made of. */
const FRAME = [
  /node_modules\/react-router\//,
  /node_modules\/@tanstack\/(?!.*(infiniteQueryObserver|useInfiniteQuery))/,
  /lucide-react\/dist\/esm\/\w+\.mjs$/,
  ...icons('arrow-left', 'arrow-right', 'map-pin', 'file-text', 'external-link'),
  /features\/\w+\/web\/pages\.ts$/,
  ...files(
    'features/site/web/consent.ts',
    'features/site/web/questions.ts',
    'features/stays/web/stays.ts',
    'features/stays/web/sessions.ts',
    'features/sending/web/unsent.tsx',
    'platform/shared/pictures.ts',
  ),
  /app\/web\/(?!boot\.|ConsentBanner\.|NotFoundPage\.)\w+\.tsx?$/,
  /platform\/web\/(?!drafts)\w+\.tsx?$/,
  ...widgets('ErrorBoundary.tsx', 'Link.tsx', 'notices.tsx', 'FieldError.tsx', 'dialogs.tsx', 'unsaved.ts'),
  ...widgets('useDropdown.ts', 'texts.ts', 'LoadState.tsx', 'Picture.tsx', 'Drawing.tsx', 'Time.tsx'),
];

interface Part {
  name: string;
  files: RegExp[];
  priority?: number;
  minShareCount?: number;
}

/** What several pages share, in few files: each costs as much again in headers. */
const PARTS: Part[] = [
  { name: 'form', files: [...widgets('useForm.ts', 'TokenForm.tsx'), ...icons('eye', 'eye-off')] },
  { name: 'drafts', files: files('platform/web/drafts.ts'), priority: 1 },
  {
    name: 'story',
    files: [
      ...widgets('MarkdownText.tsx'),
      /content\/web\/pages\/Story\.tsx$/,
      ...['News', 'Featured', 'Event', 'Benefit'].map((name) => new RegExp(`web/pages/${name}Page\\.tsx$`)),
    ],
  },
  // Wanted by public pages too, which need nothing else of a stay's.
  {
    name: 'terms',
    files: [
      ...files(
        'features/photos/shared/states.ts',
        'features/photos/shared/terms.ts',
        'features/stays/shared/terms.ts',
      ),
      ...widgets('TextSize.tsx'),
      ...icons('phone', 'check', 'download', 'arrow-up', 'triangle-exclamation-point', 'calendar-days'),
      ...icons('play', 'printer', 'mail', 'plus'),
    ],
    priority: 1,
  },
  {
    name: 'stay',
    files: [
      /features\/gallery\/web\//,
      /features\/photos\/web\/grid\//,
      /features\/stayPages\/web\/(?!pages)/,
      /features\/photos\/web\/useStayPhotos/,
      /features\/stays\/web\/stay\//,
      ...icons('wifi-off'),
    ],
    minShareCount: 2,
  },
  {
    name: 'card',
    files: files(
      'features/content/web/pages/Card.tsx',
      'features/content/web/pages/CalendarLeaf.tsx',
      'features/content/shared/categories.ts',
    ),
    priority: 1,
  },
  {
    name: 'carousel',
    files: [...widgets('autoplay.tsx'), ...icons('play', 'pause', 'images', 'gift')],
  },
];

const any = (patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'));

/** Fails the build when a name above is that of no file any longer: what it named would be in a chunk of its own. */
function requireNamed(patterns: readonly RegExp[]): Plugin {
  return {
    name: 'require-named',
    buildEnd(error) {
      if (error) return;
      const ids = [...this.getModuleIds()];
      const stale = patterns.filter((pattern) => !ids.some((id) => pattern.test(id)));
      if (stale.length > 0) this.error(`vite.config.ts names no file: ${stale.join(' ')}`);
    },
  };
}

// The same sources twice: for browsers, and (with --ssr) for the server, which needs no package beside it.
export default defineConfig(({ isSsrBuild }) => ({
  root,
  publicDir: 'app/web/public',
  plugins: [
    react(),
    tailwindcss(),
    !isSsrBuild && requireNamed([...FRAME, ...PARTS.flatMap((part) => part.files)]),
  ],
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
            // What every page loads, in one file: in a dozen small ones it compresses worse.
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: REACT, priority: 2 },
                  { name: 'frame', test: any(FRAME), priority: 1 },
                  ...PARTS.map(({ files, ...part }) => ({ ...part, test: any(files) })),
                ],
              },
            },
          },
        }),
  },
}));
