import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from './files.mjs';

/** An end that the person reading understands by its sentence alone. */
export class Stop extends Error {}

/** Runs a script's work; a Stop leaves one line instead of a stack. @param {() => Promise<unknown>} work */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/**
 * Runs a command in the repository and waits for it. A signal sent to us goes on to the command once
 * (npm and a terminal may both send it); when the command has ended, so do we.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions }} [options]
 * @returns {Promise<number>} its exit code, 128 + n after signal n
 */
export function run(file, args, { env = process.env, stdio = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, env, stdio });
    /** @type {Set<NodeJS.Signals>} */
    const forwarded = new Set();
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      if (!forwarded.has(signal)) child.kill(signal);
      forwarded.add(signal);
    };
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      const status = signal ? 128 + constants.signals[signal] : (code ?? 1);
      if (forwarded.size > 0) process.exit(status);
      resolve(status);
    });
  });
}

/**
 * What Node compiles is kept for all that it starts from here on: up to a third less time. Beside the packages
 * rather than in a temporary folder, where others could write what we then run; where it cannot be written, nothing is
 * lost.
 */
export function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/passerelle');
}

/**
 * Becomes another program: on a recent Node without keeping a parent process, else as its parent.
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<never>}
 */
export async function become(file, args) {
  if (process.platform === 'linux' && process.execve) {
    process.chdir(root);
    // Node announces execve as experimental, on the next tick: there is none.
    process.execve(file, [file, ...args], process.env);
  }
  process.exit(await run(file, args));
}
