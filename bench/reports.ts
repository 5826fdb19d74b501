import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { EVALUATION_QUESTIONS } from '#features/stays/shared/terms.ts';
import { tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * The report of a stay with many long answers: how long it takes, what it costs in memory, and how long other
 * visitors wait meanwhile. On SQLite; on PostgreSQL with DATABASE_URL set to an empty database.
 *
 *   node bench/reports.ts [answers] [characters of each]
 */

const ANSWERS = Number(process.argv[2] ?? 5_000);
const CHARACTERS = Number(process.argv[3] ?? 5_000);
const MB = 1024 * 1024;

const site = await openSite();
const { database, secrets } = site.services;

const codes = Object.keys(EVALUATION_QUESTIONS);
/** Words that no two answers share: what packs well would be measured for less than it is. */
const text = () => randomBytes(CHARACTERS).toString('base64').replace(/[+/]/g, ' ').slice(0, CHARACTERS);

await database.write(async (db) => {
  const stay = { nom_stage: 'Banc', date_debut: '2026-07-01', date_fin: '2026-07-15' };
  const stage_id = await insertStay(db, secrets, stay, new Date());
  for (let index = 0; index < ANSWERS; index++) {
    const notes = JSON.stringify(
      Object.fromEntries(codes.map((code, place) => [code, ((index + place) % 5) + 1])),
    );
    const cle = randomBytes(16).toString('hex');
    const answer = { cle, stage_id, notes, recommande: index % 2, texte: text(), jour: '2026-07-15' };
    await db.insertInto('evaluations').values(answer).execute();
  }
});
const headers = await site.bearer();

async function report(): Promise<{ ms: number; bytes: number; memory: number; wait: number }> {
  let highest = 0;
  const before = process.memoryUsage.rss();
  const memory = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 20);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const start = performance.now();
  const response = await fetch(`${site.base}/download-rapport?nomStage=Banc`, { headers });
  const { byteLength } = await response.arrayBuffer();
  const ms = performance.now() - start;
  loop.disable();
  clearInterval(memory);
  if (!response.ok) throw new Error(`the report: ${response.status}`);
  return { ms, bytes: byteLength, memory: (highest - before) / MB, wait: loop.max / 1e6 };
}

const [first, second] = [await report(), await report()];
tell({
  title: 'The report of a stay',
  text: [
    `${ANSWERS} answers of ${CHARACTERS} characters each, ${(first.bytes / MB).toFixed(1)} MB; the second time its`,
    'worker is there already.',
  ],
  rows: [
    { work: 'report, first', unit: 'ms', measured: first.ms },
    { work: 'report, second', unit: 'ms', measured: second.ms },
    { work: 'memory that a report adds', unit: 'MB', measured: Math.max(first.memory, second.memory) },
    { work: 'longest wait of others', unit: 'ms', measured: Math.max(first.wait, second.wait) },
  ],
});

await site.close();
