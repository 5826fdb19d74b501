import type { NotNull } from 'kysely';
import type { Consents } from '#features/stays/server/familiesStore.ts';
import type { Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';

/* Attestations that the families of stays agree to photos, and the proofs that they become. */

/** The attestation that a stay's photos may be published; undefined while nobody has given it. */
export function findAttestation(db: Access, stageId: number) {
  return db
    .selectFrom('attestations')
    .select(['formulaire', 'atteste_le', 'acteur'])
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is', null)
    .executeTakeFirst();
}

/** The last attestation whose photos were erased, with the counts made at that time; null when there is none. */
export async function findProof(db: Access, stageId: number) {
  const row = await db
    .selectFrom('attestations')
    .select(['formulaire', 'atteste_le', 'acteur', 'oui', 'non', 'inconnu', 'photos', 'efface_le'])
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is not', null)
    .orderBy('id', 'desc')
    // Written together.
    .$narrowType<{ oui: NotNull; non: NotNull; inconnu: NotNull; efface_le: NotNull }>()
    .executeTakeFirst();
  return row ? { ...row, photos: row.photos ?? 0 } : null;
}

export async function insertAttestation(
  transaction: Access,
  { id, nom_stage, date_debut, date_fin }: Pick<Stay, 'id' | 'nom_stage' | 'date_debut' | 'date_fin'>,
  given: Pick<Tables['attestations'], 'formulaire' | 'atteste_le' | 'acteur'>,
): Promise<void> {
  await transaction
    .insertInto('attestations')
    .values({ stage_id: id, nom_stage, date_debut, date_fin, ...given })
    .execute();
}

/** Deletes what somebody attested of a stay; `acteur`: how `signature` names them. */
export async function deleteAttestations(
  transaction: Access,
  stageId: number,
  acteur: string,
): Promise<void> {
  await transaction
    .deleteFrom('attestations')
    .where('stage_id', '=', stageId)
    .where('acteur', '=', acteur)
    .execute();
}

export async function addErasedPhotos(transaction: Access, stageId: number, count: number): Promise<void> {
  await transaction
    .updateTable('attestations')
    .set(({ eb, fn, val }) => ({ photos: eb(fn.coalesce('photos', val(0)), '+', count) }))
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is', null)
    .execute();
}

/** Turns the attestation of a stay whose children are being erased into a proof without names. */
export async function completeProof(
  transaction: Access,
  stageId: number,
  { oui, non, inconnu }: Consents,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('attestations')
    .set({ oui, non, inconnu, efface_le: now.toISOString() })
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is', null)
    .execute();
}
