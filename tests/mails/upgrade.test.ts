import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate, migrateIn } from '#app/migrations/migrate.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { newDatabase } from '#tests/support/site.ts';

/* Messages that waited in a queue of their own, before they were jobs. */

const AT = '2026-06-20T09:00:00.000Z';
const LATER = '2026-06-20T10:00:00.000Z';
const SENT = '2026-06-20T08:00:00.000Z';

test('messages that wait or are under way when the site is upgraded become jobs, with what the sender knew of them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-upgrade-'));
  const postgres = await newDatabase();
  const database = openDatabase({ url: postgres?.url, directory });
  await database.write((transaction) => migrateIn(transaction, database.engine, '0018-import-undo'));
  await database.write(async (db) => {
    await sql`insert into envois (genre, cle, contenu, acteur, created_at)
      values ('codes', 'k', '', 'Alice', ${AT})`.execute(db);
    const rows = [
      ['a@orange.fr', 'orange', 1, 'attente', 3, LATER, null],
      ['b@exemple.fr', 'autres', 0, 'envoi', 1, AT, LATER],
      ['c@exemple.fr', 'autres', 1, 'envoye', 1, AT, null],
      ['d@exemple.fr', 'autres', 1, 'echec', 12, AT, null],
    ] as const;
    for (const [address, voie, rang, etat, essais, due, lease] of rows)
      await sql`insert into envois_messages (envoi_id, destinataire, cle_destinataire, voie, rang, etat, essais,
          attend_depuis, a_envoyer_le, pris_jusqua, created_at, termine_le)
        select id, ${address}, ${address}, ${voie}, ${rang}, ${etat}, ${essais}, ${SENT}, ${due}, ${lease}, ${AT}, null
        from envois`.execute(db);
    for (const nom of ['prepare-photo', 'read-minutes'])
      await sql`insert into jobs (nom, charge, a_faire_le, created_at)
        values (${nom}, '{"id":1}', ${AT}, ${AT})`.execute(db);
  });
  await migrate(database);
  const { db } = database;
  const jobs = await db.selectFrom('jobs').selectAll().orderBy('id').execute();
  const messages = await db.selectFrom('envois_messages').selectAll().orderBy('id').execute();
  const idOf = (address: string) => messages.find(({ destinataire }) => destinataire === address)?.id;
  const common = { pris_jusqua: null, erreur: null };
  expect(jobs.map(({ id: _id, ...job }) => job)).toMatchObject([
    { ...common, nom: 'prepare-photo', file: 'photos', message_id: null },
    { ...common, nom: 'read-minutes', file: 'others', message_id: null },
    {
      ...common,
      nom: 'send-mail',
      file: 'mails',
      voie: 'orange',
      rang: 1,
      essais: 3,
      a_faire_le: LATER,
      created_at: SENT,
      message_id: idOf('a@orange.fr'),
      charge: JSON.stringify({ id: idOf('a@orange.fr') }),
    },
    { ...common, nom: 'send-mail', file: 'mails', rang: 0, essais: 1, message_id: idOf('b@exemple.fr') },
  ]);
  expect(messages.map(({ etat }) => etat)).toEqual(['attente', 'attente', 'envoye', 'echec']);
  await database.write((transaction) => transaction.deleteFrom('envois').execute());
  expect(await db.selectFrom('jobs').select('nom').where('file', '=', 'mails').execute()).toEqual([]);
  await database.close();
  await postgres?.drop();
  rmSync(directory, { recursive: true });
});
