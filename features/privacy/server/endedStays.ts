import { journal } from '#features/audit/server/journal.ts';
import { completeProof } from '#features/photos/server/attestationsStore.ts';
import { eraseNextPhotos } from '#features/photos/server/erasures.ts';
import { dropUploads, uploadsTo } from '#features/photos/server/uploadsStore.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { type Consents, countConsents } from '#features/stays/server/familiesStore.ts';
import { arePhotosOver, findStayToChange } from '#features/stays/server/staysStore.ts';
import { CONSENTS, type Consent } from '#features/stays/shared/terms.ts';
import { SITE } from '#platform/server/actor.ts';
import { eachAlone } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/open.ts';
import { tryEraseCondemned } from '#platform/server/files/register.ts';
import { endSessions } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, dayAt } from '#platform/shared/time.ts';

/*
 * Erasure of ended stays. Once the photos of a stay are over, they are erased with its families and passwords, which
 * nobody needs any more. The stay, its directors, and their and the families' evaluations of it remain.
 */

/**
 * Milliseconds between the moment when the site first finds the photos of a stay over and their erasure, so that a
 * mistyped year or a wrong clock can be corrected. A change of the stay, or of the retention of photos, restarts it.
 */
const SECOND_THOUGHTS_MS = DAY_MS;

/**
 * Notes the stays that have ended since the last run, and erases those whose delay has passed, one after the other. A
 * failure holds no other stay up.
 */
export async function eraseEndedStays(services: Services): Promise<void> {
  const { database, clock } = services;
  await database.write((transaction) => markEnded(services, transaction));
  const ended = await database.db
    .selectFrom('stages')
    .select('id')
    .where('efface_le', 'is', null)
    .where('fini_le', '<=', settledBefore(clock()))
    .orderBy('id')
    .execute();
  await eachAlone(ended, ({ id }) => eraseStay(services, id));
}

function settledBefore(now: Date): string {
  return new Date(now.getTime() - SECOND_THOUGHTS_MS).toISOString();
}

/** Records since when the photos of stays are over, and clears it for those whose photos are no longer over. */
async function markEnded({ database, config, clock }: Services, transaction: Access): Promise<void> {
  const now = clock();
  const settings = await readSettings(transaction, config);
  const stays = await transaction
    .selectFrom('stages')
    .selectAll()
    .where('efface_le', 'is', null)
    .where((where) =>
      where.or([where('date_fin', '<', dayAt(now, config.TIME_ZONE)), where('fini_le', 'is not', null)]),
    )
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
  const at = now.toISOString();
  for (const stay of stays) {
    // An instant in the future was written by a clock that ran ahead, and does not count.
    const isMarked = stay.fini_le !== null && stay.fini_le <= at;
    const isOver = arePhotosOver(stay, settings, config, now);
    if (isOver === isMarked && (isOver || stay.fini_le === null)) continue;
    await transaction
      .updateTable('stages')
      .set({ fini_le: isOver ? at : null })
      .where('id', '=', stay.id)
      .execute();
  }
}

/** Erases a stay in small transactions, each followed by its files: after a crash, the next run does the rest. */
async function eraseStay(services: Services, id: number): Promise<void> {
  let isDone = false;
  while (!isDone) {
    isDone = await services.database.write((transaction) => eraseNext(services, transaction, id));
    await tryEraseCondemned(services);
  }
}

/** Erases the next photos of a stay, or its people once no photos are left; returns whether all is erased. */
async function eraseNext(services: Services, transaction: Access, id: number): Promise<boolean> {
  const { database, config, clock } = services;
  const now = clock();
  const stay = await findStayToChange(database, transaction, id);
  // Checked again: the stay may have been deleted, erased or given more time since it was found.
  if (!stay || stay.efface_le !== null || stay.fini_le === null) return true;
  if (stay.fini_le > settledBefore(now)) return true;
  if (!arePhotosOver(stay, await readSettings(transaction, config), config, now)) return true;
  // Uploads under way are no longer accepted.
  await dropUploads(database, transaction, uploadsTo(id));
  const count = await eraseNextPhotos(transaction, id, now);
  if (count > 0) {
    const action = `effacement de photos d’un séjour terminé (${count})`;
    await journal(transaction, SITE, now, action, { table: 'stages', id });
    return false;
  }
  await erasePeople(transaction, id, now);
  return true;
}

async function erasePeople(transaction: Access, id: number, now: Date): Promise<void> {
  const consents = await countConsents(transaction, id);
  await completeProof(transaction, id, consents, now);
  await transaction.deleteFrom('jours').where('stage_id', '=', id).execute();
  await transaction.deleteFrom('photos_selections').where('stage_id', '=', id).execute();
  await transaction.deleteFrom('stagiaires').where('stage_id', '=', id).execute();
  // Undo data of imports; that of families was erased with them. Imports under way have no effect.
  await transaction.deleteFrom('imports_sejours').where('stage_id', '=', id).execute();
  await endSessions(transaction, { stageId: id });
  await transaction
    .updateTable('stages')
    .set({ mdp_formateur: '', mdp_stagiaire: '', efface_le: now.toISOString() })
    .where('id', '=', id)
    .execute();
  const action = `effacement des familles d’un séjour terminé (${said(consents)})`;
  await journal(transaction, SITE, now, action, { table: 'stages', id });
}

/** « 45 enfants : 40 oui, 3 non, 2 inconnu »: numbers of children by image consent, without names. */
function said(consents: Consents): string {
  const parts = (Object.keys(CONSENTS) as Consent[]).flatMap((consent) =>
    consents[consent] > 0 ? [`${consents[consent]} ${consent}`] : [],
  );
  const total = Object.values(consents).reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'aucun enfant';
  return `${total} enfant${total > 1 ? 's' : ''}\u202f: ${parts.join(', ')}`;
}
