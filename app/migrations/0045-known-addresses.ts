import { sql } from 'kysely';
import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Since when an address may be sent the codes of a stay. Those that are there are known. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await db.schema
    .createTable('destinataires')
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('stage_id', idColumnType(engine), (column) =>
      column.notNull().references('stages.id').onDelete('cascade'),
    )
    .addColumn('adresse', 'text', (column) => column.notNull())
    .addColumn('depuis', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('destinataires_cle', ['type', 'stage_id', 'adresse'])
    .execute();
  await sql`
    insert into destinataires (type, stage_id, adresse, depuis)
    select 'stagiaire', stage_id, lower(email), '' from stagiaires where email <> ''
    union select 'stagiaire', stage_id, lower(email_2), '' from stagiaires where email_2 <> ''
    union select 'formateur', stage_id, lower(mail), '' from affectations
      join formateurs on formateurs.id = affectations.formateur_id where mail <> ''`.execute(db);
}
