import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { mountDisk } from '#tests/support/disk.ts';
import { form } from '#tests/support/forms.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { addFamilies, addStay, queueCodes, statesOf } from '#tests/support/mails.ts';
import type { TestSite } from '#tests/support/people.ts';
import { corners } from '#tests/support/photos.ts';
import { create, patch } from '#tests/support/sending.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/*
 * A disk without a byte left, at steps of which other tests do not tell (`crash`, `photos-sending`, `photos-preparing`):
 * whatever was asked for is refused whole, what is there is still shown, and space alone brings everything back.
 */

/** Whether the database lies on this disk as well. */
const isSqlite = inject('database') === 'sqlite';

const disk = mountDisk(160);
let site: TestSite;
let token: string;
let receiver: Receiver;
let stay: number;
beforeAll(async () => {
  if (!disk) return;
  receiver = await openReceiver();
  const DATA_DIR = join(disk.directory, 'data');
  const mail = { SMTP_URL: receiver.url, MAIL_FROM: 'cse@exemple.fr', ALERT_EMAIL: 'technique@exemple.fr' };
  site = await openSite({ env: { DATA_DIR, ...mail } });
  token = await site.tokenOf('admin');
  stay = await addStay(site.services, 'Été à Oléron');
  await addFamilies(site.services, stay, ['f0@exemple.fr', 'f1@exemple.fr']);
  // Whatever a start still has to do.
  await site.schedule.tick();
  await site.jobs.idle();
});
afterEach(() => disk?.empty());
afterAll(async () => {
  await site?.close();
  await receiver?.close();
  disk?.remove();
});

/** No byte left but in the room that the site keeps. */
async function fill(): Promise<void> {
  // What is still taken away would leave room.
  await site.jobs.idle();
  await expect.poll(() => readdirSync(site.services.staging.directory)).toEqual([]);
  await expect.poll(() => site.services.database.settle()).toBe(true);
  disk?.fill(0);
}

/** No byte left, as if others had been there before the site took its room. */
function fillWithRoom(): void {
  if (isSqlite) {
    const raw = new SQLite(join(site.services.config.DATA_DIR, 'passerelle.db'));
    raw.pragma('wal_checkpoint(TRUNCATE)');
    raw.close();
    rmSync(join(site.services.config.DATA_DIR, 'reserve'), { force: true });
  }
  disk?.fill(0);
}

const rows = async (table: 'stages' | 'stagiaires' | 'imports' | 'envois' | 'photos' | 'messages_contact') =>
  (await site.services.database.db.selectFrom(table).selectAll().execute()).length;
const call = (what: string, body?: unknown) => site.call(what, { token, body });
const families = (count: number) => {
  const lines = Array.from(
    { length: count },
    (_, index) => `Nom;Prénom${index};i${index}@exemple.fr;Été à Oléron;20/06/2026;04/07/2026`,
  );
  const file = ['nom;prenom;email;nom_stage;date_debut;date_fin', ...lines].join('\n');
  return form({ file: [Buffer.from(file), 'liste.csv'] });
};

