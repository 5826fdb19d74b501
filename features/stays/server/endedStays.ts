import { journal } from '#features/audit/server/journal.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict } from '#platform/server/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { listErasedToChange, writeEnding } from './endedStaysStore.ts';
import { arePhotosOver, bothPasswords, type Stay, writeStayPasswords } from './staysStore.ts';

/* Stays whose photos are over: what is refused for them, and how a longer retention reopens them. */

/** Throws 409 for a stay whose families are erased: families added to it would be erased as well. */
export function requireFamilies(stay: Pick<Stay, 'efface_le'>): void {
  if (stay.efface_le !== null) throw conflict(`${OVER}\u202f: il ne reçoit plus de familles.`);
}

/** Throws 409 for a stay whose passwords are erased. */
export function requirePasswords(stay: Pick<Stay, 'efface_le'>): void {
  if (stay.efface_le !== null) {
    throw conflict(`${OVER}\u202f: il n’a plus de mots de passe. ${PROLONG}`);
  }
}

/** Throws 409 for a stay whose photos are over, for staff as well: nothing is added to photos due for erasure. */
export async function requirePhotos({ config, clock }: Services, db: Access, stay: Stay): Promise<void> {
  const isOver = arePhotosOver(stay, await readSettings(db, config), config, clock());
  if (isOver || stay.efface_le !== null)
    throw conflict(
      `${OVER}\u202f: prolongez leur conservation avant d’en ajouter, d’en publier ou d’en parler.`,
    );
}

const OVER = 'Les photos de ce séjour ne sont plus en ligne';
const PROLONG = 'Prolongez la conservation des photos pour qu’il en ait de nouveaux.';

/**
 * Gives new passwords to erased stays, one or all, whose photos are no longer over because their dates or the retention
 * changed. Their families have to be entered anew.
 */
export async function reopenStays(
  { database, config, secrets, clock }: Services,
  transaction: Access,
  stageId?: number,
): Promise<void> {
  const now = clock();
  const stays = await listErasedToChange(database, transaction, stageId);
  const settings = await readSettings(transaction, config);
  for (const stay of stays) {
    if (arePhotosOver(stay, settings, config, now)) continue;
    const { id } = stay;
    await writeStayPasswords(transaction, secrets, id, bothPasswords());
    await writeEnding(transaction, id, { efface_le: null, fini_le: null });
    const action = 'nouveaux mots de passe d’un séjour dont les photos sont de nouveau en ligne';
    await journal(transaction, SITE, now, action, { table: 'stages', id });
  }
}
