import { eraseLines, journal } from '#features/audit/server/journal.ts';
import { JOURNAL_DAYS } from '#features/audit/shared/journal.ts';
import { forgetStayLines } from '#features/imports/server/importsStore.ts';
import { listRecipients } from '#features/mails/server/recipientsStore.ts';
import { MAIL_DAYS, MAIL_TEXT_DAYS, MAIL_WAIT_DAYS } from '#features/mails/shared/terms.ts';
import { completeProof } from '#features/photos/server/attestationsStore.ts';
import { eraseNextPhotos } from '#features/photos/server/erasures.ts';
import { countPhotos } from '#features/photos/server/store.ts';
import { CONSENT_PROOF_YEARS, PHOTO_NOTICE_DAYS } from '#features/photos/shared/terms.ts';
import { dropUploads, uploadsTo } from '#features/sending/server/uploadsStore.ts';
import {
  listEndedToChange,
  listKept,
  reopenStays,
  writeEnding,
} from '#features/stays/server/endedStaysStore.ts';
import { type Consents, countConsents, deleteChildrenOf } from '#features/stays/server/familiesStore.ts';
import { type PhotoTime, photoTimeOf, photoTimes } from '#features/stays/server/photoTime.ts';
import { findStayToChange, type Stay } from '#features/stays/server/staysStore.ts';
import { CONSENTS, type Consent, DIRECTOR_DAYS, EVALUATION_DAYS } from '#features/stays/shared/terms.ts';
import { SITE } from '#platform/server/actor.ts';
import { isClockTrusted, trustClock, whenTrusted } from '#platform/server/clockStore.ts';
import { eachAlone } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/database.ts';
import { eraseCondemned, tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import { dropOldJobs } from '#platform/server/jobs/jobsStore.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { deleteHours } from '#platform/server/mail/pacingStore.ts';
import type { Services } from '#platform/server/services.ts';
import { endSessions } from '#platform/server/sessionsStore.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import { ERASURE_PROOF_YEARS } from './proofs.ts';
import { deleteErasureProofs } from './proofsStore.ts';
import {
  blankAnswers,
  blankTexts,
  deleteDirectors,
  deleteEmptyMailings,
  deleteEvaluations,
  deleteMessages,
  deletePhotoRows,
  deleteProofs,
  giveUpMessages,
  inSlices,
  SLICE,
} from './retentionStore.ts';

/*
 * Retention: erases data whose time is over. Each rule is a work of its own, in small transactions: a failure holds no
 * other rule up, and after a stop of any length the next run does what is left.
 */

export function retentionWorks(services: Services): Scheduled[] {
  const rule = (name: string, label: string, work: (services: Services) => Promise<void>): Scheduled => ({
    name,
    label,
    every: HOUR_MS,
    run: () => work(services),
  });
  const trusted = (work: (services: Services) => Promise<void>) => () =>
    whenTrusted(services, () => work(services));
  return [
    rule('annonce-effacements', 'e-mails aux familles avant l’effacement des photos', tellEnding),
    rule('effacement-sejours', 'effacement des photos et des familles des séjours terminés', eraseStays),
    rule('effacement-preuves', 'effacement des anciennes preuves', eraseProofs),
    rule('effacement-directeurs', 'effacement des anciens directeurs', trusted(eraseDirectors)),
    rule('effacement-evaluations', 'effacement des anciennes évaluations', trusted(eraseEvaluations)),
    rule('effacement-envois', 'effacement des anciens e-mails', trusted(eraseMails)),
    rule('effacement-journal', 'effacement de l’ancien journal', trusted(eraseJournal)),
  ];
}

function ago({ clock }: Services, days: number): Date {
  return new Date(clock().getTime() - days * DAY_MS);
}

/** Erases ended stays, then condemned files, of these stays or left over by a crash; fails when some files remain. */
const eraseStays = (services: Services) => eachAlone([eraseOver, eraseCondemned], (step) => step(services));

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
    const yearsAgo = (years: number) => new Date(new Date(now).setUTCFullYear(now.getUTCFullYear() - years));
    await deleteErasureProofs(transaction, yearsAgo(ERASURE_PROOF_YEARS));
    const count = await deleteProofs(transaction, yearsAgo(CONSENT_PROOF_YEARS));
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

/** Warns families that the photos of their stay will be erased: once for each last day, as it may be postponed. */
async function tellEnding(services: Services): Promise<void> {
  const { database, config, clock } = services;
  const now = clock();
  if (!(await isClockTrusted(database.db, now))) return;
  const stays = await listKept(database.db);
  const timeOf = await photoTimes(services, database.db);
  const soon = dayAt(new Date(now.getTime() + PHOTO_NOTICE_DAYS * DAY_MS), config.TIME_ZONE);
  const isDue = (stay: Stay, { lastDay, isOver }: PhotoTime) =>
    !isOver && lastDay <= soon && lastDay !== stay.prevenu_pour;
  for (const stay of stays) {
    if (!isDue(stay, timeOf(stay))) continue;
    if ((await countPhotos(database.db, stay.id, { isFamily: true, now }, undefined)) === 0) continue;
    await database.write(async (transaction) => {
      const held = await findStayToChange(database, transaction, stay.id);
      // Checked again: another process may have sent the warning, or the stay was deleted or given more time.
      const time = held && (await photoTimeOf(services, transaction, held));
      if (time && isDue(held, time)) await tell(services, transaction, held, time.lastDay);
    });
  }
  services.jobs.wake();
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
  await writeEnding(transaction, id, { prevenu_pour: lastDay });
  const action = `e-mail avant l’effacement des photos (${messages.length})`;
  await journal(transaction, SITE, now, action, { table: 'stages', id });
}

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
  const before = settledBefore(clock());
  const isSettled = ({ fini_le }: Stay) => fini_le !== null && fini_le <= before;
  await eachAlone((await listKept(database.db)).filter(isSettled), ({ id }) => eraseStay(services, id));
}

function settledBefore(now: Date): string {
  return new Date(now.getTime() - SECOND_THOUGHTS_MS).toISOString();
}

/** Records since when the photos of stays are over, and clears it for those whose photos are no longer over. */
async function markEnded(services: Services, transaction: Access): Promise<void> {
  const { database, config, clock } = services;
  const now = clock();
  const timeOf = await photoTimes(services, transaction);
  const stays = await listEndedToChange(database, transaction, dayAt(now, config.TIME_ZONE));
  const at = now.toISOString();
  for (const stay of stays) {
    // An instant in the future was written by a clock that ran ahead, and does not count.
    const isMarked = stay.fini_le !== null && stay.fini_le <= at;
    const { isOver } = timeOf(stay);
    if (isOver === isMarked && (isOver || stay.fini_le === null)) continue;
    await writeEnding(transaction, stay.id, { fini_le: isOver ? at : null });
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
  const { database, clock } = services;
  const now = clock();
  const stay = await findStayToChange(database, transaction, id);
  // Checked again: the stay may have been deleted, erased or given more time since it was found.
  if (!stay || stay.efface_le !== null || stay.fini_le === null) return true;
  if (stay.fini_le > settledBefore(now)) return true;
  if (!(await photoTimeOf(services, transaction, stay)).isOver) return true;
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
  await deletePhotoRows(transaction, id);
  await deleteChildrenOf(transaction, id);
  // Undo data of imports; that of families was erased with them. Imports under way have no effect.
  await forgetStayLines(transaction, id);
  await endSessions(transaction, { stageId: id });
  await writeEnding(transaction, id, { mdp_formateur: '', mdp_stagiaire: '', efface_le: now.toISOString() });
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