describe.runIf(disk)('With a full disk', () => {
  /** `isFile`: a file of the site has to be written, whichever the database. */
  test.each<
    [string, { table: Parameters<typeof rows>[0]; isFile?: boolean; act: () => Promise<{ status: number }> }]
  >([
    [
      'a stay is not added',
      {
        table: 'stages',
        act: () =>
          call('POST /stages', { nom_stage: 'Neige', date_debut: '2027-02-01', date_fin: '2027-02-08' }),
      },
    ],
    [
      'a mailing is not written',
      {
        table: 'envois',
        act: () => call('POST /stages/envoi-mots-de-passe', { type: 'stagiaire', stageIds: [stay] }),
      },
    ],
    [
      'an import is not begun',
      { table: 'stagiaires', isFile: true, act: () => call('POST /upload', families(1_000)) },
    ],
    [
      'a contact message is not taken',
      {
        table: 'messages_contact',
        act: () =>
          site.call('POST /contact', { body: { nom: 'Ana', email: 'ana@exemple.fr', message: 'Bonjour.' } }),
      },
    ],
  ])('%s, and is once there is space', async (_, { table, isFile = false, act }) => {
    const before = await rows(table);
    await fill();
    const isRefused = isSqlite || isFile;
    const { status } = await act();
    expect(status === 507).toBe(isRefused);
    if (isRefused) expect(await rows(table)).toBe(before);
    expect((await call('GET /stages')).status).toBe(200);
    disk?.empty();
    if (isRefused) expect((await act()).status).toBeLessThan(300);
    expect(await rows(table)).toBeGreaterThan(before);
    await site.jobs.idle();
  });

  test('staff, directors and families sign in, and what hides, takes away, locks or erases is done', async () => {
    const other = await addStay(site.services, 'Neige à Métabief');
    const [shown, hidden, refused] = await addPhotos(site.services, other, 3);
    await addFamilies(site.services, other, ['loin@exemple.fr']);
    const [passwords] = (await call(`GET /stage-passwords/${other}`)).json as Record<string, string>[];
    await fill();
    const signIn = async (password: string | undefined) => {
      const answer = await site.call('POST /auth/login', { body: { stageId: other, password } });
      expect(answer.status).toBe(200);
      return (answer.json as { token: string }).token;
    };
    const done = async (what: string, token: string, body?: unknown) => {
      const { status, json } = await site.call(what, { token, body });
      expect([what, status, JSON.stringify(json)]).toEqual([what, 200, expect.anything()]);
    };
    for (let time = 0; time < 20; time++) {
      const answer = await site.call('POST /loginAdmin', { body: ADMIN });
      expect(answer.status).toBe(200);
    }
    const asDirector = await signIn(passwords?.mdp_formateur);
    const asFamily = await signIn(passwords?.mdp_stagiaire);
    await done(`POST /photos/${hidden}/retrait`, asFamily, {});
    await done('PATCH /photos', asDirector, { ids: [refused], statut: 'refusee' });
    await done(`DELETE /photos/${shown}`, asDirector);
    await done(`POST /stage-passwords/${other}/regenerer`, token, { type: 'stagiaire' });
    await done('POST /rgpd/effacer', token, { email: 'loin@exemple.fr', confirmation: 'loin@exemple.fr' });
    await done('POST /photos/effacer', token, { ids: [hidden] });
    await done(`DELETE /stages/${other}`, token);
    expect((await call('GET /stages')).status).toBe(200);
  });

  test('nothing is erased that the file of erasures cannot be told of', async () => {
    const [photo] = await addPhotos(site.services, stay, 1);
    // What others took, and until the last page of the file is full.
    rmSync(join(site.services.config.DATA_DIR, 'effacements.place'), { force: true });
    await fill();
    const unknown = { email: 'x@exemple.fr', confirmation: 'x@exemple.fr' };
    while ((await call('POST /rgpd/effacer', unknown)).status !== 507) disk?.fill(0);
    const before = [await rows('stagiaires'), await rows('photos')] as const;
    const erase = { email: 'f0@exemple.fr', confirmation: 'f0@exemple.fr' };
    expect((await call('POST /rgpd/effacer', erase)).status).toBe(507);
    expect((await call('POST /photos/effacer', { ids: [photo] })).status).toBe(507);
    expect([await rows('stagiaires'), await rows('photos')]).toEqual(before);
    disk?.empty();
    expect((await call('POST /rgpd/effacer', erase)).status).toBe(200);
    expect((await call('POST /photos/effacer', { ids: [photo] })).status).toBe(200);
    expect([await rows('stagiaires'), await rows('photos')]).toEqual([before[0] - 1, before[1] - 1]);
  });

  test('a photo whose last byte came is not answered for, and is there once its end is asked for again', async () => {
    const sender = { origin: site.origin, token, stageId: stay };
    const bytes = await corners(1);
    const path = (await create(sender, bytes)).headers.get('location') ?? '';
    expect((await patch(sender, path, bytes, 0, bytes.length - 1)).status).toBe(204);
    await fill();
    expect((await patch(sender, path, bytes, bytes.length - 1)).status).toBe(507);
    expect(await rows('photos')).toBe(0);
    disk?.empty();
    expect((await patch(sender, path, bytes, bytes.length - 1)).status).toBe(204);
    expect(await rows('photos')).toBe(1);
    site.advance(60_000);
    await site.jobs.idle();
    const [row] = await site.services.database.db.selectFrom('photos').select('statut').execute();
    expect(row?.statut).toBe('a_verifier');
  });

  test('those who run the site are told by the usual mail', async () => {
    receiver.received.length = 0;
    await fill();
    site.advance(60 * 60_000);
    await site.schedule.tick();
    await site.jobs.idle();
    expect(receiver.received.map(({ to }) => to)).toEqual([['technique@exemple.fr']]);
    expect(receiver.received[0]?.mail.text).toMatch(
      // What the site kept for it is given back.
      /Le disque du site est presque plein\u202f: il en reste [0-5]\u202f%/,
    );
  });

  test.runIf(isSqlite)(
    'they are told at once, and once a day, where the database has no room left',
    async () => {
      receiver.received.length = 0;
      const told = () =>
        receiver.received.map(({ to, mail }) => [to, /disque du site est plein/.test(mail.text ?? '')]);
      fillWithRoom();
      site.advance(5 * 60_000);
      for (let turn = 0; turn < 3; turn++) await site.schedule.tick();
      expect(told()).toEqual([[['technique@exemple.fr'], true]]);
      site.advance(24 * 60 * 60_000);
      await site.schedule.tick();
      expect(told()).toHaveLength(2);
      disk?.empty();
      await site.schedule.tick();
      await site.jobs.idle();
    },
  );

  test('a mail that has left meanwhile is not sent twice', async () => {
    const address = 'dernier@exemple.fr';
    await addFamilies(site.services, stay, [address]);
    const state = async () => (await statesOf(site.services))[address]?.etat;
    receiver.received.length = 0;
    receiver.answer = () => {
      fillWithRoom();
      return undefined;
    };
    await queueCodes(site.services, [{ address, stageId: stay }]);
    const sending = site.jobs.idle();
    await expect.poll(() => receiver.received.length).toBe(1);
    if (isSqlite) {
      await expect
        .poll(() => site.logLines.filter((line) => line.includes('job queue unreachable')).length)
        .toBeGreaterThan(0);
      expect(await state()).toBe('envoi');
    }
    disk?.empty();
    await sending;
    expect([await state(), receiver.received.length]).toEqual(['envoye', 1]);
  });
});

const another = mountDisk(80);
afterAll(() => another?.remove());

test.runIf(another && isSqlite)(
  'A site whose disk others filled starts, staff sign in, nothing else is taken, and the room is kept anew',
  async () => {
    const env = { DATA_DIR: join(another?.directory ?? '', 'data') };
    await (await openSite({ env })).close();
    another?.fill(0);
    const again = await openSite({ env });
    try {
      const { status, json } = await again.call('POST /loginAdmin', { body: ADMIN });
      expect(status).toBe(200);
      const body = { nom_stage: 'La mer', date_debut: '2026-07-01', date_fin: '2026-07-14' };
      const token = (json as { tokenAdmin: string }).tokenAdmin;
      expect((await again.call('POST /stages', { token, body })).status).toBe(507);
      expect(existsSync(join(env.DATA_DIR, 'reserve'))).toBe(false);
      another?.empty();
      expect((await again.call('POST /stages', { token, body })).status).toBeLessThan(300);
      await again.services.database.room?.keep();
      expect(existsSync(join(env.DATA_DIR, 'reserve'))).toBe(true);
    } finally {
      await again.close();
    }
  },
);
