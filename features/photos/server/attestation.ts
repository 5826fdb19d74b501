import { journal } from '#features/audit/server/journal.ts';
import { ATTESTATION, ATTESTATION_FORM } from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStays.ts';
import { signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { holdPhotoStay } from './core/seen.ts';
import { findAttestation } from './store.ts';

/** That somebody confirms, before the first photo of a stay is published, that its families agree to photos. */
export function attestationHandlers(services: Services) {
  const { database, clock } = services;
  return {
    'POST /stages/:id/attestation': async ({ params: { id }, ...context }) => {
      const attestation = await database.write(async (transaction) => {
        // Held, so that two who confirm at once make one proof.
        const stay = await holdPhotoStay(services, transaction, context.session, id);
        await requirePhotos(services, transaction, stay);
        const { nom_stage, date_debut, date_fin } = stay;
        const known = await findAttestation(transaction, id);
        if (known) return known;
        const now = clock();
        const proof = {
          formulaire: ATTESTATION_FORM,
          atteste_le: now.toISOString(),
          acteur: signature(context).acteur,
        };
        await transaction
          .insertInto('attestations')
          .values({ stage_id: id, nom_stage, date_debut, date_fin, ...proof })
          .execute();
        const action = 'attestation des autorisations de droit à l’image';
        await journal(transaction, context, now, action, { table: 'stages', id });
        return proof;
      });
      return { message: 'Attestation enregistrée', attestation };
    },
  } satisfies Partial<Handlers>;
}

/** Throws 409 with what is to be confirmed first, until somebody has. */
export async function requireAttestation(db: Access, stageId: number): Promise<void> {
  if (await findAttestation(db, stageId)) return;
  throw conflict(`Avant la première publication, confirmez ceci\u202f: «\u00a0${ATTESTATION}\u00a0».`, {
    attestation: true,
  });
}
