import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtServer } from '#tools/build.mjs';
import { median } from './support/numbers.ts';
import { freePort } from './support/process.ts';
import { tell } from './support/result.ts';
import { SITE_ENV } from './support/site.ts';

/*
 * How long a site takes from its command to its first page, and what it holds of the memory when nobody asks for
 * anything, against a bare node:http server in interleaved runs. On a folder that is there already.
 *
 *   node bench/start.ts [rounds] [idle seconds]
 */

const ROUNDS = Number(process.argv[2] ?? 5);
const IDLE_MS = 1000 * Number(process.argv[3] ?? 10);
const MB = 1024 * 1024;

const root = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));

const isAnswered = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    (response) => response.status === 200,
    () => false,
  );

interface Measure {
  ms: number;
  memory: number;
}

async function measure(args: string[], port: number): Promise<Measure> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      ...SITE_ENV,
      ...{ PORT: String(port), DATA_DIR: directory },
      // As `npm start` sets it.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/passerelle'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await isAnswered(port))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    await pause(2);
  }
  const ms = performance.now() - start;
  await pause(IDLE_MS);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { ms, memory: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024 };
}

const BARE =
  "require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')";
const here = async () => measure([builtServer()], await freePort());
const bare = async () => measure(['-e', BARE], await freePort());

// The first start makes the database, and fills the cache of compiled sources.
await here();
const results = { here: [] as Measure[], bare: [] as Measure[] };
for (let round = 0; round < ROUNDS; round++) {
  results.here.push(await here());
  results.bare.push(await bare());
}
rmSync(directory, { recursive: true });

const middle = (of: Measure[], what: keyof Measure) => median(of.map((one) => one[what]));
const name = 'a bare node:http server';
tell({
  title: 'Start',
  text: [
    `From the command to the first page, ${ROUNDS} times; then memory after ${IDLE_MS / 1000} idle seconds.`,
  ],
  rows: [
    {
      ...{ work: 'start to the first page', unit: 'ms', measured: middle(results.here, 'ms') },
      beside: { name, measured: middle(results.bare, 'ms') },
      aim: { of: 'measured', atMost: 800 },
    },
    {
      ...{ work: 'idle memory', unit: 'MB', measured: middle(results.here, 'memory') / MB },
      beside: { name, measured: middle(results.bare, 'memory') / MB },
      aim: { of: 'measured', atMost: 110 },
    },
  ],
});
