import type { Insertable, Selectable } from 'kysely';
import type { Accepted } from '#features/photos/server/prepare.ts';
import { ATTESTATION_FORM } from '#features/photos/shared/terms.ts';
import type { Stay } from '#features/stays/server/staysStore.ts';
import { SITE, signature } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { dayAt } from '#platform/shared/time.ts';

/*
 * What is remembered of the example: a record for each item that is to come or has come, which goes when the
 * item is taken out. The key is unique, so that no item comes twice.
 */

export type ExampleRecord = Pick<Tables['exemples'], 'cle' | 'objet' | 'objet_id'>;

const COLUMNS = ['cle', 'objet', 'objet_id'] as const;

/** Records the items that are to come, but for those that have a record already. */
export async function planItems(db: Access, items: readonly { cle: string; table: string }[]): Promise<void> {
  await db
    .insertInto('exemples')
    .values(items.map(({ cle, table }) => ({ cle, objet: table, objet_id: null })))
    .onConflict((clash) => clash.column('cle').doNothing())
    .execute();
}

/** In the order of the example. */
export async function listRecords(db: Access): Promise<ExampleRecord[]> {
  return db.selectFrom('exemples').select(COLUMNS).orderBy('id').execute();
}

/** The same, held until the end of the transaction. */
export async function listRecordsToChange(database: Database, transaction: Access): Promise<ExampleRecord[]> {
  return transaction
    .selectFrom('exemples')
    .select(COLUMNS)
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
}

export async function findRecord(db: Access, cle: string): Promise<ExampleRecord | undefined> {
  return db.selectFrom('exemples').select(COLUMNS).where('cle', '=', cle).executeTakeFirst();
}

/** False when the item is not awaited: it has come already, or is wanted no longer. */
export async function markInPlace(db: Access, cle: string, id: number): Promise<boolean> {
  const updated = await db
    .updateTable('exemples')
    .set({ objet_id: id })
    .where('cle', '=', cle)
    .where('objet_id', 'is', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** The record of an item that is not in place. */
export async function deleteAwaited(db: Access, cle: string): Promise<void> {
  await db.deleteFrom('exemples').where('cle', '=', cle).where('objet_id', 'is', null).execute();
}

export async function deleteRecord(db: Access, cle: string): Promise<void> {
  await db.deleteFrom('exemples').where('cle', '=', cle).execute();
}

/* Rows of stays and photos that no form of staff writes. */

/** The site’s own confirmation that the families of a stay agree to photos. */
const ownAttestation = { formulaire: ATTESTATION_FORM, acteur: signature(SITE).acteur };

export async function insertOwnAttestation(
  transaction: Access,
  stay: Pick<Insertable<Tables['attestations']>, 'stage_id' | 'nom_stage' | 'date_debut' | 'date_fin'>,
  now: Date,
): Promise<void> {
  const values = { ...stay, ...ownAttestation, atteste_le: now.toISOString() };
  await transaction.insertInto('attestations').values(values).execute();
}

export async function deleteOwnAttestation(transaction: Access, stageId: number): Promise<void> {
  await transaction
    .deleteFrom('attestations')
    .where('stage_id', '=', stageId)
    .where('acteur', '=', ownAttestation.acteur)
    .execute();
}

/**
 * Whether a stay is as the site added it: nobody changed it, its children, review or days, and it has no directors,
 * photos, photo confirmations or evaluations by families.
 */
export async function isStayUntouched(
  db: Access,
  { id, version, created_at }: Stay,
  timeZone: string,
): Promise<boolean> {
  if (version !== 1) return false;
  const ofStay = (
    table: 'stagiaires' | 'bilans' | 'jours' | 'affectations' | 'photos' | 'attestations' | 'livrets',
  ) =>
    db
      .selectFrom(table as 'stagiaires')
      .select('stage_id')
      .where('stage_id', '=', id)
      .limit(1);
  const changes = [
    ...(['stagiaires', 'bilans', 'jours'] as const).map((table) =>
      ofStay(table).where('modifie_le', '>', created_at),
    ),
    ...(['affectations', 'photos', 'attestations', 'livrets'] as const).map(ofStay),
    // Those of the example are dated from the end of their stay, which was over when the site added it.
    db
      .selectFrom('evaluations')
      .select('stage_id')
      .where('stage_id', '=', id)
      .where('jour', '>=', dayAt(new Date(created_at), timeZone))
      .limit(1),
  ];
  for (const change of changes) if (await change.executeTakeFirst()) return false;
  return true;
}

export function findPhoto(db: Access, id: number) {
  return db
    .selectFrom('photos')
    .select(['stage_id', 'created_at', 'modifie_le'])
    .where('id', '=', id)
    .executeTakeFirst();
}

type OwnPhoto = Pick<
  Selectable<Tables['photos']>,
  'stage_id' | 'empreinte' | 'numero' | 'statut' | 'legende' | 'prise_le'
>;

/** Adds a photo whose files are made, with the decision on it; returns its id. */
export async function insertPhoto(
  transaction: Access,
  photo: OwnPhoto,
  { made, nom, files }: Accepted,
  now: Date,
): Promise<number> {
  const at = now.toISOString();
  const { id } = await transaction
    .insertInto('photos')
    .values({
      ...photo,
      jour: photo.prise_le.slice(0, 10),
      rang: photo.prise_le,
      nom,
      version: 'complete',
      a_jpeg: 1,
      a_480: 1,
      apercu: made.placeholder,
      largeur: made.sizes[0]?.width ?? 0,
      hauteur: made.sizes[0]?.height ?? 0,
      octets: files.reduce((sum, { taille }) => sum + taille, 0),
      publiee_le: photo.statut === 'publiee' || photo.statut === 'retiree' ? at : null,
      created_at: at,
      modifie_le: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A family’s request for the removal of a photo; no sign-in has made it. */
export async function insertRemoval(
  transaction: Access,
  photo_id: number,
  mot: string,
  now: Date,
): Promise<void> {
  const values = { photo_id, session_id: 0, mot, created_at: now.toISOString() };
  await transaction.insertInto('photos_retraits').values(values).execute();
}
