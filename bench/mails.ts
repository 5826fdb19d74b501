import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { p99 } from './support/numbers.ts';
import { tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * A mailing of codes to a mail server on this machine: messages a second, and what visitors feel meanwhile. On SQLite;
 * on PostgreSQL with DATABASE_URL set to an empty database.
 *
 *   node bench/mails.ts [messages]
 */

const MESSAGES = Number(process.argv[2] ?? 2_000);
const STAYS = 40;
const FAMILIES = Math.ceil(MESSAGES / STAYS);

let received = 0;
const relay = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, callback) {
    stream.resume().on('end', () => {
      received++;
      callback();
    });
  },
});
await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
const { port: relayPort } = relay.server.address() as { port: number };

const site = await openSite({
  SMTP_URL: `smtp://127.0.0.1:${relayPort}`,
  MAIL_FROM: 'cse@example.org',
});
const { database, secrets, jobs } = site.services;

const at = new Date().toISOString();
const written = performance.now();
await database.write(async (db) => {
  const messages: { address: string; stageId: number }[] = [];
  for (let stay = 0; stay < STAYS; stay++) {
    const dates = { date_debut: at.slice(0, 10), date_fin: at.slice(0, 10) };
    const stageId = await insertStay(db, secrets, { nom_stage: `Séjour ${stay}`, ...dates }, new Date());
    const addresses = Array.from({ length: FAMILIES }, (_, index) => `famille${index}@s${stay}.example.org`);
    const rows = addresses.map((email, index) => ({
      stage_id: stageId,
      nom: `Nom ${index}`,
      prenom: 'Lou',
      cle: email,
      email,
      consentement_image: 'oui' as const,
      created_at: at,
      modifie_le: at,
    }));
    await db.insertInto('stagiaires').values(rows).execute();
    messages.push(...addresses.map((address) => ({ address, stageId })));
  }
  const mailing = {
    genre: 'codes' as const,
    type: 'stagiaire' as const,
    texts: { objet: 'Codes', texte: '' },
  };
  await insertMailing(db, secrets, { ...mailing, actor: { username: 'bench' }, messages }, new Date());
});
// As they are a day after they came.
await database.write((db) => db.updateTable('destinataires').set({ depuis: '' }).execute());
const queued = performance.now() - written;

const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
const reads: number[] = [];
const start = performance.now();
jobs.wake();
while (received < STAYS * FAMILIES) {
  const asked = performance.now();
  await (await fetch(`${site.base}/actualites`)).arrayBuffer();
  reads.push(performance.now() - asked);
  await pause(20);
}
const ms = performance.now() - start;
loop.disable();
tell({
  title: 'A mailing of codes',
  text: [
    `${received} messages to a mail server on this machine; a visitor asks for the news every 20 ms meanwhile.`,
    `They were written in ${Math.round(queued)} ms.`,
  ],
  rows: [
    { work: 'messages that leave', unit: '/s', measured: (1000 * received) / ms },
    {
      ...{ work: 'news list while mails leave, p99', unit: 'ms', measured: p99(reads) },
      aim: { of: 'measured', atMost: 20 },
    },
    { work: 'longest stop of the process while mails leave', unit: 'ms', measured: loop.max / 1e6 },
  ],
});

await site.close();
await new Promise<void>((resolve) => relay.close(resolve));
