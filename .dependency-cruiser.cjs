/** Who may import whom. `npm run check` fails when a rule is broken, or when nothing was looked at. */

/** A package of node_modules, whichever way it is written in a resolved path. */
const npmPackage = (names) => `node_modules/(${names})(/|$)`;

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
    {
      name: 'shared-is-the-floor',
      comment: 'shared/ runs in Node and in browsers: it imports zod and itself.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { pathNot: ['^shared/', npmPackage('zod')] },
    },
    {
      name: 'server-and-web-never-meet',
      comment:
        'What both need belongs in shared/. The server reads dist/ when it runs, it does not import it.',
      severity: 'error',
      from: { path: '^(server|web)/' },
      to: { path: '^(server|web|dist|cli|tests|bench|tools)/', pathNot: '^$1/' },
    },
    {
      name: 'web-runs-in-browsers',
      severity: 'error',
      from: { path: '^web/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'outer-roots-see-server-and-shared',
      comment: 'cli, tests and bench use the server and shared/, never web/ or the build.',
      severity: 'error',
      from: { path: '^(cli|tests|bench)/' },
      to: { path: '^(web|dist|cli|tests|bench)/', pathNot: '^$1/' },
    },
    {
      name: 'feature-alone',
      comment: 'A feature never imports another: what two need goes below them; app.ts puts them together.',
      severity: 'error',
      from: { path: '^(server|web)/features/([^/]+)/' },
      to: { path: '^$1/features/', pathNot: '^$1/features/$2/' },
    },
    {
      name: 'server-features-put-together-in-app',
      comment: 'Only app.ts and start.ts know features; the folders below (http, db, storage…) know none.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(features/|(app|start)\\.ts$)' },
      to: { path: '^server/features/' },
    },
    {
      name: 'server-features-below-app',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(app|start|run|main)\\.ts$' },
      to: { path: '^server/(app|start|run|main)\\.ts$' },
    },
    {
      name: 'web-ui-knows-no-domain',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^web/(features|app)/' },
    },
    {
      name: 'one-door-database',
      severity: 'error',
      from: { path: '^(shared|server|web|cli)/', pathNot: '^server/db/(open|apart|news)\\.ts$' },
      to: { path: npmPackage('better-sqlite3|pg|@types/better-sqlite3|@types/pg') },
    },
    {
      name: 'one-door-s3',
      severity: 'error',
      from: { path: '^(shared|server|web|cli)/', pathNot: '^server/storage/s3\\.ts$' },
      to: { path: npmPackage('@aws-sdk/[^/]+') },
    },
    {
      name: 'one-door-mail',
      severity: 'error',
      from: { path: '^(shared|server|web|cli)/', pathNot: '^server/mail/transport\\.ts$' },
      to: { path: npmPackage('nodemailer') },
    },
    {
      name: 'one-door-uploads',
      severity: 'error',
      from: { path: '^(shared|server|web|cli)/', pathNot: '^web/uploads\\.ts$' },
      to: { path: npmPackage('tus-js-client') },
    },
    {
      name: 'one-door-metrics',
      severity: 'error',
      from: { path: '^(shared|server|web|cli)/', pathNot: '^server/metrics/' },
      to: { path: npmPackage('prom-client') },
    },
    {
      name: 'one-door-images',
      severity: 'error',
      from: {
        path: '^(shared|server|web|cli)/',
        pathNot: '^server/(images/|features/example/make-logos\\.mjs$)',
      },
      to: { path: npmPackage('sharp|heic-decode|@types/heic-decode') },
    },
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
