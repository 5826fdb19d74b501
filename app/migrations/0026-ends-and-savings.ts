import type { Schema } from '#platform/server/db/migration.ts';

const COLUMNS = [
  ['events', 'fin'],
  ['events', 'lien_plan'],
  ['events', 'lien_inscription'],
  ['avantage', 'economie'],
] as const;

/** When an event ends, where it is on a map and where one registers; what a benefit saves. Blank: unsaid. */
export async function up(db: Schema): Promise<void> {
  for (const [table, column] of COLUMNS) {
    await db.schema
      .alterTable(table)
      .addColumn(column, 'text', (one) => one.notNull().defaultTo(''))
      .execute();
  }
}
