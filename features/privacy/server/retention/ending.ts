import { journal } from '#features/audit/server/journal.ts';
import { listRecipients } from '#features/mails/server/recipients.ts';
import { seenAt } from '#features/photos/server/core/seen.ts';
import { PHOTO_NOTICE_DAYS } from '#features/photos/shared/terms.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import {
  arePhotosOver,
  findStayToChange,
  photosUntil,
  type Stay,
} from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import { isClockTrusted } from '#platform/server/clock.ts';
import type { Access } from '#platform/server/db/open.ts';
import { insertMailing } from '#platform/server/mail/outbox.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, dayAt } from '#platform/shared/time.ts';

/** Tells the families of stays that their photos are about to be erased: once for each last day, as it may be put off. */
export async function tellEnding(services: Services): Promise<void> {
  const { database, config, clock } = services;
  const now = clock();
  if (!(await isClockTrusted(database.db, now))) return;
  const stays = await database.db
    .selectFrom('stages')
    .selectAll()
    .where('efface_le', 'is', null)
    .orderBy('id')
    .execute();
  const lastDay = await openLastDay(services, database.db);
  const soon = dayAt(new Date(now.getTime() + PHOTO_NOTICE_DAYS * DAY_MS), config.TIME_ZONE);
  const isDue = (stay: Stay) => {
    const last = lastDay(stay);
    return last !== undefined && last <= soon && last !== stay.prevenu_pour;
  };
  for (const stay of stays) {
    if (!isDue(stay) || !(await isAnySeen(database.db, stay, now))) continue;
    await database.write(async (transaction) => {
      const held = await findStayToChange(database, transaction, stay.id);
      // Told by another process, deleted or given more time since it was found.
      if (held && isDue(held)) await tell(services, transaction, held, lastDay(held) ?? '');
    });
  }
  services.mails.wake();
}

/** Do families see a photo of this stay. */
async function isAnySeen(db: Access, { id }: Stay, now: Date): Promise<boolean> {
  const seen = await db
    .selectFrom('photos')
    .select('id')
    .where('stage_id', '=', id)
    .where(seenAt(now))
    .limit(1)
    .executeTakeFirst();
  return seen !== undefined;
}

/** Tells of a stay the last day of its photos; undefined once they are over. */
async function openLastDay({ config, clock }: Services, db: Access) {
  const settings = await readSettings(db, config);
  return (stay: Stay) =>
    arePhotosOver(stay, settings, config, clock())
      ? undefined
      : photosUntil(stay, settings.photos_conservation_jours, config.TIME_ZONE).lastDay;
}

async function tell(
  { secrets, clock }: Services,
  transaction: Access,
  { id, nom_stage }: Stay,
  lastDay: string,
): Promise<void> {
  const recipients = await listRecipients(transaction, 'stagiaire', [id]);
  if (recipients.length === 0) return;
  const now = clock();
  const messages = recipients.map(({ address }) => ({ address, stageId: id }));
  // As of staff (shared/mails): what mail programs would take for coded letters.
  const name = nom_stage.replaceAll('=?', '= ?');
  const texts = { objet: `Les photos du séjour ${name} vont être effacées`, texte: '' };
  await insertMailing(transaction, secrets, { genre: 'fin', texts, actor: SITE, messages }, now);
  await transaction.updateTable('stages').set({ prevenu_pour: lastDay }).where('id', '=', id).execute();
  const action = `e-mail avant l’effacement des photos (${messages.length})`;
  await journal(transaction, SITE, now, action, { table: 'stages', id });
}
