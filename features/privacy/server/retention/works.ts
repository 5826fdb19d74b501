import { journal } from '#features/audit/server/journal.ts';
import { eraseLines } from '#features/audit/server/journalChain.ts';
import { JOURNAL_DAYS } from '#features/audit/shared/promises.ts';
import { MAIL_DAYS, MAIL_TEXT_DAYS, MAIL_WAIT_DAYS } from '#features/mails/shared/terms.ts';
import { CONSENT_PROOF_YEARS } from '#features/photos/shared/terms.ts';
import { reopenStays } from '#features/stays/server/endedStays.ts';
import { DIRECTOR_DAYS, EVALUATION_DAYS } from '#features/stays/shared/terms.ts';
import { SITE } from '#platform/server/actor.ts';
import { isClockTrusted, trustClock, whenTrusted } from '#platform/server/clock.ts';
import { eachAlone } from '#platform/server/eachAlone.ts';
import { eraseCondemned } from '#platform/server/files/register.ts';
import { dropOldJobs } from '#platform/server/jobs/jobs.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import { tidyQueue } from '#platform/server/mail/queue.ts';
import { deleteHours } from '#platform/server/mail/state.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import { eraseEndedStays } from './endedStays.ts';
import { tellEnding } from './ending.ts';
import { blankAnswers, blankTexts, deleteEmptyMailings, deleteMessages, giveUpMessages } from './mails.ts';
import { deleteDirectors, deleteEvaluations, deleteProofs, inSlices, SLICE } from './store.ts';

/*
 * What is erased when its time is over. Each rule is a work of its own, in small transactions: one that fails holds no
 * other up, and after a stop, however long, the next run does what is left.
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

/** The files last, whose failure means that some are left: those of these stays, and what a crash left of others. */
function eraseStays(services: Services): Promise<void> {
  const steps = [eraseOver, eraseCondemned];
  return eachAlone(steps, (step) => step(services));
}

async function eraseOver(services: Services): Promise<void> {
  const { database, clock } = services;
  // First those that were given more time by a change of PHOTO_RETENTION_DAYS, which nobody announces.
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
  // The sender does so too, but without a mail server there is none.
  await tidyQueue(database, clock());
  await database.write((transaction) => giveUpMessages(transaction, ago(services, MAIL_WAIT_DAYS), clock()));
  await database.write((transaction) => blankTexts(transaction, ago(services, MAIL_TEXT_DAYS)));
  await inSlices(database, (transaction) => blankAnswers(transaction, ago(services, MAIL_TEXT_DAYS)));
  await inSlices(database, (transaction) => deleteMessages(transaction, ago(services, MAIL_DAYS)));
  // Limits count the mailings of the last day, whatever became of their messages.
  await database.write((transaction) => deleteEmptyMailings(transaction, ago(services, 1)));
  await database.write((transaction) => deleteHours(transaction, clock()));
  // Given up long before: the address that somebody typed goes with it.
  await database.write((transaction) => dropOldJobs(transaction, 'lost-code', ago(services, 1)));
}

async function eraseJournal(services: Services): Promise<void> {
  const { database, secrets, clock } = services;
  const time = { before: ago(services, JOURNAL_DAYS), now: clock() };
  await inSlices(database, (transaction) => eraseLines(database, transaction, secrets, time, SLICE));
}
