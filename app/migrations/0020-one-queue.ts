import { sql } from 'kysely';
import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/**
 * Messages wait as jobs, in a queue of their own beside those of photos and of everything else: what the sender kept of
 * its work in each message (priority, provider, lease, next try) moves to the job that sends it.
 */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  const jobs = () => db.schema.alterTable('jobs');
  await jobs()
    .addColumn('file', 'text', (column) => column.notNull().defaultTo('others'))
    .execute();
  await jobs()
    .addColumn('voie', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await jobs()
    .addColumn('message_id', idColumn, (column) =>
      column.references('envois_messages.id').onDelete('cascade'),
    )
    .execute();
  await sql`update jobs set file = 'photos' where nom = 'prepare-photo'`.execute(db);
  await sql`
    insert into jobs (nom, file, voie, message_id, charge, essais, rang, a_faire_le, created_at)
    select 'send-mail', 'mails', voie, id, '{"id":' || id || '}', essais, rang, a_envoyer_le, attend_depuis
    from envois_messages where etat in ('attente', 'envoi') order by id`.execute(db);
  await sql`update envois_messages set etat = 'attente' where etat = 'envoi'`.execute(db);

  await db.schema.dropIndex('envois_messages_file').execute();
  for (const column of ['voie', 'rang', 'a_envoyer_le', 'pris_jusqua'])
    await db.schema.alterTable('envois_messages').dropColumn(column).execute();
  await db.schema
    .createIndex('envois_messages_attente')
    .on('envois_messages')
    .columns(['etat', 'attend_depuis'])
    .execute();
  await db.schema.dropIndex('jobs_rang').execute();
  await db.schema.createIndex('jobs_file').on('jobs').columns(['file', 'rang', 'a_faire_le', 'id']).execute();
  await db.schema.createIndex('jobs_message').unique().on('jobs').column('message_id').execute();
}
