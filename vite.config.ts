import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Read before the rest: of all scripts together, evaluating them would hold the page up for a quarter more. */
const REACT = /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/;

/** The other libraries of every page, and what the pages' frame is made of. */
const FRAME =
  /node_modules\/react-router\/|node_modules\/@tanstack\/(?!.*(infiniteQueryObserver|useInfiniteQuery))|lucide-react\/dist\/esm\/(\w+|icons\/(arrow-(left|right)|map-pin|file-text|external-link))\.mjs|features\/\w+\/web\/pages\.ts|features\/(site\/web\/(consent|questions)|stays\/web\/(stays|sessions)|photos\/web\/useSignOut)\.ts|app\/web\/(?!boot\.|ConsentBanner\.|NotFoundPage\.)\w+\.tsx?|platform\/shared\/pictures\.ts|features\/content\/shared\/kind\.ts|platform\/web\/((?!drafts)\w+\.tsx?|ui\/(ErrorBoundary|Link|notices|FieldError|confirm|unsaved|useModal|useDropdown|texts|LoadState|Picture|Drawing|Time)\.tsx?)$/;

/** What several pages share, in few files: each costs as much again in headers. */
const PARTS = [
  {
    name: 'form',
    test: /web\/ui\/(useForm|PasswordField|TokenForm)\.tsx?$|icons\/eye(-off)?\.mjs$/,
  },
  { name: 'drafts', test: /platform\/web\/drafts\.ts$/, priority: 1 },
  {
    name: 'story',
    test: /web\/(ui\/MarkdownText|pages\/(Story|NewsPage|FeaturedPage|EventPage|BenefitPage))\.tsx$/,
  },
  // Wanted by public pages too, which need nothing else of a stay's.
  {
    name: 'terms',
    test: /features\/(photos|stays)\/shared\/terms\.ts$|platform\/web\/ui\/TextSize\.tsx$|icons\/(phone|check|download|arrow-up|triangle-exclamation-point|calendar-days|play|printer)\.mjs$/,
    priority: 1,
  },
  {
    name: 'stay',
    test: /features\/(photos\/web\/(gallery|grid|stay|useStayPhotos)|stays\/web\/stay\/)|icons\/wifi-off\.mjs$/,
    minShareCount: 2,
  },
  {
    name: 'card',
    test: /content\/(web\/pages\/(Card|CalendarLeaf)\.tsx|shared\/categories\.ts)$/,
    priority: 1,
  },
  { name: 'carousel', test: /web\/ui\/autoplay\.tsx$|icons\/(play|pause|images|gift|mail)\.mjs$/ },
];

// The same sources twice: for browsers, and (with --ssr) for the server, which needs no package beside it.
export default defineConfig(({ isSsrBuild }) => ({
  root,
  publicDir: 'app/web/public',
  plugins: [react(), tailwindcss()],
  ssr: { noExternal: true, target: 'node' },
  // Settled here, or the server would render with React's slow edition wherever NODE_ENV is not set.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: isSsrBuild ? 'node24' : 'es2022',
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
                  { name: 'frame', test: FRAME, priority: 1 },
                  ...PARTS,
                ],
              },
            },
          },
        }),
  },
}));
