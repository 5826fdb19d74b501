import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { type Fetch, startNginx } from '#tests/support/nginx.ts';
import { freePort } from '#tests/support/ports.ts';
import { killAll, newPlace, type Place, type Server, signIn, start, stop } from '#tests/support/process.ts';
import { buildRelease, findRelease, type Release } from '#tests/support/released.ts';
import { builtServer, SERVER } from '#tools/build.mjs';

/* The last released version gives way to this one, and back, by deploy/upgrade. */

const isPostgres = inject('database') === 'postgres';
const ROOT = join(import.meta.dirname, '../..');
const released = findRelease();

let before: Release;
let folder: string;
/** This version, in a folder of its own: an upgrade adds to what is built. */
let here: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-upgrade-'));
  builtServer();
  if (released) before = buildRelease(released);
  here = join(folder, 'here');
  for (const name of ['dist', 'package.json'])
    cpSync(join(ROOT, name), join(here, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(here, 'node_modules'));
});
afterEach(killAll);
afterAll(() => {
  before?.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Machine {
  /** The link to the version that runs. */
  link: string;
  /** What each unit has been started on, in order. */
  started: string[];
  /** Runs `deploy/upgrade`, and sends it SIGTERM after `cutAfter` ms; its exit code, and what it said. */
  upgrade(
    directory: string,
    env?: Record<string, string>,
    cutAfter?: number,
  ): Promise<{ code: number; said: string }>;
  close(): Promise<void>;
}

interface Unit {
  port: number;
  place: Place;
  server?: Server | undefined;
}

/** A machine whose systemd is this test: its units run the server that the link leads to when they start. */
async function newMachine(units: Record<string, Unit>): Promise<Machine> {
  const directory = mkdtempSync(join(folder, 'machine-'));
  const link = join(directory, 'passerelle');
  const started: string[] = [];
  const startUnit = async (unit: Unit) => {
    const version = realpathSync(link);
    started.push(version);
    unit.server = await start(unit.place, { PORT: String(unit.port) }, [
      process.execPath,
      join(version, SERVER),
    ]).catch(
      // As systemd does, which starts it again and again.
      () => undefined as never,
    );
  };
  const control: HttpServer = createServer(async ({ url = '' }, response) => {
    const [, verb, name = ''] = url.split('/');
    const unit = units[name];
    if (verb === 'list-units')
      response.end(
        Object.entries(units)
          .filter(([, { server }]) => name !== 'active' || server)
          .map(([one]) => `${one} loaded\n`)
          .join(''),
      );
    else if (verb === 'restart' && unit) {
      if (unit.server) await stop(unit.server);
      await startUnit(unit);
      response.end();
    } else response.writeHead(400).end();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => control.listen(port, '127.0.0.1', resolve));
  const program = (name: string, text: string) => {
    writeFileSync(join(directory, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(directory, name), 0o755);
  };
  program(
    'systemctl',
    `case "$*" in restart*) unit=$2;; *--state=active*) unit=active;; esac; curl -sf "http://127.0.0.1:${port}/$1/\${unit:-}"`,
  );
  // Both versions are built.
  program('npm', 'test "$*" = "run build"');
  symlinkSync(before.directory, link);
  for (const unit of Object.values(units)) await startUnit(unit);
  return {
    link,
    started,
    upgrade: (version, env = {}, cutAfter) =>
      new Promise((resolve) => {
        const PATH = `${directory}:${process.env.PATH}`;
        const child = execFile(
          join(ROOT, 'deploy/upgrade'),
          [version],
          { env: { PATH, PASSERELLE: link, ...env } },
          (error, out, err) => resolve({ code: Number(error?.code ?? 0), said: out + err }),
        );
        if (cutAfter !== undefined) setTimeout(() => child.kill('SIGTERM'), cutAfter);
      }),
    async close() {
      for (const { server } of Object.values(units)) if (server) await stop(server);
      control.close();
    },
  };
}

interface Load {
  /** Answers by their kind. */
  counts: Record<string, number>;
  /** The titles that the site said it has kept. */
  kept: string[];
  /** What went wrong. */
  failures: string[];
  end(): Promise<void>;
}

/** Visitors and staff who ask and write without a rest, each from an address of this machine. */
function load(origin: string, token: string, fetchIt: Fetch = fetch): Load {
  const found = { counts: {} as Record<string, number>, kept: [] as string[], failures: [] as string[] };
  let isOver = false;
  const ask = async (kind: string, path: string, init: Parameters<Fetch>[1]) => {
    try {
      const response = await fetchIt(origin + path, init);
      const text = await response.text();
      found.counts[kind] = (found.counts[kind] ?? 0) + 1;
      if (response.ok) return text;
      found.failures.push(`${kind} ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      found.failures.push(`${kind} ${(error as Error).cause ?? error}`);
    }
    return undefined;
  };
  const reader = (kind: string, path: string) => async (from: string) => {
    while (!isOver) {
      const text = await ask(kind, path, { from });
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(text ?? '')?.[1];
      if (script) await ask('script', script, { from });
      await pause(5);
    }
  };
  const writer = (name: string) => async (from: string) => {
    for (let number = 0; !isOver; number++) {
      const titre = `Titre ${name} ${number}`;
      const body = new FormData();
      for (const [key, value] of Object.entries({ titre, description: 'Texte', date: '2026-06-20' }))
        body.append(key, value);
      const headers = { authorization: `Bearer ${token}` };
      if (await ask('written', '/api/api/actualites', { method: 'POST', headers, body, from }))
        found.kept.push(titre);
      await pause(20);
    }
  };
  const running = [
    reader('page', '/'),
    reader('page', '/avantages'),
    reader('list', '/api/api/actualites'),
    reader('list', '/api/api/events'),
    writer('a'),
    writer('b'),
  ].map((one, index) => one(`127.0.0.${index + 2}`));
  return {
    ...found,
    async end() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

async function titlesOf(place: Place): Promise<string[]> {
  const { DATABASE_URL: url, DATA_DIR: directory } = readConfig(place.env);
  const database = openDatabase({ url, directory, isReadOnly: true });
  const rows = await database.db
    .selectFrom('actualites')
    .select('titre')
    .where('titre', 'like', 'Titre %')
    .execute();
  await database.close();
  return rows.map(({ titre }) => titre).sort();
}

describe.runIf(released)('An upgrade from the last released version', () => {
  test.runIf(isPostgres)('of two processes, and back, is not noticed by anybody', async () => {
    const place = await newPlace();
    const second = { ...place, env: { ...place.env, DATA_DIR: mkdtempSync(join(folder, 'second-')) } };
    // Both have the same files, as with a bucket.
    mkdirSync(join(place.directory, 'files'));
    symlinkSync(join(place.directory, 'files'), join(second.env.DATA_DIR, 'files'));
    const ports = [await freePort(), await freePort()];
    const machine = await newMachine({
      [`passerelle@${ports[0]}.service`]: { port: ports[0] ?? 0, place },
      [`passerelle@${ports[1]}.service`]: { port: ports[1] ?? 0, place: second },
    });
    const nginx = await startNginx(ports.map((port) => `http://127.0.0.1:${port}`));
    try {
      const people = load(nginx.origin, await signIn(nginx.origin, nginx.fetch), nginx.fetch);
      await pause(1_000);
      for (const version of [here, before.directory]) {
        const { code, said } = await machine.upgrade(version);
        expect([code, said]).toEqual([0, expect.stringContaining(`en service sur ${version}`)]);
        expect(readlinkSync(machine.link)).toBe(version);
      }
      await people.end();
      expect(people.failures).toEqual([]);
      expect(await titlesOf(place)).toEqual(people.kept.sort());
      for (const kind of ['page', 'script', 'list', 'written'])
        expect(people.counts[kind]).toBeGreaterThan(50);
      const twice = [before.directory, here, before.directory].flatMap((one) => [one, one]);
      expect(machine.started).toEqual(twice);
    } finally {
      await nginx.stop();
      await machine.close();
      await place.clean();
    }
  });

  test('of one process keeps what it had, and a version that does not start gives way to the one before', async () => {
    const place = await newPlace();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const unit: Unit = { port, place };
    const machine = await newMachine({ [`passerelle@${port}.service`]: unit });
    try {
      const people = load(origin, await signIn(origin));
      await expect.poll(() => people.kept.length).toBeGreaterThan(5);
      await people.end();
      expect((await machine.upgrade(here)).code).toBe(0);
      expect(await titlesOf(place)).toEqual(people.kept.sort());
      // Built, but for its server.
      const broken = join(folder, `broken-${port}`);
      mkdirSync(join(broken, 'dist/client/assets'), { recursive: true });
      const { code, said } = await machine.upgrade(broken, { TRIES: '3' });
      expect([code, said]).toEqual([1, expect.stringContaining(`${here} est de nouveau en service`)]);
      expect(await (await fetch(`${origin}/readyz`)).text()).toBe('ok');
      expect(machine.started).toEqual([before.directory, here, broken, here]);
      // Somebody stops it while it waits for what never becomes ready.
      const cut = await machine.upgrade(broken, {}, 2_000);
      expect([cut.code, cut.said]).toEqual([1, expect.stringContaining(`${here} est de nouveau en service`)]);
      expect(await (await fetch(`${origin}/readyz`)).text()).toBe('ok');
      // As after a power cut in the middle: the link leads to what does not start, and nothing runs.
      await stop(unit.server as Server);
      unit.server = undefined;
      rmSync(machine.link);
      symlinkSync(broken, machine.link);
      expect((await machine.upgrade(here)).code).toBe(0);
      expect(await (await fetch(`${origin}/readyz`)).text()).toBe('ok');
      expect(await machine.upgrade(join(folder, 'none'))).toMatchObject({
        ...{ code: 2, said: expect.stringContaining("n'est pas le dossier d'une version") },
      });
    } finally {
      await machine.close();
      await place.clean();
    }
  });
});
