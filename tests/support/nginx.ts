import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { madeOnce } from './fixtures.ts';
import { freePort } from './ports.ts';

/** deploy/nginx.conf as it is shipped, in front of processes of this machine. */

const SHIPPED = join(import.meta.dirname, '../../deploy/nginx.conf');
/** Debian keeps it where only root looks. */
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path)) ?? 'nginx';

/**
 * As the global one, over TLS, but that it follows no redirection and reads the answer whole. `from`: the address of this
 * machine that asks.
 */
export type Fetch = (address: string, init?: RequestInit & { from?: string }) => Promise<Response>;

export interface Nginx {
  /** `https://127.0.0.1:port` */
  origin: string;
  /** What stands on port 80 elsewhere: `http://127.0.0.1:port` */
  plain: string;
  /** Its certificate, for cse.example and 127.0.0.1, which nobody but the tests trusts. */
  ca: Buffer;
  fetch: Fetch;
  /** The lines of its access log so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts nginx in front of one process or two: own folder, own free ports, gone afterwards. `port`: that of its origin, where
 * the processes have to know it; `files`: what it sends by itself, in the place of that folder of /var/lib/passerelle. Throws
 * when `nginx -t` has anything to say.
 */
export async function startNginx(
  urls: readonly string[],
  { port: given, files }: { port?: number; files?: string } = {},
): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-nginx-'));
  const certificate = await madeOnce('certificate', makeCertificate);
  const [port, plainPort] = [given ?? (await freePort()), await freePort()];
  const [first = '', second] = urls.map((url) => new URL(url).host);
  const site = replaceEach(readFileSync(SHIPPED, 'utf8'), {
    ' 443 ': ` 127.0.0.1:${port} `,
    ' 80;': ` 127.0.0.1:${plainPort};`,
    // Not every machine has IPv6.
    '[::]:443': `127.0.0.1:${await freePort()}`,
    '[::]:80': `127.0.0.1:${await freePort()}`,
    '127.0.0.1:3000': first,
    // « With one, the second line goes. »
    ...(second === undefined
      ? { '  server 127.0.0.1:3001 fail_timeout=2s;\n': '' }
      : { '127.0.0.1:3001': second }),
    '/etc/letsencrypt/live/cse.example': certificate,
    '/var/log/nginx': directory,
    ...(files !== undefined && { '/var/lib/passerelle/files': files }),
  });
  mkdirSync(join(directory, 'conf.d'));
  writeFileSync(join(directory, 'conf.d/passerelle.conf'), site);
  const config = join(directory, 'nginx.conf');
  writeFileSync(config, outerFile(directory));
  const args = ['-p', directory, '-e', join(directory, 'error.log'), '-c', config];
  const { status, stderr } = spawnSync(NGINX, ['-t', '-q', ...args], { encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`nginx -t: ${status}\n${stderr}`);
  const child = spawn(NGINX, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const plain = `http://127.0.0.1:${plainPort}`;
  for (let tries = 0; ; tries++) {
    const isOpen = await fetch(plain, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (isOpen) break;
    if (tries === 200) throw new Error('nginx does not answer');
    await pause(25);
  }
  const ca = readFileSync(join(certificate, 'fullchain.pem'));
  // A connection each: nginx closes an idle one as it likes, which would fail a request sent on it in that moment.
  const agent = new Agent({ ca, keepAlive: false });
  return {
    origin: `https://127.0.0.1:${port}`,
    plain,
    ca,
    fetch: fetchBy(agent),
    log: () => readFileSync(join(directory, 'passerelle.log'), 'utf8'),
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** As Debian's /etc/nginx/nginx.conf, in a folder of its own, and as one process that stays in the foreground. */
const outerFile = (directory: string) => `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events {
  worker_connections 768;
}
http {
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
  ssl_prefer_server_ciphers on;
  access_log ${directory}/access.log;
  gzip on;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${directory}/${name};\n`).join('')}
  include ${directory}/conf.d/*.conf;
}
`;

/** `text` with other words in the places of those, and no other change. Throws for one that is not there. */
function replaceEach(text: string, words: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(words));
  const any = new RegExp([...left].map((word) => word.replaceAll(/\W/g, '\\$&')).join('|'), 'g');
  const replaced = text.replace(any, (word) => {
    left.delete(word);
    return words[word] ?? '';
  });
  if (left.size > 0) throw new Error(`deploy/nginx.conf has no ${[...left].join(', ')}`);
  return replaced;
}

/** A folder with the files that certbot makes. */
async function makeCertificate(folder: string): Promise<void> {
  mkdirSync(folder);
  const names = ['-subj', '/CN=cse.example', '-addext', 'subjectAltName=DNS:cse.example,IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...files], { stdio: 'pipe' });
}

function fetchBy(agent: Agent): Fetch {
  return async (address, { from, ...init } = {}) => {
    const asked = new Request(address, init);
    const body = Buffer.from(await asked.arrayBuffer());
    const options = { agent, method: asked.method, headers: Object.fromEntries(asked.headers) };
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
      request(address, { ...options, ...(from !== undefined && { localAddress: from }) }, (answer) => {
        const { statusCode: status = 0 } = answer;
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(answer.headersDistinct))
          for (const value of values) headers.append(name, value);
        const read = (parts: Uint8Array[]) =>
          new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, headers });
        answer.toArray().then(read).then(resolve, fail);
      })
        .on('error', fail)
        .end(body);
    });
  };
}
