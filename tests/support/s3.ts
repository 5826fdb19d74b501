import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from './ports.ts';

/** The environment that names a bucket. */
export type BucketEnvironment = Record<
  'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY',
  string
>;

export interface BucketServer {
  /** Makes an empty bucket. */
  newBucket(name: string): Promise<BucketEnvironment>;
  /** The environment of a bucket that need not exist. */
  environment(name: string): BucketEnvironment;
  stop(): Promise<void>;
}

/** Writes which server holds what: one of each kind. In one process, as Python takes long to load Swift. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
etc, *stores = sys.argv[1:]
for name, port in zip(stores[::2], stores[1::2]):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev(dict(id=0, region=1, zone=1, ip='127.0.0.1', port=int(port), device='sda', weight=1))
    builder.rebalance()
    builder.get_ring().save(f'{etc}/{name}.ring.gz')
`;
const ACCOUNT = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
const REGION = 'us-east-1';

/** Starts OpenStack Swift with its S3 door: own folder, own free ports, gone afterwards. */
export async function startBuckets(): Promise<BucketServer> {
  // On a disk: Swift keeps what it knows of a file in extended attributes, which a folder in memory may not have.
  const directory = mkdtempSync('/var/tmp/passerelle-s3-');
  const ports = {
    proxy: await freePort(),
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    memcached: await freePort(),
  };
  const etc = join(directory, 'etc');
  mkdirSync(join(directory, 'node/sda'), { recursive: true });
  mkdirSync(etc);
  writeFileSync(join(etc, 'swift.conf'), SWIFT);
  execFileSync('/usr/bin/python3', [
    '-c',
    RINGS,
    etc,
    ...STORES.flatMap((name) => [name, String(ports[name])]),
  ]);
  for (const name of STORES)
    writeFileSync(join(etc, `${name}-server.conf`), storeOf(name, ports[name], directory));
  writeFileSync(join(etc, 'proxy-server.conf'), proxyOf(ports.proxy, ports.memcached, etc));

  const parts: Part[] = [];
  const launch = (name: string, port: number, program: string, ...args: string[]) =>
    parts.push(startPart(name, port, program, args, etc));
  const memory = [...asUser(), '-l', '127.0.0.1', '-p', String(ports.memcached), '-m', '32'];
  launch('memcached', ports.memcached, 'memcached', ...memory);
  for (const name of [...STORES, 'proxy'] as const)
    launch(name, ports[name], `swift-${name}-server`, join(etc, `${name}-server.conf`));
  const stop = async () => {
    for (const { child } of parts) child.kill('SIGKILL');
    await Promise.all(parts.map(({ ended }) => ended));
    rmSync(directory, { recursive: true, force: true });
  };

  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  const environment = (name: string) => ({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: name,
    S3_REGION: REGION,
    S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
    S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
  });
  const client = new S3Client({ endpoint, region: REGION, forcePathStyle: true, credentials: ACCOUNT });
  const newBucket = async (name: string) => {
    await client.send(new CreateBucketCommand({ Bucket: name }));
    return environment(name);
  };
  try {
    for (const part of parts) await untilListening(part);
    await untilMade(() => newBucket('premier'), parts);
  } catch (error) {
    await stop();
    throw error;
  }
  return { newBucket, environment, stop };
}

/** A process of the store. */
interface Part {
  name: string;
  port: number;
  child: ChildProcess;
  ended: Promise<unknown>;
  /** What it has written. */
  log(): string;
}

function startPart(name: string, port: number, program: string, args: string[], etc: string): Part {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SWIFT_DIR: etc },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => {
      text += String(error);
      resolve(undefined);
    });
  });
  return { name, port, child, ended, log: () => text };
}

function failed(why: string, parts: readonly Part[]): Error {
  const logs = parts.map(({ name, port, log }) => `── ${name}, port ${port}\n${log().trim()}`);
  return new Error(`The S3 server did not start: ${why}.\n${logs.join('\n')}`);
}

/** Waits for as long as a part runs: four Pythons at once take their time on a busy machine. */
async function untilListening(part: Part): Promise<void> {
  let hasEnded = false;
  void part.ended.then(() => {
    hasEnded = true;
  });
  while (!(await isListening(part.port))) {
    if (hasEnded) throw failed(`${part.name} has ended`, [part]);
    await pause(50);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** All parts listen: the first bucket may still have to wait for one to know the others. */
async function untilMade(work: () => Promise<unknown>, parts: readonly Part[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === 480) throw failed(`no bucket can be made (${error})`, parts);
      await pause(250);
    }
  }
}

/** memcached refuses to run as root without being told so. */
function asUser(): string[] {
  return process.getuid?.() === 0 ? ['-u', 'root'] : [];
}

const STORES = ['account', 'container', 'object'] as const;

const SWIFT = `
[swift-hash]
swift_hash_path_suffix = test
swift_hash_path_prefix = test
[storage-policy:0]
name = first
default = yes
`;

const common = (port: number, etc: string) => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${etc}
log_level = WARNING
`;

function storeOf(name: string, port: number, directory: string): string {
  return `${common(port, join(directory, 'etc'))}
devices = ${join(directory, 'node')}
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;
}

const FILTERS = {
  catch_errors: 'catch_errors',
  gatekeeper: 'gatekeeper',
  cache: 'memcache',
  listing_formats: 'listing_formats',
  s3api: 's3api',
  tempauth: 'tempauth',
  slo: 'slo',
};

function proxyOf(port: number, memcached: number, etc: string): string {
  const settings: Record<string, string> = {
    cache: `memcache_servers = 127.0.0.1:${memcached}`,
    // Short pages, so that few files make several.
    s3api: `location = ${REGION}\ns3_acl = false\nmax_bucket_listing = 20`,
    tempauth: 'user_test_tester = testing .admin',
  };
  const filters = Object.entries(FILTERS).map(
    ([name, part]) => `[filter:${name}]\nuse = egg:swift#${part}\n${settings[name] ?? ''}\n`,
  );
  return `${common(port, etc)}
[pipeline:main]
pipeline = ${Object.keys(FILTERS).join(' ')} proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
# By default a store that takes half a second to answer counts as gone, and is not asked again for a minute: on a busy
# machine all of them do.
conn_timeout = 60
node_timeout = 60
error_suppression_limit = 1000000
error_suppression_interval = 0
${filters.join('')}`;
}
