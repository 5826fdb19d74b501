import { readFileSync } from 'node:fs';

// Knip takes the packages of a workspace as that workspace's alone; ours has no source, and is for the whole repository.
// That each is used is seen by tools/check.mjs.
const testing = JSON.parse(readFileSync('tools/testing/package.json', 'utf8'));
const ignoreDependencies = Object.keys(testing.devDependencies);

export default {
  workspaces: {
    '.': {
      entry: [
        'app/server/main.ts',
        'vite.server.config.ts',
        'operations/cli/*.ts',
        'bench/*.ts',
        'features/*/server/tables.ts',
        'tools/*.mjs',
        'app/web/entry-*.tsx',
      ],
      project: [
        '{app,features,operations,platform,tests,bench}/**/*.{ts,tsx,css}',
        'tools/*.mjs',
        '*.config.ts',
      ],
      // Enabled here, as their packages are not in package.json.
      playwright: true,
      vitest: true,
      ignoreDependencies,
    },
    'tools/testing': { ignoreDependencies },
  },
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreBinaries: [
    ...[
      'apt-get',
      'bwrap',
      'chroot',
      'exiftool',
      'mmdebstrap',
      'mount',
      'openssl',
      'sha256sum',
      'ssh-keygen',
      'systemd-analyze',
      'umount',
    ],
  ],
};
