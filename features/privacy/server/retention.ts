import { eraseLines, journal } from '#features/audit/server/journal.ts';
import { JOURNAL_DAYS } from '#features/audit/shared/promises.ts';
import { listRecipients } from '#features/mails/server/recipients.ts';
import { MAIL_DAYS, MAIL_TEXT_DAYS, MAIL_WAIT_DAYS } from '#features/mails/shared/terms.ts';
import { seenAt } from '#features/photos/server/store.ts';
import { CONSENT_PROOF_YEARS, PHOTO_NOTICE_DAYS } from '#features/photos/shared/terms.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { reopenStays } from '#features/stays/server/endedStays.ts';
import {
  arePhotosOver,
  findStayToChange,
  photosUntil,
  type Stay,
} from '#features/stays/server/staysStore.ts';
import { DIRECTOR_DAYS, EVALUATION_DAYS } from '#features/stays/shared/terms.ts';
import { SITE } from '#platform/server/actor.ts';
import { isClockTrusted, trustClock, whenTrusted } from '#platform/server/clock.ts';
import { eachAlone } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/open.ts';
import { eraseCondemned } from '#platform/server/files/register.ts';
import { dropOldJobs } from '#platform/server/jobs/jobs.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import { insertMailing } from '#platform/server/mail/outbox.ts';
import { deleteHours } from '#platform/server/mail/pacing.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import { eraseEndedStays } from './endedStays.ts';
import { deleteDirectors, deleteEvaluations, deleteProofs, inSlices, SLICE } from './retentionStore.ts';

/*
 * Retention: erases data whose time is over. Each rule is a work of its own, in small transactions: a failure holds no
 * other rule up, and after a stop of any length the next run does what is left.
 */

export function retentionWorks(services: Services): Scheduled[] {
  const rules = [
    {
      name: 'annonce-effacements',
      label: 'e-mails aux familles avant l’effacement des photos',
      run: () => tellEnding(services),
    },
    {
      name: 'effacement-sejours',
      label: 'effacement des photos et des familles des séjours terminés',
      run: () => eraseStays(services),
    },
    {
      name: 'effacement-preuves',
      label: 'effacement des anciennes preuves d’autorisation',
      run: () => eraseProofs(services),
    },
    {
      name: 'effacement-directeurs',
      label: 'effacement des anciens directeurs',
      run: () => whenTrusted(services, () => eraseDirectors(services)),
    },
    {
      name: 'effacement-evaluations',
      label: 'effacement des anciennes évaluations',
      run: () => whenTrusted(services, () => eraseEvaluations(services)),
    },
    {
      name: 'effacement-envois',
      label: 'effacement des anciens e-mails',
      run: () => whenTrusted(services, () => eraseMails(services)),
    },
    {
      name: 'effacement-journal',
      label: 'effacement de l’ancien journal',
      run: () => whenTrusted(services, () => eraseJournal(services)),
    },
  ];
  return rules.map((rule) => ({ ...rule, every: HOUR_MS }));
}

function ago({ clock }: Services, days: number): Date {
  return new Date(clock().getTime() - days * DAY_MS);
}

/** Erases ended stays, then condemned files, of these stays or left over by a crash; fails when some files remain. */
function eraseStays(services: Services): Promise<void> {
  const steps = [eraseOver, eraseCondemned];
  return eachAlone(steps, (step) => step(services));
}

async function eraseOver(services: Services): Promise<void> {
  const { database, clock } = services;
  // Reopened first: a change of PHOTO_RETENTION_DAYS gives stays more time without any call to the site.
  await database.write((transaction) => reopenStays(services, transaction));
  const isTrusted = await database.write(async (transaction) => {
    const now = clock();
    if (!(await isClockTrusted(transaction, now))) return false;
    await trustClock(transaction, now);
    return true;
  });
  if (isTrusted) await eraseEndedStays(services);
}

async function eraseProofs({ database, clock }: Services): Promise<void> {
  await database.write(async (transaction) => {
    const now = clock();
    if (!(await isClockTrusted(transaction, now))) return;
    const before = new Date(now);
    before.setUTCFullYear(before.getUTCFullYear() - CONSENT_PROOF_YEARS);
    const count = await deleteProofs(transaction, before);
    if (count > 0)
      await journal(transaction, SITE, now, `effacement d’anciennes preuves d’autorisation (${count})`);
  });
}

async function eraseDirectors(services: Services): Promise<void> {
  const { database, config, clock } = services;
  const instant = ago(services, DIRECTOR_DAYS);
  const before = { instant, day: dayAt(instant, config.TIME_ZONE) };
  await inSlices(database, async (transaction) => {
    const count = await deleteDirectors(database, transaction, before);
    if (count > 0) await journal(transaction, SITE, clock(), `effacement d’anciens directeurs (${count})`);
    return count;
  });
}

