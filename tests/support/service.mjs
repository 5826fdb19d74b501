// systemctl and journalctl of a machine in tests: node service.mjs systemctl WORDS… starts, stops and logs what the unit
// files in /etc/systemd/system say.
import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

const UNITS = '/etc/systemd/system';
const LOG = '/var/log/units';
const [program = '', ...given] = process.argv.slice(2);
const [verb = '', name = ''] = given.filter((word) => !word.startsWith('-'));

/** The lines of a unit file, by their name. @param {string} unit */
function linesOf(unit) {
  const text = readFileSync(`${UNITS}/${unit}`, 'utf8');
  /** @type {Record<string, string[]>} */
  const lines = {};
  for (const [, name = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm))
    lines[name] = [...(lines[name] ?? []), value];
  return lines;
}

/** @param {string} text */
const variablesIn = (text) =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

/** @param {string} database @param {string} account */
function idOf(database, account) {
  const line = readFileSync(database, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${account}:`));
  if (!line) throw new Error(`${account}: no such account`);
  return Number(line.split(':')[2]);
}

/** @param {string} unit */
function start(unit) {
  const lines = linesOf(unit);
  const one = (/** @type {string} */ name) => lines[name]?.[0] ?? '';
  const [uid, gid] = [idOf('/etc/passwd', one('User')), idOf('/etc/group', one('Group'))];
  const folders = [
    `/var/lib/${one('StateDirectory')}`,
    ...(one('CacheDirectory') ? [`/var/cache/${one('CacheDirectory')}`] : []),
  ];
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, uid, gid);
  }
  const env = {
    PATH: process.env.PATH,
    ...variablesIn((lines.Environment ?? []).join('\n')),
    ...variablesIn(readFileSync(one('EnvironmentFile'), 'utf8')),
  };
  const [program = '', ...args] = one('ExecStart').split(' ');
  const log = openSync(LOG, 'a');
  const options = { cwd: one('WorkingDirectory'), env, uid, gid };
  if (one('Type') === 'oneshot') {
    const { status } = spawnSync(program, args, { ...options, stdio: ['ignore', log, log] });
    process.exitCode = status ?? 1;
    return;
  }
  const child = spawn(program, args, { ...options, stdio: ['ignore', log, log], detached: true });
  writeFileSync(`/run/${unit}.pid`, String(child.pid));
  child.unref();
}

/** @param {string} unit */
async function stop(unit) {
  if (!existsSync(`/run/${unit}.pid`)) return;
  const pid = Number(readFileSync(`/run/${unit}.pid`, 'utf8'));
  const lives = () =>
    existsSync(`/proc/${pid}/exe`) && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (lives()) process.kill(pid, 'SIGTERM');
  while (lives()) await new Promise((resolve) => setTimeout(resolve, 20));
  rmSync(`/run/${unit}.pid`);
}

if (program === 'journalctl') {
  if (!given.some((word) => word.startsWith('--vacuum')))
    process.stdout.write(existsSync(LOG) ? readFileSync(LOG) : '');
} else if (given.includes('--version')) process.stdout.write('systemd 252 (252)\n');
else {
  const running = readdirSync('/run').flatMap((file) =>
    file.endsWith('.service.pid') ? [file.slice(0, -4)] : [],
  );
  // A pattern stands for the one unit that runs.
  const unit = name.includes('*') ? (running[0] ?? '') : name.includes('.') ? name : `${name}.service`;
  if (verb === 'list-units') {
    for (const one of running) process.stdout.write(`${one} loaded active running\n`);
  } else if (verb === 'enable' && !given.includes('--now')) linesOf(unit);
  else if (verb !== 'daemon-reload' && !unit.endsWith('.timer')) {
    if (['stop', 'restart', 'disable'].includes(verb)) await stop(unit);
    if (!['stop', 'disable', 'reload'].includes(verb)) start(unit);
  } else if (unit.endsWith('.timer')) linesOf(unit);
}
