import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { insertStay } from '../server/stays.ts';
import { median, p99 } from './support/numbers.ts';
import { type Row, tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * A large file of families: how long its preview and its import take, what they cost in memory, and what other
 * visitors feel meanwhile. On SQLite; on PostgreSQL with DATABASE_URL set to an empty database.
 *
 *   node bench/imports.ts [lines]
 */

const LINES = Number(process.argv[2] ?? 100_000);
const STAYS = 100;
const MB = 1024 * 1024;
const SQLITE = '/usr/bin/sqlite3';

const site = await openSite();
const { base } = site;
const { database, secrets } = site.services;

await database.write(async (db) => {
  for (let index = 0; index < STAYS; index++) {
    const stay = { nom_stage: `Séjour ${index}`, date_debut: '2026-07-01', date_fin: '2026-07-15' };
    await insertStay(db, secrets, stay, new Date());
  }
});
const bearer = await site.bearer();

function fileOf(domain: string): Blob {
  const lines = Array.from(
    { length: LINES },
    (_, index) =>
      `Nom-${index};Prénom ${index % 700};famille${index}@${domain};oui;Séjour ${index % STAYS};01/07/2026;15/07/2026`,
  );
  return new Blob([
    `nom;prenom;email;consentement_image;nom_stage;date_debut;date_fin\r\n${lines.join('\r\n')}\r\n`,
  ]);
}

/** Asks again and again, one request after the other, until `isOver`; returns how long each took, in ms. */
async function visitors(ask: () => Promise<Response>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    await (await ask()).arrayBuffer();
    times.push(performance.now() - start);
    await pause(5);
  }
  return times;
}

const missing = existsSync(SQLITE)
  ? []
  : ['sqlite3 is not installed (Debian: sqlite3): nothing stands beside the import.'];

/** Lines a second that the shell of SQLite puts into a table as they stand, without looking at any. */
async function plainImport(file: Blob): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-import-'));
  const path = join(directory, 'familles.csv');
  await writeFile(path, Buffer.from(await file.arrayBuffer()));
  const start = performance.now();
  await promisify(execFile)(SQLITE, [
    join(directory, 'plain.db'),
    '-cmd',
    '.mode csv',
    '.separator ";"',
    `.import ${path} familles`,
  ]);
  const seconds = (performance.now() - start) / 1000;
  rmSync(directory, { recursive: true });
  return LINES / seconds;
}

async function measure(name: string, path: string, file: Blob): Promise<Row[]> {
  const body = new FormData();
  body.append('file', file, 'familles.csv');
  let isOver = false;
  let highest = 0;
  const before = process.memoryUsage.rss();
  const memory = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 20);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const reads = visitors(
    () => fetch(`${base}/actualites`),
    () => isOver,
  );
  const note = { nom: 'Visite', email: 'visite@example.org', message: 'Bonjour' };
  const writes = visitors(
    async () => {
      await database.write((db) =>
        db
          .insertInto('messages_contact')
          .values({ ...note, created_at: '', lu_le: null })
          .execute(),
      );
      return new Response('');
    },
    () => isOver,
  );
  const start = performance.now();
  const response = await fetch(`${base}${path}`, { method: 'POST', headers: bearer, body });
  const answer = (await response.json()) as Record<string, unknown>;
  const ms = performance.now() - start;
  isOver = true;
  loop.disable();
  clearInterval(memory);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
  const [readTimes, writeTimes] = [await reads, await writes];
  return [
    {
      ...{ work: `${name} of families`, unit: 'lines/s', measured: (1000 * LINES) / ms },
      ...(name === 'import' && plain !== undefined
        ? {
            beside: { name: 'the shell of SQLite, which checks nothing', measured: plain },
            // 150,000 where that does 775,000.
            aim: { of: 'ratio', atLeast: 0.19 } as const,
          }
        : {}),
    },
    {
      ...{ work: `memory that the ${name} adds`, unit: 'MB', measured: (highest - before) / MB },
      ...(name === 'import' ? { aim: { of: 'measured', atMost: 30 } as const } : {}),
    },
    {
      ...{ work: `news list during the ${name}, p99`, unit: 'ms', measured: p99(readTimes) },
      aim: { of: 'measured', atMost: 20 },
    },
    { work: `longest write during the ${name}`, unit: 'ms', measured: Math.max(...writeTimes) },
    { work: `longest stop of the process during the ${name}`, unit: 'ms', measured: loop.max / 1e6 },
  ];
}

const file = fileOf('example.org');
const plain =
  missing.length === 0
    ? median([await plainImport(file), await plainImport(file), await plainImport(file)])
    : undefined;
const rows = [
  ...(await measure('preview', '/upload/apercu', file)),
  ...(await measure('import', '/upload', file)),
  ...(await measure('same import again', '/upload', file)),
  ...(await measure('import that modifies all', '/upload', fileOf('example.com'))),
];
const last = (await (await fetch(`${base}/imports/dernier?genre=familles`, { headers: bearer })).json()) as {
  dernier: { id: number };
};
const start = performance.now();
const undone = await fetch(`${base}/imports/${last.dernier.id}/annuler`, { method: 'POST', headers: bearer });
if (!undone.ok) throw new Error(`undo: ${undone.status} ${await undone.text()}`);
rows.push({ work: 'undo of the last import', unit: 'ms', measured: performance.now() - start });
tell({
  title: 'A large file of families',
  text: [
    `${LINES} lines of ${STAYS} stays, ${(file.size / MB).toFixed(1)} MB; meanwhile a visitor asks for the news, and`,
    'another one writes, every 5 ms.',
    ...missing,
  ],
  rows,
});

await site.close();
