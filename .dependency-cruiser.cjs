/** Who may import whom. `npm run check` fails when a rule is broken, or when nothing was looked at. */

/** The features, in their order: each may import those before it, never one behind it. */
const FEATURES = [
  'audit',
  'site',
  'accounts',
  'content',
  'members',
  'stays',
  'imports',
  'mails',
  'photos',
  'sending',
  'checking',
  'gallery',
  'shelf',
  'evenings',
  'stayPages',
  'privacy',
  'dashboard',
  'example',
  'takeover',
];

/** The floors of the house, the lowest first: each may import itself and those below. */
const FLOORS = ['platform', 'features', 'app', 'operations'];

/** What is measured and what measures it: they see everything, and nothing sees them. */
const OUTSIDE = 'tests|bench|tools';

/** A package of node_modules, whichever way it is written in a resolved path. */
const npmPackage = (names) => `node_modules/(${names})(/|$)`;

/** Only these files, as a regular expression, may import the packages. */
const onlyIn = (name, files, packages) => ({
  name: `only-${name}`,
  severity: 'error',
  from: { path: `^(${FLOORS.join('|')})/`, pathNot: files },
  to: { path: npmPackage(packages) },
});

/** Files and packages that are loaded once something needs them: they would slow every start of server or page. */
const LOADED_WHEN_NEEDED = [
  '^features/sending/server/tus\\.ts$',
  '^features/gallery/web/PhotoLightbox\\.tsx$',
  '^platform/server/storage/s3\\.ts$',
  '^platform/web/ui/Lightbox\\.tsx$',
  npmPackage('@node-rs/argon2|@zxcvbn-ts/[a-z-]+|libheif-js|nodemailer|papaparse|prom-client'),
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      comment: 'The imported file or package does not exist, or is missing from package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...FLOORS.map((floor, index) => ({
      name: `${floor}-and-below`,
      comment: 'A floor imports itself and those below it.',
      severity: 'error',
      from: { path: `^${floor}/` },
      to: { path: `^(${[...FLOORS.slice(index + 1), OUTSIDE, 'dist'].join('|')})/` },
    })),
    ...FEATURES.slice(0, -1).map((feature, index) => ({
      name: `${feature}-before-later-features`,
      comment: 'A feature imports those before it in the order of this file.',
      severity: 'error',
      from: { path: `^features/${feature}/` },
      to: { path: `^features/(${FEATURES.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'features-in-the-order',
      comment: 'Every feature has its place in the order.',
      severity: 'error',
      from: {},
      to: { path: '^features/', pathNot: `^features/((${FEATURES.join('|')})/|feature\\.ts$)` },
    },
    {
      name: 'features-introduce-themselves',
      comment:
        'features/feature.ts names the parts of all features: only their introductions and the app import it.',
      severity: 'error',
      from: { pathNot: '^(app/|features/[^/]+/server/feature\\.ts$)' },
      to: { path: '^features/feature\\.ts$' },
    },
    {
      name: 'shared-runs-everywhere',
      comment: 'shared/ and calls run in Node and in browsers: they import zod and one another.',
      severity: 'error',
      from: { path: '^(platform/shared/|features/[^/]+/(shared/|[^/]+\\.ts$)|app/calls\\.ts$)' },
      to: { pathNot: ['^platform/shared/', '^features/[^/]+/(shared/|[^/]+\\.ts$)', npmPackage('zod')] },
    },
    {
      name: 'server-never-meets-web',
      comment:
        'What both need belongs in shared/. The server reads dist/ when it runs, it does not import it.',
      severity: 'error',
      from: { path: '^(platform|app|features/[^/]+)/server/|^operations/' },
      to: { path: '/web/' },
    },
    {
      name: 'web-never-meets-server',
      severity: 'error',
      from: { path: '/web/' },
      to: { path: '^(platform|app|features/[^/]+)/server/|^app/migrations/' },
    },
    {
      name: 'web-runs-in-browsers',
      severity: 'error',
      from: { path: '/web/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'tests-and-bench-apart',
      comment:
        'Tests and measurements use the site, never web/ or one another; but both start the same database and bucket.',
      severity: 'error',
      from: { path: '^(tests|bench)/' },
      to: { path: '/web/|^(dist|tests|bench)/', pathNot: '^$1/|^tests/support/(postgres|s3)[.]ts$' },
    },
    {
      name: 'loaded-when-needed',
      comment:
        'These files and packages are loaded by import(), or imported by import type for their types alone.',
      severity: 'error',
      from: { path: `^(${FLOORS.join('|')})/` },
      to: { path: LOADED_WHEN_NEEDED, dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    onlyIn(
      'database',
      '^platform/server/db/(sqlite|postgres|directory|apart|notifications)\\.ts$',
      'better-sqlite3|pg|@types/better-sqlite3|@types/pg',
    ),
    onlyIn('s3', '^platform/server/storage/s3\\.ts$', '@aws-sdk/[^/]+'),
    onlyIn('receiving', '^features/sending/server/tus\\.ts$', '@tus/server'),
    onlyIn('mail', '^platform/server/mail/transport\\.ts$', 'nodemailer'),
    onlyIn('uploads', '^features/sending/web/Sender\\.ts$', 'tus-js-client'),
    onlyIn('metrics', '^(platform|features/dashboard)/server/metrics\\.ts$', 'prom-client'),
    onlyIn(
      'images',
      '^(platform/server/images/|features/example/fixtures/make-drawings\\.mjs$)',
      'sharp|libheif-js',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules|^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
