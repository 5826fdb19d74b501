import { sql } from 'kysely';
import type { Schema } from '#platform/server/db/migration.ts';

/** What the portal's first page asks of all stays, and what is known of an address, found without reading all there is. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createIndex('photos_a_voir')
    .on('photos')
    .columns(['stage_id', 'statut', 'modifie_le'])
    .where(sql.ref('statut'), 'in', ['recue', 'a_verifier'])
    .execute();
  await db.schema
    .createIndex('photos_retraits_a_decider')
    .on('photos_retraits')
    .columns(['photo_id', 'created_at'])
    .where(sql.ref('traite_le'), 'is', null)
    .execute();
  for (const column of ['email', 'email_2']) {
    await db.schema
      .createIndex(`stagiaires_${column}`)
      .on('stagiaires')
      .expression(sql`lower(${sql.ref(column)})`)
      .execute();
  }
  // Takes the place of the index of the stay alone.
  await db.schema
    .createIndex('envois_messages_stage')
    .on('envois_messages')
    .columns(['stage_id', 'etat', 'mdp_empreinte'])
    .execute();
  await db.schema.dropIndex('envois_messages_stage_id').execute();
}
