import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFamilies, addStay, queueCodes } from '#tests/support/mails.ts';
import type { TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

const METRICS_TOKEN = 'jeton-des-mesures-2026';
const SECOND = 1_000;

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ env: { METRICS_TOKEN } });
});
afterAll(() => site?.close());

const ask = (token: string | undefined = METRICS_TOKEN) => site.ask('GET /metrics', { token });

/** The values of a metric by its labels as they are written, a while after the last look. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  site.advance(6 * SECOND);
  const { text, status } = await ask();
  expect(status).toBe(200);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('GET /metrics', () => {
  test('is for who has the token, and kept by nobody', async () => {
    const { status, headers, text } = await ask();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toMatch(/^# HELP /m);
    for (const line of text.split('\n').filter(Boolean))
      expect(line).toMatch(/^# (HELP|TYPE) \w+ .+$|^\w+(\{(\w+="[^"]*",?)+\})? (-?[\d.e+-]+|NaN|\+Inf)$/);
    for (const token of [undefined, 'jeton', `${METRICS_TOKEN}x`, await site.tokenOf('admin')]) {
      const refused = await site.ask('GET /metrics', { token });
      expect(refused.status, token).toBe(401);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(refused.text).not.toContain('http_requests');
    }
    const cookie = `passerelle_portail=${await site.tokenOf('admin')}`;
    expect((await site.ask('GET /metrics', { cookie })).status).toBe(401);
  });

  test('is an address like any unknown one while there is no token', async () => {
    const closed = await openSite();
    try {
      const answers = await Promise.all(
        ['GET /metrics', 'GET /nulle-part'].map(async (what) => {
          const { status, text } = await closed.ask(what, { token: METRICS_TOKEN });
          return { status, text };
        }),
      );
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.status).toBe(404);
    } finally {
      await closed.close();
    }
  });

  test('tells nothing of anybody: calls by their names, never an address, a number or a name', async () => {
    const stageId = await addStay(site.services, 'Séjour Secret', 'K7QF-2MXA-9TRD');
    await addFamilies(site.services, stageId, ['martin@exemple.fr']);
    await queueCodes(site.services, [{ address: 'martin@exemple.fr', stageId }]);
    await site.call(`GET /stage/${stageId}`, { token: await site.tokenOf('family', stageId) });
    await site.ask('GET /martin-cherche?q=martin');
    await site.call('POST /loginAdmin', { body: { username: 'Martin', password: 'martin' } });
    await site.call('POST /auth/login', { body: { stageId: 987_654, password: 'martin' } });
    site.advance(6 * SECOND);
    const { text } = await ask();
    // Without the values: one may have these digits.
    const names = text.replaceAll(/ [-+.\w]+$/gm, '');
    expect(names).not.toMatch(/martin|secret|alice|987654|exemple\.fr|127\.0\.0\.1/i);
  });
});

describe('what is counted', () => {
  test('answers by call and class of status, those from memory included, and how long they took', async () => {
    const name = 'http_requests_total';
    const label = (call: string, status: string) => `{call="${call}",status="${status}"}`;
    const before = await valuesOf(name);
    for (let turn = 0; turn < 4; turn++) await site.call('GET /events');
    await site.call('GET /events/123456');
    await site.call('GET /admins');
    const after = await valuesOf(name);
    const grown = (key: string) => (after[key] ?? 0) - (before[key] ?? 0);
    expect(grown(label('GET /events', '2xx'))).toBe(1);
    expect(grown(label('kept', '2xx'))).toBe(3);
    expect(grown(label('GET /events/:id', '4xx'))).toBe(1);
    expect(grown(label('GET /admins', '4xx'))).toBe(1);
    const counts = await valuesOf('http_request_duration_seconds_count');
    expect(counts['{call="GET /events"}']).toBe(after[label('GET /events', '2xx')]);
    expect(await valuesOf('passerelle_kept_answers_total')).toMatchObject({
      '{outcome="hit"}': 3,
      '{outcome="miss"}': 1,
    });
    // The one that asks.
    expect(await valuesOf('http_requests_in_flight')).toEqual({ '': 1 });
  });

  test('passwords, right, wrong and made to wait', async () => {
    const signIn = (password: string) =>
      site.call('POST /loginAdmin', { body: { username: ADMIN.username, password } });
    const name = 'passerelle_sign_ins_total';
    const before = await valuesOf(name);
    await signIn(ADMIN.password);
    for (let turn = 0; turn < 7; turn++) await signIn('non');
    const after = await valuesOf(name);
    const grown = (outcome: string) => {
      const key = `{kind="portail",outcome="${outcome}"}`;
      return (after[key] ?? 0) - (before[key] ?? 0);
    };
    expect([grown('right'), grown('wrong'), grown('limited')]).toEqual([1, 6, 1]);
  });

  test('writes of the database, and what the process takes', async () => {
    const name = 'passerelle_database_write_duration_seconds_count';
    const before = (await valuesOf(name))[''] ?? 0;
    let isOver = () => {};
    const gate = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    const write = site.services.database.write(() => gate);
    // What has been read just now is not read again: on SQLite it would wait for the write.
    const { text } = await ask().finally(isOver);
    await write;
    expect(text).toMatch(/^passerelle_database_writes_in_progress 1$/m);
    expect(await valuesOf('passerelle_database_writes_in_progress')).toEqual({ '': 0 });
    expect((await valuesOf(name))['']).toBe(before + 1);
    for (const metric of ['process_resident_memory_bytes', 'process_cpu_seconds_total'])
      expect((await valuesOf(metric))[''], metric).toBeGreaterThan(0);
    expect(await valuesOf('nodejs_eventloop_lag_seconds')).toHaveProperty(['']);
  });
});

describe('what is read', () => {
  test('mails, jobs, photos, works, the disk and the database', async () => {
    const { database } = site.services;
    const at = site.now().toISOString();
    await database.write(async (db) => {
      await db.deleteFrom('envois').execute();
      const job = { charge: '{}', rang: 0, a_faire_le: '2026-06-21T00:00:00.000Z', created_at: at };
      await db
        .insertInto('jobs')
        .values({ nom: 'inconnu', essais: 0, ...job })
        .execute();
      await db
        .insertInto('jobs')
        .values({ nom: 'prepare-photo', file: 'photos', essais: 8, ...job })
        .execute();
    });
    const stageId = await addStay(site.services, 'Voile', 'K7QF-2MXA-9TRD');
    await queueCodes(site.services, [
      { address: 'a@exemple.fr', stageId },
      { address: 'b@exemple.fr', stageId },
    ]);
    site.advance(54 * SECOND);
    expect(await valuesOf('passerelle_mails')).toMatchObject({
      '{state="attente"}': 2,
      '{state="echec"}': 0,
      '{state="envoye"}': 0,
    });
    expect((await valuesOf('passerelle_mails_oldest_seconds'))['']).toBe(66);
    expect(await valuesOf('passerelle_jobs')).toEqual({
      '{lane="others",state="waiting"}': 1,
      '{lane="others",state="given_up"}': 0,
      '{lane="photos",state="waiting"}': 0,
      '{lane="photos",state="given_up"}': 1,
    });
    expect((await valuesOf('passerelle_jobs_oldest_seconds'))['{lane="others"}']).toBe(78);
    expect(await valuesOf('passerelle_photos')).toMatchObject({
      '{state="recue"}': 0,
      '{state="publiee"}': 0,
    });
    expect((await valuesOf('passerelle_work_success_timestamp_seconds'))['{work="corbeille"}']).toBe(
      Date.parse('2026-06-20T09:00:00.000Z') / 1000,
    );
    const disk = await site.services.staging.disk();
    expect((await valuesOf('passerelle_disk_size_bytes'))['']).toBe(disk.total);
    expect((await valuesOf('passerelle_disk_free_bytes'))['']).toBeLessThanOrEqual(disk.total);
    expect((await valuesOf('passerelle_database_bytes'))['']).toBeGreaterThan(100_000);
    expect(await valuesOf('passerelle_event_streams')).toEqual({ '': 0 });
  });

  test('once in five seconds, however often it is asked', async () => {
    const waiting = async () => /passerelle_mails\{state="attente"\} (\d+)/.exec((await ask()).text)?.[1];
    site.advance(6 * SECOND);
    const before = await waiting();
    const stageId = await addStay(site.services, 'Canoë', 'K7QF-2MXA-9TRD');
    await queueCodes(site.services, [{ address: 'c@exemple.fr', stageId }]);
    expect(await Promise.all(Array.from({ length: 50 }, waiting))).toEqual(Array(50).fill(before));
    site.advance(6 * SECOND);
    expect(await waiting()).toBe(String(Number(before) + 1));
  });
});
