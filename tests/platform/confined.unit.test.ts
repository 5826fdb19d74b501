import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canConfine, forkConfined, refusedTo } from '#platform/server/confined/processes.ts';
import type { Attempts } from '#tests/support/taken-over.ts';

/* A process of a picture that has been taken over, and does what its new owner would try. */

/** Whether the kernel has Landlock, and lets itself be asked: call 444 answers its version. */
const hasLandlock =
  spawnSync('/usr/bin/perl', ['-e', 'exit(syscall(444, 0, 0, 1) < 1)'], { stdio: 'ignore' }).status === 0;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'passerelle-confined-'));
  for (const name of ['in', 'out', 'site']) mkdirSync(join(directory, name));
  writeFileSync(join(directory, 'in', 'picture'), 'picture');
  writeFileSync(join(directory, 'site', 'secret.key'), 'secret');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a module answers to a message in a process of its own. */
async function answerOf(module: string, isConfined: boolean, message: object | string): Promise<unknown> {
  const child = forkConfined(new URL(module), {
    isConfined,
    reads: [join(directory, 'in'), join(import.meta.dirname, '..', 'support')],
    writes: join(directory, 'out'),
    env: {},
    nodeFlags: [],
  });
  child.send(message);
  const [answer] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) });
  child.kill();
  return answer;
}

async function tried(isConfined: boolean): Promise<Attempts> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const attempts = await answerOf(import.meta.resolve('#tests/support/taken-over.ts'), isConfined, {
    directory,
    port,
  });
  server.close();
  return attempts as Attempts;
}

/** What a decoder needs. */
const WORK = ['reads its picture', 'writes what it made', 'decodes'];

test.runIf(hasLandlock)(
  'A process of pictures reaches nothing but its picture and what it makes of it',
  async () => {
    expect(await canConfine()).toBe(true);
    const { done, refused } = await tried(true);
    expect(done.sort()).toEqual(WORK.toSorted());
    expect(refused).toHaveLength(15);
    expect(readFileSync(join(directory, 'in', 'picture'), 'utf8')).toBe('picture');
  },
);

test('The same process, left to itself, does all of that', async () => {
  const { refused } = await tried(false);
  // It has no rights that it was not given; the system itself refuses nothing of the rest.
  expect(refused).toEqual([]);
});

test.runIf(hasLandlock)('The doctor can tell', async () => {
  expect(await refusedTo(join(directory, 'site', 'secret.key'))).toEqual({ files: true, sockets: true });
});

test.runIf(hasLandlock)(
  'Staff and the doctor are told where none can be confined, and what it takes',
  async () => {
    const said = (isConfined: boolean) =>
      answerOf(import.meta.resolve('#tests/support/confined-checks.ts'), isConfined, directory);
    const whose = 'Images, PDF et classeurs\u202f: leurs processus';
    const takes =
      'Il y faut Linux 5.13 ou plus récent, /usr/bin/perl, et une unité qui laisse passer les appels de Landlock.';
    expect(await said(false)).toEqual({
      operator: { state: 'ok', texte: `${whose} n’atteignent ni les fichiers du site, ni le réseau.` },
    });
    // A process that is confined itself starts no other one.
    expect(await said(true)).toEqual({
      staff: expect.stringMatching(
        /^Un fichier piégé pourrait atteindre les fichiers du site et le réseau.*passerelle doctor.*Landlock\.$/,
      ),
      operator: {
        state: 'à surveiller',
        texte: `${whose} peuvent atteindre les fichiers du site et le réseau. ${takes}`,
      },
    });
    // What the running site found counts for the doctor, which other rules than those of its unit confine.
    const second = `${directory}-3001`;
    mkdirSync(second);
    try {
      for (const [found, state] of [
        ['', 'ok'],
        ['le réseau', 'à surveiller'],
      ] as const) {
        writeFileSync(join(second, 'decodeurs'), found);
        expect(await said(false)).toMatchObject({ operator: { state } });
      }
    } finally {
      rmSync(second, { recursive: true });
    }
  },
);
