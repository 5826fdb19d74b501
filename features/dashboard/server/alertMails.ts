import { randomUUID } from 'node:crypto';
import { alertAddresses } from '#features/site/server/settingsStore.ts';
import { SITE } from '#platform/server/actor.ts';
import { type Check, COMMANDS, type StaffCheck } from '#platform/server/checks/check.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { countMailings, insertMailing } from '#platform/server/mail/outboxStore.ts';
import { escapeHtml } from '#platform/server/pages/html.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { staffChecks } from './health.ts';
import { deleteAlerts, listAlertsToChange, putSeen, writeTold } from './store.ts';

/*
 * Reports the site's troubles by mail to those who run it: when one begins, an hour later if more of it has happened, once a
 * day while it lasts, and when it is over. Reports are recorded in the database, so that a restart repeats none and only one of several processes sends
 * each. Failures of mail itself are shown only in the portal, as are all troubles while there is no mail server. A disk
 * without room is reported without the database.
 */

/** Milliseconds between two mails about a trouble that lasts. */
const AGAIN_MS = DAY_MS;
/** Milliseconds without a trouble after which it is over: one that comes and goes counts as one. */
const QUIET_MS = HOUR_MS;
/** Most mails in 24 hours; further troubles are reported later, but for acts, lest somebody has them unsaid by other troubles. */
const MAILS_PER_DAY = 12;

/** A check that ran; `texte` says the trouble that it found, if any, and `last` when the last of it happened. */
type Result = StaffCheck & { texte: string | undefined; last: string | undefined };

export async function tellTroubles(services: Services, checks: readonly Check[]): Promise<void> {
  const { database, config, clock, jobs } = services;
  if (config.SMTP_URL === undefined) return;
  const results = await runAll(services, checks);
  await database.write(async (transaction) => {
    const now = clock();
    const addresses = await alertAddresses(services, transaction);
    if (addresses.length === 0) return;
    const seen = results.filter(({ texte }) => texte !== undefined);
    await putSeen(transaction, keysOf(seen), now);
    // Another process that reports the same troubles waits here, then finds them reported.
    const known = await listAlertsToChange(database, transaction);
    const news = sort(results, known, now);
    await deleteAlerts(transaction, keysOf(news.gone));
    if (news.begun.length + news.lasting.length + news.ended.length === 0) return;
    const since = new Date(now.getTime() - DAY_MS);
    const isOfActs = news.begun.some(({ latest }) => latest);
    if (!isOfActs && (await countMailings(transaction, 'alerte', since)) >= MAILS_PER_DAY) return;
    await write(services, transaction, news, addresses, now);
  });
  jobs.wake();
}

/**
 * Runs the checks that are told by mail. One that throws is logged and left out, as if it had neither found a trouble
 * nor none.
 */
async function runAll({ log }: Services, checks: readonly Check[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of staffChecks(checks)) {
    if (check.only === 'portal') continue;
    try {
      results.push({ ...check, texte: await check.staff(), last: await check.latest?.() });
    } catch (error) {
      log.error({ err: error, check: check.key }, 'a check of the site failed');
    }
  }
  return results;
}

const keysOf = (results: readonly Result[]) => results.map(({ key }) => key);

interface News {
  begun: Result[];
  lasting: Result[];
  ended: Result[];
  /** Troubles that were over before they were reported. */
  gone: Result[];
}

function sort(results: readonly Result[], known: readonly Tables['alertes'][], now: Date): News {
  const news: News = { begun: [], lasting: [], ended: [], gone: [] };
  const isPast = (instant: string, ms: number) => Date.parse(instant) + ms <= now.getTime();
  for (const result of results) {
    const row = known.find(({ cle }) => cle === result.key);
    if (!row) continue;
    if (result.texte !== undefined) {
      const isNew = (told: string) => isPast(told, QUIET_MS) && (result.last ?? '') > told;
      if (row.dite_le === null || isNew(row.dite_le)) news.begun.push(result);
      else if (isPast(row.dite_le, AGAIN_MS)) news.lasting.push(result);
    } else if (isPast(row.vue_le, QUIET_MS)) {
      (row.dite_le === null ? news.gone : news.ended).push(result);
    }
  }
  return news;
}

async function write(
  { secrets, publicUrl }: Services,
  transaction: Access,
  { begun, lasting, ended }: News,
  addresses: readonly string[],
  now: Date,
): Promise<void> {
  const told = [...begun, ...lasting];
  const [first = ended[0]] = told;
  const objet =
    told.length > 0 ? `Alerte du site\u202f: ${first?.label}` : `C’est fini\u202f: ${first?.label}`;
  const texte = [
    ...listed('Le site vous signale\u202f:', begun),
    ...listed('Cela dure depuis un jour ou plus\u202f:', lasting),
    ...(ended.length === 0
      ? []
      : [`C’est fini\u202f:\n${ended.map(({ label }) => `– ${label}`).join('\n')}`]),
    ...(told.some(({ command }) => command !== undefined) ? [INCIDENTS] : []),
    `Le portail dit où en est le site\u202f: ${publicUrl}/portail`,
  ].join('\n\n');
  const messages = addresses.map((address) => ({ address }));
  const texts = { objet, texte };
  await insertMailing(transaction, secrets, { genre: 'alerte', texts, actor: SITE, messages }, now);
  await deleteAlerts(transaction, keysOf(ended));
  await writeTold(transaction, keysOf(told), now);
}

const toType = (command: string) => `À taper sur la machine\u202f: ${command}`;

const INCIDENTS =
  'Pour la personne qui tient la machine, docs/incidents.md dit quoi taper ensuite, panne par panne.';

function listed(title: string, results: readonly Result[]): string[] {
  return results.length === 0 ? [] : [[title, ...results.map(itemOf)].join('\n')];
}

function itemOf({ texte, command }: Result): string {
  return command === undefined ? `– ${texte}` : `– ${texte}\n${toType(command)}`;
}

/** Time, in ms, after which a report that could not be sent is tried again. */
const RETRY_MS = 5 * 60_000;

/**
 * Returns a function that reports that nothing can be written, at once and not by way of the outbox, which cannot be
 * written either: once a day for each process.
 */
export function openFullDiskReport(services: Services): () => Promise<void> {
  const { clock, config, database, log, mails, publicUrl } = services;
  let next = 0;
  return async () => {
    const now = clock();
    if (!mails.transport || now.getTime() < next) return;
    next = now.getTime() + AGAIN_MS;
    const text =
      'Le disque du site est plein\u202f: plus rien ne s’enregistre, et personne ne peut plus se connecter. ' +
      `Ce message est parti sans attendre, car la file d’envoi est sur ce disque.\n${toType(COMMANDS.disk)}\n\n${publicUrl}`;
    const body = { text, html: `<p>${escapeHtml(text).replaceAll(/\n+/g, '</p><p>')}</p>` };
    for (const to of await alertAddresses({ config }, database.db)) {
      const messageId = `<disque.${randomUUID()}@${new URL(publicUrl).hostname}>`;
      const subject = 'Alerte du site\u202f: disque plein';
      const mail = { ...body, to, subject, replyTo: undefined, messageId, date: now };
      const { failure } = await mails.transport.send(mail);
      if (!failure) continue;
      log.error(failure, 'the report of a full disk is not sent');
      next = now.getTime() + RETRY_MS;
    }
  };
}
