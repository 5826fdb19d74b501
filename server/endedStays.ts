import { sql } from 'kysely';
import { CONSENTS, type Consent } from '../shared/stays/terms.ts';
import { DAY_MS, dayAt } from '../shared/time.ts';
import type { Config } from './config.ts';
import type { Access } from './db/open.ts';
import { conflict } from './http/errors.ts';
import { endSessions } from './http/sessions.ts';
import { journal, SITE } from './journal.ts';
import type { Services } from './services.ts';
import { type PublicSettings, readSettings } from './settings.ts';
import { arePhotosOver, bothPasswords, findStayToChange, type Stay, writeStayPasswords } from './stays.ts';

/*
 * What becomes of a stay once its photos are over: nobody needs its families or its passwords any more. The stay, its
 * directors and what they and the families said of it remain.
 */

/** Throws 409 for a stay whose families are erased, saying that it takes no more: they would be erased as well. */
export function requireFamilies(stay: Pick<Stay, 'efface_le'>): void {
  if (stay.efface_le !== null) throw conflict(`${OVER}\u202f: il ne reçoit plus de familles.`);
}

/** Throws 409 for a stay whose passwords are erased. */
export function requirePasswords(stay: Pick<Stay, 'efface_le'>): void {
  if (stay.efface_le !== null) {
    throw conflict(`${OVER}\u202f: il n’a plus de mots de passe. ${PROLONG}`);
  }
}

/**
 * Time in ms after the last change of a stay, or of how long photos are kept, before anything is erased: a year typed
 * wrong can be put right.
 */
const SECOND_THOUGHTS_MS = DAY_MS;

const OVER = 'Les photos de ce séjour ne sont plus en ligne';
const PROLONG = 'Prolongez la conservation des photos pour qu’il en ait de nouveaux.';

/** Erases the families and the passwords of every stay whose photos are over, a transaction each. */
export async function eraseEndedStays(services: Services): Promise<void> {
  const { database, config, clock } = services;
  const ended = await database.db
    .selectFrom('stages')
    .selectAll()
    .where('efface_le', 'is', null)
    .where('date_fin', '<', dayAt(clock(), config.TIME_ZONE))
    .execute();
  const isToErase = await openEnded(database.db, config, clock());
  for (const stay of ended) if (isToErase(stay)) await eraseStay(services, stay.id);
}

async function eraseStay({ database, config, clock }: Services, id: number): Promise<void> {
  await database.write(async (transaction) => {
    const now = clock();
    const stay = await findStayToChange(database, transaction, id);
    const isToErase = await openEnded(transaction, config, now);
    // Deleted, erased or given more time since it was found.
    if (!stay || stay.efface_le !== null || !isToErase(stay)) return;
    const what = await countChildren(transaction, id);
    await transaction.deleteFrom('stagiaires').where('stage_id', '=', id).execute();
    // What imports keep for their undo, and those under way, which then come to nothing.
    await transaction.deleteFrom('imports_familles').where('stage_id', '=', id).execute();
    await transaction.deleteFrom('imports_sejours').where('stage_id', '=', id).execute();
    await endSessions(transaction, { stageId: id });
    await transaction
      .updateTable('stages')
      .set({ mdp_formateur: '', mdp_stagiaire: '', efface_le: now.toISOString() })
      .where('id', '=', id)
      .execute();
    const action = `effacement des familles d’un séjour terminé (${what})`;
    await journal(transaction, SITE, now, action, { table: 'stages', id });
  });
}

/** « 45 enfants : 40 oui, 3 non, 2 inconnu »: how many had said what of photos, and of nobody who. */
async function countChildren(db: Access, stageId: number): Promise<string> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(['consentement_image', sql<number>`count(*)`.as('nombre')])
    .where('stage_id', '=', stageId)
    .groupBy('consentement_image')
    .execute();
  const count = (consent: Consent) => rows.find((row) => row.consentement_image === consent)?.nombre ?? 0;
  const parts = (Object.keys(CONSENTS) as Consent[]).flatMap((consent) =>
    count(consent) > 0 ? [`${count(consent)} ${consent}`] : [],
  );
  const total = rows.reduce((sum, { nombre }) => sum + nombre, 0);
  if (total === 0) return 'aucun enfant';
  return `${total} enfant${total > 1 ? 's' : ''}\u202f: ${parts.join(', ')}`;
}

/**
 * Gives new passwords to erased stays whose photos are over no longer, as their dates or the time that photos are kept
 * have changed: to one stay, or to all. Their families have to be entered anew.
 */
export async function reopenStays(
  { database, config, secrets, clock }: Services,
  transaction: Access,
  stageId?: number,
): Promise<void> {
  const now = clock();
  const stays = await transaction
    .selectFrom('stages')
    .selectAll()
    .where('efface_le', 'is not', null)
    .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
    // Always in the same order, so that two who hold several never wait for one another.
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
  const settings = await readSettings(transaction, config);
  for (const stay of stays) {
    if (arePhotosOver(stay, settings, config, now)) continue;
    const { id } = stay;
    await writeStayPasswords(transaction, secrets, id, bothPasswords());
    await transaction.updateTable('stages').set({ efface_le: null }).where('id', '=', id).execute();
    const action = 'nouveaux mots de passe d’un séjour dont les photos sont de nouveau en ligne';
    await journal(transaction, SITE, now, action, { table: 'stages', id });
  }
}

/** Tells of stays whether their photos are over for good. */
async function openEnded(db: Access, config: Config, now: Date): Promise<(stay: Stay) => boolean> {
  const settings = await readSettings(db, config);
  const settled = new Date(now.getTime() - SECOND_THOUGHTS_MS).toISOString();
  // A change that is still to come was written by a clock that ran ahead.
  const isSettled = (instant: string) => instant <= settled || instant > now.toISOString();
  const setting = await db
    .selectFrom('reglages')
    .select('modifie_le')
    .where('cle', '=', 'photos_conservation_jours' satisfies keyof PublicSettings)
    .executeTakeFirst();
  if (setting && !isSettled(setting.modifie_le)) return () => false;
  return (stay) => arePhotosOver(stay, settings, config, now) && isSettled(stay.modifie_le);
}
