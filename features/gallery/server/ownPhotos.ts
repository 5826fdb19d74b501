import { journal } from '#features/audit/server/journal.ts';
import { DECIDED_BY } from '#features/checking/server/decisions.ts';
import { erasePhotos, numberChange } from '#features/photos/server/changesStore.ts';
import { notifyPhotos } from '#features/photos/server/live.ts';
import { makePhoto, replaceFiles } from '#features/photos/server/prepare.ts';
import { putRemoval } from '#features/photos/server/removalsStore.ts';
import { changePhotos, insertPhoto, updatePhoto } from '#features/photos/server/states.ts';
import { findPhoto, type PhotoRow } from '#features/photos/server/store.ts';
import { type Decision, PHOTO_STATES } from '#features/photos/shared/states.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import { eraseUnregistered, tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';

/* Photos that the site itself adds to a stay, for the example, and takes out again. */

interface OwnPhoto {
  stageId: number;
  /** Capture time, as on the clock of a camera. */
  prise_le: string;
  legende: string;
  decision: Decision;
  /** The message of a family that asks for its removal, which hides it; blank: none does. */
  retrait: string;
}

/** The session of those who never signed in. */
const NOBODY = { id: 0 };

/**
 * Adds a photo by the steps of one that somebody sends: received, prepared and decided on, in one transaction. Throws
 * 409 where the stay is gone.
 */
export async function addOwnPhoto(
  services: Services,
  file: { path: string; sha256: string },
  photo: OwnPhoto,
  alongside: (transaction: Access, id: number) => Promise<void>,
): Promise<void> {
  const { database, storage, clock } = services;
  const accepted = await makePhoto(services, file.path, { id: 0, version: 'complete' });
  if ('refus' in accepted) throw new Error(accepted.refus);
  try {
    await database.write(async (transaction) => {
      const now = clock();
      const stay = await findStayToChange(database, transaction, photo.stageId);
      if (!stay) throw conflict('Le séjour de cette photo n’est pas là.');
      const { prise_le, legende, decision, retrait } = photo;
      const isShown = decision === 'publiee' && retrait === '';
      const numero = await numberChange(transaction, stay.id, isShown);
      const at = now.toISOString();
      const id = await insertPhoto(transaction, {
        stage_id: stay.id,
        empreinte: file.sha256,
        version: 'complete',
        jour: prise_le.slice(0, 10),
        prise_le,
        rang: prise_le,
        legende,
        numero,
        created_at: at,
        modifie_le: at,
      });
      const received = (await findPhoto(transaction, id)) as PhotoRow;
      const files = accepted.files.map((one) => ({ ...one, objet_id: id }));
      const shown = await replaceFiles(transaction, received, { ...accepted, files });
      await updatePhoto(transaction, received, shown, 'prepare');
      await changePhotos(transaction, [id], { transition: DECIDED_BY[decision], numero }, now);
      if (retrait !== '') {
        await putRemoval(transaction, NOBODY, { photo_id: id, mot: retrait, a_masque: 1 }, now);
        await changePhotos(transaction, [id], { transition: 'hideOnRequest', numero }, now);
      }
      await journal(transaction, SITE, now, 'création', { table: 'photos', id });
      await alongside(transaction, id);
    });
  } finally {
    // Erases the files of a failed write; after a successful one, all are registered and stay.
    await eraseUnregistered(database, storage, accepted.files);
  }
  notifyPhotos(services, photo.stageId);
}

/**
 * Erases a photo that the site added, unless somebody changed it otherwise than by throwing it away; `alongside` is run
 * either way.
 */
export async function removeOwnPhoto(
  services: Services,
  id: number,
  alongside: (transaction: Access) => Promise<void>,
): Promise<void> {
  const { database, clock } = services;
  const stageId = await database.write(async (transaction) => {
    await alongside(transaction);
    const found = await findPhoto(transaction, id);
    if (!found) return undefined;
    await findStayToChange(database, transaction, found.stage_id);
    // Read again: somebody may have changed it before the stay was locked.
    const photo = await findPhoto(transaction, id);
    if (!photo || (photo.modifie_le !== photo.created_at && !PHOTO_STATES[photo.statut].isInBin))
      return undefined;
    await erasePhotos(transaction, photo.stage_id, [id], clock());
    await journal(transaction, SITE, clock(), 'effacement', { table: 'photos', id });
    return photo.stage_id;
  });
  await tryEraseCondemned(services);
  if (stageId !== undefined) notifyPhotos(services, stageId);
}
