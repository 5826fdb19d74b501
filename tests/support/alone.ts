import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';

/*
 * Files of tests follow one another in one process (`isolate: false`), as loading the site takes longer than most of
 * them. What one leaves behind would reach the next: it fails here, in the file that left it.
 */

/** This process has a temporary folder of its own, so that what lies in it is its own. */
const worker = `passerelle-w${process.pid}`;
if (!tmpdir().endsWith(worker)) {
  const folder = join(tmpdir(), worker);
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Servers, other processes, threads and watched files; connections and timers end by themselves. */
const isHeld = (name: string) => /^(TCPServer|PipeServer|Process|FSEvent|Stat|UDP|Worker)/.test(name);

/** What a file can change for those after it. Libraries leave traces of their own at their first use, and but once. */
function surroundings() {
  const { VIPSHOME: _, ...variables } = process.env;
  const listeners = ['uncaughtException', 'unhandledRejection', 'message'];
  return {
    variables,
    folder: process.cwd(),
    listeners: listeners.map((name) => `${name}: ${process.listenerCount(name)}`),
    held: process.getActiveResourcesInfo().filter(isHeld).sort(),
    files: readdirSync(tmpdir())
      .filter((name) => name !== 'node-compile-cache')
      .sort(),
  };
}

// This is read before each file.
const before = surroundings();
afterAll(async () => {
  // A server that was told to close is gone a moment later.
  const left = () => expect(surroundings(), 'what this file leaves to the next').toEqual(before);
  await vi.waitFor(left, { timeout: 15_000 });
});
