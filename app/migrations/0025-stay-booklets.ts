import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Booklets of one stay; those without a stay are for all, as every booklet was. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('livrets')
    .addColumn('stage_id', idColumnType(engine), (column) =>
      column.references('stages.id').onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('livrets_stage').on('livrets').column('stage_id').execute();
}