async function eraseEvaluations(services: Services): Promise<void> {
  const { database, config, clock } = services;
  const day = dayAt(ago(services, EVALUATION_DAYS), config.TIME_ZONE);
  await database.write(async (transaction) => {
    const count = await deleteEvaluations(transaction, day);
    if (count > 0) await journal(transaction, SITE, clock(), `effacement d’anciennes évaluations (${count})`);
  });
}

async function eraseMails(services: Services): Promise<void> {
  const { database, clock } = services;
  await database.write((transaction) => giveUpMessages(transaction, ago(services, MAIL_WAIT_DAYS), clock()));
  await database.write((transaction) => blankTexts(transaction, ago(services, MAIL_TEXT_DAYS)));
  await inSlices(database, (transaction) => blankAnswers(transaction, ago(services, MAIL_TEXT_DAYS)));
  await inSlices(database, (transaction) => deleteMessages(transaction, ago(services, MAIL_DAYS)));
  // Mailings of the last day stay, even without messages, because limits count them.
  await database.write((transaction) => deleteEmptyMailings(transaction, ago(services, 1)));
  await database.write((transaction) => deleteHours(transaction, clock()));
  // Such jobs were given up long before; the address that somebody typed is deleted with them.
  await database.write((transaction) => dropOldJobs(transaction, 'lost-code', ago(services, 1)));
}

async function eraseJournal(services: Services): Promise<void> {
  const { database, secrets, clock } = services;
  const time = { before: ago(services, JOURNAL_DAYS), now: clock() };
  await inSlices(database, (transaction) => eraseLines(database, transaction, secrets, time, SLICE));
}

/* Retention of mails. */

/** Gives up the messages that have been waiting since before an instant. */
async function giveUpMessages(transaction: Access, before: Date, now: Date): Promise<void> {
  await transaction
    .updateTable('envois_messages')
    .set({ etat: 'echec', erreur: 'trop_tard', termine_le: now.toISOString() })
    // One that was under way when the site lost its mail server still counts as being sent.
    .where('etat', 'in', ['attente', 'envoi'])
    .where('attend_depuis', '<', before.toISOString())
    .execute();
}

/** Blanks the texts of the mailings of which every message ended before an instant. */
async function blankTexts(transaction: Access, before: Date): Promise<void> {
  await transaction
    .updateTable('envois')
    .set({ contenu: '' })
    .where('contenu', '!=', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('envois_messages')
            .select('id')
            .whereRef('envoi_id', '=', 'envois.id')
            .where((where) =>
              where.or([where('termine_le', 'is', null), where('termine_le', '>=', before.toISOString())]),
            ),
        ),
      ),
    )
    .execute();
}

/** Blanks providers' answers to messages that ended before an instant: one slice of them; returns how many. */
async function blankAnswers(transaction: Access, before: Date): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('envois_messages')
    .set({ reponse: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('envois_messages')
        .select('id')
        .where('termine_le', '<', before.toISOString())
        .where('reponse', 'is not', null)
        .limit(SLICE),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes messages that ended before an instant: one slice of them; returns how many. */
async function deleteMessages(transaction: Access, before: Date): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('envois_messages')
    .where('id', 'in', (query) =>
      query
        .selectFrom('envois_messages')
        .select('id')
        .where('termine_le', '<', before.toISOString())
        .limit(SLICE),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes the mailings created before an instant that have no messages left: their stay, contact message or address was
 * erased, or their time is over.
 */
async function deleteEmptyMailings(transaction: Access, before: Date): Promise<void> {
  await transaction
    .deleteFrom('envois')
    .where('created_at', '<', before.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('envois_messages').select('id').whereRef('envoi_id', '=', 'envois.id'))),
    )
    .execute();
}

/** Warns families that the photos of their stay will be erased: once for each last day, as it may be postponed. */
async function tellEnding(services: Services): Promise<void> {
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
      // Checked again: another process may have sent the warning, or the stay was deleted or given more time.
      if (held && isDue(held)) await tell(services, transaction, held, lastDay(held) ?? '');
    });
  }
  services.jobs.wake();
}

/** Whether families see any photo of this stay. */
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

/** Returns a function that gives the last day of a stay's photos; undefined once they are over. */
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
  // As in subjects written by staff: mail programs would take `=?` for the start of encoded text.
  const name = nom_stage.replaceAll('=?', '= ?');
  const texts = { objet: `Les photos du séjour ${name} vont être effacées`, texte: '' };
  await insertMailing(transaction, secrets, { genre: 'fin', texts, actor: SITE, messages }, now);
  await transaction.updateTable('stages').set({ prevenu_pour: lastDay }).where('id', '=', id).execute();
  const action = `e-mail avant l’effacement des photos (${messages.length})`;
  await journal(transaction, SITE, now, action, { table: 'stages', id });
}
