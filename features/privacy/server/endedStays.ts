import { journal } from '#features/audit/server/journal.ts';
import {
  type Consents,
  completeProof,
  countConsents,
  eraseNextPhotos,
} from '#features/photos/server/erasures.ts';
import { dropUploads, uploadsTo } from '#features/photos/server/uploadsUnderWay.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
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
 * What becomes of a stay once its photos are over: they are erased, and nobody needs its families or its passwords any
 * more. The stay, its directors and what they and the families said of it remain.
 */

/**
 * Time in ms after the site first saw that the photos of a stay are over, before anything is erased: a year typed wrong, or
 * a clock set wrong, can be put right. Whoever changes the stay, or how long photos are kept, makes it count anew.
 */
const SECOND_THOUGHTS_MS = DAY_MS;

/**
 * Erases what is over, a stay after the other, and sees what has come to be over since the last look. One that fails holds
 * no other up.
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

/** Writes down since when the photos of stays are over, and forgets it of those that have them again. */
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
    // One that is still to come was written by a clock that ran ahead.
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

/** In small transactions, the files of each after it: a crash in between leaves the rest to the next look. */
async function eraseStay(services: Services, id: number): Promise<void> {
  let isDone = false;
  while (!isDone) {
    isDone = await services.database.write((transaction) => eraseNext(services, transaction, id));
    await tryEraseCondemned(services);
  }
}

/** Erases the next photos of a stay, and its people when there are none left; returns whether nothing remains to erase. */
async function eraseNext(services: Services, transaction: Access, id: number): Promise<boolean> {
  const { database, config, clock } = services;
  const now = clock();
  const stay = await findStayToChange(database, transaction, id);
  // Deleted, erased or given more time since it was found.
  if (!stay || stay.efface_le !== null || stay.fini_le === null) return true;
  if (stay.fini_le > settledBefore(now)) return true;
  if (!arePhotosOver(stay, await readSettings(transaction, config), config, now)) return true;
  // Nothing is taken any more of what is still being sent.
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
  // What imports keep for their undo; that of families went with them. Those under way come to nothing.
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

/** « 45 enfants : 40 oui, 3 non, 2 inconnu »: how many had said what of photos, and of nobody who. */
function said(consents: Consents): string {
  const parts = (Object.keys(CONSENTS) as Consent[]).flatMap((consent) =>
    consents[consent] > 0 ? [`${consents[consent]} ${consent}`] : [],
  );
  const total = Object.values(consents).reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'aucun enfant';
  return `${total} enfant${total > 1 ? 's' : ''}\u202f: ${parts.join(', ')}`;
}
