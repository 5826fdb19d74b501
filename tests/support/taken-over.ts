import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';

/* Runs in a process of its own: tries what somebody who has taken a decoder over would, and says what was done. */

export interface Attempts {
  done: string[];
  refused: string[];
}

async function attempt(directory: string, port: number): Promise<Attempts> {
  const at = (...names: string[]) => join(directory, ...names);
  const attempts: Record<string, () => unknown> = {
    'reads its picture': () => readFileSync(at('in', 'picture')),
    'writes what it made': () => writeFileSync(at('out', '0'), 'made'),
    decodes: () =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .webp()
        .toBuffer(),
    'changes its picture': () => writeFileSync(at('in', 'picture'), 'changed'),
    'reads the secret': () => readFileSync(at('site', 'secret.key')),
    'lists the site': () => readdirSync(at('site')),
    'writes beside its folder': () => writeFileSync(at('site', 'new'), ''),
    'moves a result to the site': () => renameSync(at('out', '0'), at('site', 'moved')),
    'links to the secret': () => linkSync(at('site', 'secret.key'), at('out', 'link')),
    'names the secret as its result': () => symlinkSync(at('site', 'secret.key'), at('out', 'symlink')),
    'makes a folder': () => mkdirSync(at('out', 'folder')),
    'reads the environment of the site': () => readFileSync(`/proc/${process.ppid}/environ`),
    'reads the users of the machine': () => readFileSync('/etc/passwd'),
    'signals the site': () => process.kill(process.ppid, 0),
    'runs a program': () => execFileSync('/usr/bin/env'),
    'connects to a port': () => once(connect(port, '127.0.0.1'), 'connect'),
    'listens on a socket': () => once(createServer().listen(at('out', 'socket')), 'listening'),
    'sends a datagram': () =>
      new Promise((resolve, reject) => {
        const socket = createSocket('udp4').once('error', reject);
        socket.send('a', port, '127.0.0.1', (error) => (error ? reject(error) : resolve(undefined)));
      }),
  };
  const found: Attempts = { done: [], refused: [] };
  for (const [name, act] of Object.entries(attempts)) {
    try {
      await act();
      found.done.push(name);
    } catch {
      found.refused.push(name);
    }
  }
  return found;
}

process.once('message', async (message) => {
  const { directory, port } = message as { directory: string; port: number };
  process.send?.(await attempt(directory, port));
});
