import type { Schema } from '#platform/server/db/migration.ts';

/** One job puts items of the example in and takes them out: its payload says which. */
export async function up(db: Schema): Promise<void> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'nom', 'charge'])
    .where('nom', 'in', ['example-in', 'example-out'])
    .execute();
  for (const { id, nom, charge } of jobs) {
    const payload = { ...JSON.parse(charge), isComing: nom === 'example-in' };
    const values = { nom: 'example', charge: JSON.stringify(payload) };
    await db.updateTable('jobs').set(values).where('id', '=', id).execute();
  }
}
