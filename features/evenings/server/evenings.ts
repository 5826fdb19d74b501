import { journal } from '#features/audit/server/journal.ts';
import { signatureOf } from '#features/mails/server/compose.ts';
import { openLink } from '#features/mails/server/linksStore.ts';
import { eveningMessage, linkAddress, newsText, signInAddress } from '#features/mails/server/messages.ts';
import { listRecipients } from '#features/mails/server/recipientsStore.ts';
import {
  EVENING,
  holdSettings,
  readEvening,
  readSettings,
  writeSetting,
} from '#features/site/server/settingsStore.ts';
import { listKept } from '#features/stays/server/endedStaysStore.ts';
import { photoTimes } from '#features/stays/server/photoTime.ts';
import { findStay, type Stay } from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import { isClockTrusted } from '#platform/server/clockStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import { notFound } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import type { Composer } from '#platform/server/mail/sender.ts';
import { type Secrets, sameText } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { dayAt, wallClock } from '#platform/shared/time.ts';
import type { eveningCalls } from '../calls.ts';
import {
  findByLink,
  isNew,
  type Linked,
  listDead,
  listLinked,
  listNews,
  listOfAddress,
  listStopped,
  listWaiting,
  moveTold,
  type New,
  writeStop,
} from './eveningsStore.ts';

/*
 * The evening mail: at the hour of the settings, one mail to each address of a family that has a link, about all of its
 * stays in which something is new. Who is told, and up to when, is written in one transaction, with the day: a process that
 * ends, a second one, or a clock that is set back makes no mail twice. A mail holds nothing but the instants between which
 * it counts; what it says is counted when it leaves.
 */

/** The day whose evening is due; undefined: it was, or it is too early. A day that passed is not caught up with at night. */
async function dueEvening({ config, clock }: Services, db: Access): Promise<string | undefined> {
  const { message_soir_heure: hour } = await readSettings(db, config);
  // Without a mail server nobody would be told, and what waits would only grow old.
  if (hour === '' || !config.SMTP_URL) return undefined;
  const wall = wallClock(clock(), config.TIME_ZONE);
  const day = wall.slice(0, 10);
  if (wall.slice(11, 16) < hour || (await readEvening(db)) >= day) return undefined;
  return (await isClockTrusted(db, clock())) ? day : undefined;
}

/** Writes the mails of this evening once it is due, and has them sent. */
export async function tellEvening(services: Services): Promise<void> {
  const { database, jobs } = services;
  if ((await dueEvening(services, database.db)) === undefined) return;
  const count = await database.write(async (transaction) => {
    // Another process waits here, and then finds the evening done.
    await holdSettings(database, transaction);
    const day = await dueEvening(services, transaction);
    if (day === undefined) return 0;
    await writeSetting(transaction, EVENING, day, services.clock());
    return writeMails(services, transaction);
  });
  if (count > 0) jobs.wake();
}

async function writeMails(services: Services, transaction: Access): Promise<number> {
  const { secrets, clock } = services;
  const now = clock();
  const timeOf = await photoTimes(services, transaction);
  const stays = (await listKept(transaction)).filter((stay) => mayBeTold(stay) && !timeOf(stay).isOver);
  const linked = await listLinked(
    transaction,
    stays.map(({ id }) => id),
  );
  const due = await withNews(transaction, linked, now);
  const [stopped, dead, waiting] = [
    await listStopped(transaction),
    await listDead(transaction),
    await listWaiting(transaction),
  ];
  const rows = due.filter(({ adresse }) => !stopped.has(adresse) && !dead.has(adresse));
  // A mail that waits goes on counting from where it did.
  const isCounted = ({ adresse, soir_le }: Linked) => soir_le >= (waiting.get(adresse) ?? now.toISOString());
  for (const [stageId, own] of Map.groupBy(rows, (row) => row.stage_id))
    for (const [goesOn, some] of Map.groupBy(own, isCounted))
      await moveTold(
        transaction,
        stageId,
        some.map(({ adresse }) => adresse),
        now,
        !goesOn,
      );
  const typed = await listTyped(transaction, rows);
  const byAddress = Map.groupBy(
    rows.filter(({ adresse }) => !waiting.has(adresse)),
    ({ adresse }) => adresse,
  );
  const messages = [...byAddress].map(([key, [first]]) => {
    return { address: typed.get(key) ?? key, stageId: first?.stage_id };
  });
  if (messages.length === 0) return 0;
  const texts = { objet: 'Message du soir', texte: '' };
  await insertMailing(transaction, secrets, { genre: 'soir', texts, actor: SITE, messages }, now);
  await journal(transaction, SITE, now, `message du soir aux familles (${messages.length})`);
  return messages.length;
}

