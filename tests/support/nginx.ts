import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './postgres.ts';

/** Debian keeps it where only root looks. */
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path)) ?? 'nginx';

export interface Nginx {
  /** `http://127.0.0.1:port` */
  origin: string;
  stop(): Promise<void>;
}

/** Starts nginx: own folder, own free port, gone afterwards. `site` is what stands in `http { }` for a server on that port. */
export async function startNginx(site: (port: number) => string): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-nginx-'));
  const port = await freePort();
  mkdirSync(join(directory, 'tmp'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, 'tmp', name)};`,
  );
  const config = join(directory, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${join(directory, 'pid')};
error_log ${join(directory, 'error.log')};
events { worker_connections 768; }
http { access_log off; ${places.join(' ')}
${site(port)} }`,
  );
  execFileSync(NGINX, ['-t', '-q', '-p', directory, '-e', join(directory, 'error.log'), '-c', config]);
  const child: ChildProcess = spawn(
    NGINX,
    ['-p', directory, '-e', join(directory, 'error.log'), '-c', config],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const isOpen = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (isOpen) break;
    if (tries === 200) throw new Error('nginx does not answer');
    await pause(25);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** For `startNginx`: the processes at `urls` as one site, each asked in its turn. */
export function siteOf(urls: readonly string[]): (port: number) => string {
  const servers = urls.map((url) => `server ${new URL(url).host} fail_timeout=2s;`);
  return (port) => `upstream site { zone site 64k; ${servers.join(' ')} keepalive 32; }
    server { listen 127.0.0.1:${port}; client_max_body_size 30m;
      location / { proxy_pass http://site; proxy_http_version 1.1; proxy_request_buffering off;
        proxy_set_header Host $http_host; proxy_set_header Connection ""; proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme; proxy_connect_timeout 2s;
        proxy_next_upstream error timeout http_502 http_404; } }`;
}
