import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/*
 * What takes long to make and is the same for every test that needs it: made once in a run, by the first who asks, in
 * a folder that all processes of the run share.
 */

/** Gives this run and the processes that it starts a folder, removed as it ends. For the runners' configurations. */
export function shareFixtures(): void {
  if (process.env.TEST_FIXTURES) return;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-fixtures-'));
  process.env.TEST_FIXTURES = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** The path of what `make` writes there; whoever asks meanwhile waits. Throws what made it fail. */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const { TEST_FIXTURES: folder } = process.env;
  if (!folder)
    throw new Error('TEST_FIXTURES is not set: the configurations of the runners call shareFixtures');
  const path = join(folder, name);
  const failure = `${path}.failed`;
  try {
    mkdirSync(`${path}.begun`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    while (!existsSync(path)) {
      if (existsSync(failure)) throw new Error(`${name} could not be made: ${readFileSync(failure, 'utf8')}`);
      await pause(20);
    }
    return path;
  }
  try {
    await make(`${path}.new`);
    renameSync(`${path}.new`, path);
  } catch (error) {
    writeFileSync(failure, String((error as Error).stack));
    throw error;
  }
  return path;
}

/** Copies a folder to one that is empty or not there, with modes and times. */
export function copyFolder(from: string, to: string): void {
  // `cpSync` would give folders other modes.
  execFileSync('cp', ['-a', `${from}/.`, to]);
}

/** Bytes that are made once. */
export async function bytesOnce(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  return readFile(await madeOnce(name, async (path) => writeFileSync(path, await make())));
}
