import type { Access } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { notFound } from '#platform/server/errors.ts';

/* Proofs of erasures. */

export async function insertProof(
  transaction: Access,
  proof: Omit<Tables['preuves_effacement'], 'id'>,
): Promise<void> {
  await transaction.insertInto('preuves_effacement').values(proof).execute();
}

/** The proofs of an address, the newest first. */
export function listProofs(db: Access, empreinte: string) {
  const proofs = db.selectFrom('preuves_effacement').select(['id', 'contenu']);
  return proofs.where('empreinte', '=', empreinte).orderBy('id', 'desc').execute();
}

export function getProof(db: Access, id: number) {
  const proofs = db.selectFrom('preuves_effacement').selectAll().where('id', '=', id);
  return proofs.executeTakeFirstOrThrow(() => notFound('Cette preuve n’existe pas, ou plus.'));
}

/** Deletes the proofs written before an instant. */
export async function deleteErasureProofs(transaction: Access, before: Date): Promise<void> {
  await transaction.deleteFrom('preuves_effacement').where('instant', '<', before.toISOString()).execute();
}
