import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** What was decided on each removal request, for the family that asked; it outlives the photo and the request. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await db.schema
    .createTable('photos_reponses')
    // Neither is a reference: both are erased with the photo.
    .addColumn('retrait_id', idColumn, (column) => column.primaryKey())
    .addColumn('photo_id', idColumn, (column) => column.notNull())
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('session_id', idColumn, (column) => column.notNull())
    .addColumn('demande_le', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('reponse', 'text', (column) => column.notNull())
    .addColumn('decide_le', 'text', (column) => column.notNull())
    .addColumn('lue_le', 'text')
    .execute();
  await db.schema
    .createIndex('photos_reponses_session')
    .on('photos_reponses')
    .columns(['session_id', 'lue_le'])
    .execute();
  await db.schema.createIndex('photos_reponses_photo').on('photos_reponses').column('photo_id').execute();
  await db.schema.createIndex('photos_reponses_stage').on('photos_reponses').column('stage_id').execute();
  // Decided before the site told families: nobody is told now, but showing such a photo again is asked about as well.
  await db
    .insertInto('photos_reponses')
    .columns([
      ...['retrait_id', 'photo_id', 'stage_id', 'session_id', 'demande_le'],
      ...['decision', 'reponse', 'decide_le', 'lue_le'],
    ])
    .expression(
      db
        .selectFrom('photos_retraits')
        .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
        .select(['photos_retraits.id', 'photo_id', 'stage_id', 'session_id', 'photos_retraits.created_at'])
        .select(({ eb, val }) => [
          eb.case().when('statut', '=', 'publiee').then('gardee').else('retiree').end().as('decision'),
          val('').as('reponse'),
          'traite_le as decide_le',
          'traite_le as lue_le',
        ])
        .where('traite_le', 'is not', null),
    )
    .execute();
}