/** Those of some addresses of stays for which something there is new. */
async function withNews(transaction: Access, linked: readonly Linked[], now: Date): Promise<Linked[]> {
  const ids = [...new Set(linked.map(({ stage_id }) => stage_id))];
  const oldest = linked.reduce(
    (least, { soir_le }) => (soir_le < least ? soir_le : least),
    now.toISOString(),
  );
  const news = Map.groupBy(await listNews(transaction, ids, oldest, now), ({ stageId }) => stageId);
  return linked.filter(({ stage_id, soir_le }) => news.get(stage_id)?.some((one) => isNew(one, soir_le)));
}

/** Addresses as they were typed, by key. */
async function listTyped(transaction: Access, rows: readonly Linked[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ stage_id }) => stage_id))];
  if (ids.length === 0) return new Map();
  const recipients = await listRecipients(transaction, 'stagiaire', ids);
  return new Map(recipients.map(({ key, address }) => [key, address]));
}

/** Composes the evening mail of one address: what is new in each of its stays between the instants that it counts from and to. */
export const composeEvening: Composer = async (services, db, message) => {
  const { secrets, publicUrl, config } = services;
  const { cle_destinataire: key, created_at: at, destinataire: to } = message;
  const rows = await listOfAddress(db, key);
  if (rows.some(({ soir_arret }) => soir_arret !== null)) return 'arretee';
  const timeOf = await photoTimes(services, db);
  // The day on which it is read, if it waited.
  const today = dayAt(new Date(message.termine_le ?? services.clock()), config.TIME_ZONE);
  const stays = [];
  const told: New[] = [];
  for (const row of rows) {
    const { stage_id: stageId, lien, soir_depuis: since, soir_le: until } = row;
    // Later mails have moved on from what an older one counted.
    if (since === null || until === null || !(since < at && at <= until)) continue;
    const stay = await findStay(db, stageId);
    if (!stay || lien === null || row.coupe_le !== null || !mayBeTold(stay) || timeOf(stay).isOver) continue;
    const all = await listNews(db, [stageId], since, services.clock());
    const news = all.filter((one) => isNew(one, since) && one.at <= until);
    if (news.length === 0) continue;
    told.push(...news);
    const secret = openLink(secrets, row);
    stays.push({
      stay,
      news: countsOf(news, today),
      link: secret ? linkAddress(publicUrl, services.shown(secret)) : signInAddress(publicUrl, stageId),
      stop: stopToken(secrets, lien),
    });
  }
  const [first] = stays;
  if (!first) return 'rien_de_neuf';
  const { signature, replyTo } = await signatureOf(services, db);
  const token = encodeURIComponent(first.stop);
  return {
    to,
    subject: newsText(countsOf(told, today), true),
    replyTo,
    passwordVersion: null,
    isOutdated: false,
    unsubscribe: `${publicUrl}${API_PREFIX}/soirs/arret?jeton=${token}`,
    ...eveningMessage({ stays, stop: `${publicUrl}/soir#${token}`, signature }),
  };
};

const mayBeTold = ({ soir }: Stay) => soir === 1;

/** Numbers of photos and of words; `ofToday`: whether all of the photos are those of this day. */
function countsOf(news: readonly New[], today: string) {
  const [photos, full, words] = (['photo', 'full', 'word'] as const).map((kind) =>
    news.filter((one) => one.kind === kind),
  ) as [New[], New[], New[]];
  return {
    photos: photos.length,
    full: full.length,
    words: words.length,
    ofToday: photos.every(({ day }) => day === today),
  };
}

/* The end of these mails for an address. What its mails bring names a link, and is signed: it opens nothing. */

const signed = (secrets: Secrets, lien: string) => secrets.fingerprint(`soir:${lien}`);

const stopToken = (secrets: Secrets, lien: string) => `${lien}.${signed(secrets, lien)}`;

export function eveningHandlers({ database, secrets, clock }: Services): HandlersOf<typeof eveningCalls> {
  return {
    'POST /soirs/arret': async ({ query: { jeton, recevoir } }) => {
      const [lien = '', signature = ''] = jeton.split('.');
      if (!sameText(signature, signed(secrets, lien))) throw notFound(OTHER_LINK);
      const isStopped = recevoir === 'non';
      await database.write(async (transaction) => {
        const row = await findByLink(transaction, lien);
        if (!row) throw notFound(OTHER_LINK);
        await writeStop(transaction, row.adresse, isStopped ? clock().toISOString() : null);
      });
      return {
        message: isStopped
          ? 'C’est noté\u202f: cette adresse ne reçoit plus le message du soir.'
          : 'C’est noté\u202f: cette adresse reçoit de nouveau le message du soir.',
      };
    },
  };
}

const OTHER_LINK = 'Ce lien ne vaut plus\u202f: prenez celui du dernier message du soir.';
