import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { insertStay } from '../server/stays.ts';
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

const p99 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

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

async function measure(name: string, path: string, file: Blob): Promise<void> {
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
  console.log(
    `${name.padEnd(16)} ${Math.round(ms)} ms  ${Math.round((1000 * LINES) / ms)} lines/s  ` +
      `memory +${Math.round((highest - before) / MB)} MB  read p99 ${p99(readTimes).toFixed(0)} ms  ` +
      `longest write ${Math.max(...writeTimes).toFixed(0)} ms  loop p99 ${(loop.percentile(99) / 1e6).toFixed(0)} ms, ` +
      `longest ${(loop.max / 1e6).toFixed(0)} ms`,
  );
}

const file = fileOf('example.org');
console.log(`${LINES} lines, ${(file.size / MB).toFixed(1)} MB, ${database.engine}`);
await measure('preview', '/upload/apercu', file);
await measure('import', '/upload', file);
await measure('the same again', '/upload', file);
await measure('all modified', '/upload', fileOf('example.com'));
const last = (await (await fetch(`${base}/imports/dernier?genre=familles`, { headers: bearer })).json()) as {
  dernier: { id: number };
};
const start = performance.now();
const undone = await fetch(`${base}/imports/${last.dernier.id}/annuler`, { method: 'POST', headers: bearer });
console.log(`undo             ${Math.round(performance.now() - start)} ms  ${undone.status}`);

await site.close();
