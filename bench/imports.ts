import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { median, p99 } from './support/numbers.ts';
import { startSite } from './support/process.ts';
import { type Row, tell } from './support/result.ts';
import { startVisitor } from './support/visitor.ts';

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
/** What is done with addresses that the site knows otherwise. */
const REPLACE = JSON.stringify([{ question: 'adresses', reponse: 'remplacer' }]);

const site = await startSite();
const { base, bearer } = site;

const stays = Array.from({ length: STAYS }, (_, index) => `Séjour ${index};01/07/2026;15/07/2026`);
await send('/uploadSejour', new Blob([`nom_stage;date_debut;date_fin\n${stays.join('\n')}\n`]));

/** Sends a file and waits for what the site says of it. */
async function send(path: string, file: Blob): Promise<void> {
  const body = new FormData();
  body.append('file', file, 'liste.csv');
  body.append('reponses', REPLACE);
  const response = await fetch(`${base}${path}`, { method: 'POST', headers: bearer, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
}

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

const otherStay = await site.addStay('Un autre séjour');
let children = 0;
/** A small write of staff's. */
async function addChild(): Promise<void> {
  const child = { nom: 'Roche', prenom: `Camille ${children++}`, mailRL: 'roche@example.org' };
  await site.ask('POST /add-stagiaire', { ...child, stageId: otherStay });
}

/** Does so every 10 ms; returns how long each took, in ms. */
async function write(isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    await addChild();
    times.push(performance.now() - start);
    await pause(10);
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
  let isOver = false;
  let highest = 0;
  const before = site.memory();
  const watch = setInterval(() => {
    highest = Math.max(highest, site.memory());
  }, 20);
  const reader = startVisitor(`${base}/actualites`);
  const writing = write(() => isOver);
  const start = performance.now();
  await send(path, file);
  const ms = performance.now() - start;
  isOver = true;
  clearInterval(watch);
  const [readTimes, writeTimes] = [await reader.stop(), await writing];
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
const last = await site.ask<{ dernier: { id: number } }>('GET /imports/dernier?genre=familles');
const start = performance.now();
await site.ask(`POST /imports/${last.dernier.id}/annuler`);
rows.push({ work: 'undo of the last import', unit: 'ms', measured: performance.now() - start });
tell({
  title: 'A large file of families',
  text: [
    `${LINES} lines of ${STAYS} stays, ${(file.size / MB).toFixed(1)} MB; meanwhile a visitor asks for the news, and`,
    'a member of staff adds children, one request every 10 ms each.',
    ...missing,
  ],
  rows,
});

await site.close();
