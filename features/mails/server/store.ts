import { type Selectable, sql } from 'kysely';
import type { Stay } from '#features/stays/server/staysStore.ts';
import { type Access, countRows } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { notFound } from '#platform/server/errors.ts';
import {
  forgetTexts,
  openTexts,
  type QueuedMessage,
  queuedMessages,
  queueMessages,
  resealTexts,
} from '#platform/server/mail/outboxStore.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { SearchRow } from '#platform/server/search.ts';
import { countClosed, type Sealed } from '#platform/server/secrets.ts';
import { MAIL_KINDS, MAIL_STATES, type MailState } from '#platform/shared/mails.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { MESSAGES_PAGE } from '../calls.ts';
import { recipientsOf, TO_FAMILIES } from './recipientsStore.ts';

/* Queries on mailings and their messages, for staff. */

export type MailingRow = Selectable<Tables['envois']>;

/** Most mailings in the list; older ones are left out. */
const LISTED = 200;

export function listMailings(db: Access): Promise<MailingRow[]> {
  return db.selectFrom('envois').selectAll().orderBy('id', 'desc').limit(LISTED).execute();
}

export async function getMailing(db: Access, id: number): Promise<MailingRow> {
  return db
    .selectFrom('envois')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('Cet envoi n’existe pas ou n’existe plus.'));
}

/** Texts that staff wrote, of the mailings that still have them. */
export const sealedMailings: Sealed = {
  label: 'envois',
  place: 3,
  async countClosed(db, secrets) {
    const kept = await db
      .selectFrom('envois')
      .select(['cle', 'contenu'])
      .where('contenu', '!=', '')
      .execute();
    return countClosed(kept, (mailing) => openTexts(secrets, mailing));
  },
  reseal: resealTexts,
  forget: forgetTexts,
};

export function countMessages(db: Access, mailingIds: readonly number[]) {
  return db
    .selectFrom('envois_messages')
    .select((expression) => ['envoi_id', 'stage_id', 'etat', expression.fn.countAll<number>().as('count')])
    .where('envoi_id', 'in', mailingIds)
    .groupBy(['envoi_id', 'stage_id', 'etat'])
    .execute();
}

/** The stays of these mailings, by date. */
export function listNamedStays(db: Access, mailingIds: readonly number[]) {
  return db
    .selectFrom('stages')
    .select(['id', 'nom_stage', 'date_debut', 'date_fin'])
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('envois_messages')
        .select('stage_id')
        .where('envoi_id', 'in', mailingIds)
        .where('stage_id', 'is not', null),
    )
    .orderBy('date_debut')
    .orderBy('id')
    .execute();
}

/** A page of the messages of a mailing, in one state or in any. */
export function listMessages(
  db: Access,
  mailingId: number,
  { etat, apres }: { etat: MailState | ''; apres: number },
) {
  return (
    db
      .selectFrom('envois_messages')
      .leftJoin('stages', 'stages.id', 'envois_messages.stage_id')
      .leftJoin('jobs', 'jobs.message_id', 'envois_messages.id')
      .selectAll('envois_messages')
      .select(['stages.nom_stage', 'jobs.a_faire_le'])
      .where('envoi_id', '=', mailingId)
      .$if(etat !== '', (query) => query.where('etat', '=', etat as MailState))
      // Messages that need attention come first.
      .orderBy((expression) =>
        expression
          .case()
          .when('etat', '=', 'echec')
          .then(0)
          .when('etat', 'in', ['attente', 'envoi'])
          .then(1)
          .when('etat', '=', 'annule')
          .then(2)
          .else(3)
          .end(),
      )
      .orderBy('envois_messages.id')
      .limit(MESSAGES_PAGE)
      .offset(apres)
      .execute()
  );
}

/** Messages read for a search. */
const READ = 200;

/** The newest messages to addresses that have all of these words, for the search of the portal. */
export async function listMessagesTo(db: Access, words: readonly string[]): Promise<SearchRow[]> {
  let query = db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envoi_id')
    .select(['envoi_id', 'destinataire', 'etat', 'genre', 'envois_messages.created_at']);
  for (const word of words) query = query.where('cle_destinataire', 'like', `%${word}%`);
  const rows = await query.orderBy('envois_messages.id', 'desc').limit(READ).execute();
  return rows.map(({ envoi_id, destinataire, etat, genre, created_at }) => ({
    id: envoi_id,
    titre: destinataire,
    detail: `${MAIL_KINDS[genre]}, ${MAIL_STATES[etat].toLowerCase()}`,
    date_publication: created_at,
  }));
}

export async function getMessage(db: Access, mailingId: number, id: number): Promise<QueuedMessage> {
  return queuedMessages(db)
    .where('envois_messages.id', '=', id)
    .where('envoi_id', '=', mailingId)
    .executeTakeFirstOrThrow(() => notFound('Ce message n’existe pas ou n’existe plus.'));
}

/** Queues failed messages of a mailing again, as if they were new: all of them, or those given. Returns how many. */
export async function resendFailed(
  transaction: Access,
  mailing: Pick<MailingRow, 'id' | 'genre'>,
  now: Date,
  only?: readonly number[],
): Promise<number> {
  const at = now.toISOString();
  const messages = await transaction
    .updateTable('envois_messages')
    .set({
      etat: 'attente',
      essais: 0,
      attend_depuis: at,
      erreur: null,
      reponse: null,
      termine_le: null,
    })
    .where('envoi_id', '=', mailing.id)
    .where('etat', '=', 'echec')
    .$if(only !== undefined, (query) => query.where('id', 'in', only ?? []))
    .returning(['id', 'destinataire'])
    .execute();
  await queueMessages(transaction, mailing.genre, messages, now);
  return messages.length;
}

export async function countWaiting(db: Access): Promise<number> {
  return countRows(db.selectFrom('envois_messages').where('etat', 'in', ['attente', 'envoi']));
}

export async function countFailed(db: Access, since: Date): Promise<number> {
  return countRows(failuresSince(db, since));
}

/**
 * Changes the address of the messages that wait for it, or failed since an instant and still can be sent, and queues the
 * failed ones again; returns how many these are. To be called before the address is replaced where people have it.
 */
export async function readdress(
  transaction: Access,
  [type, key, address]: readonly [type: PasswordType, old: string, address: string],
  since: Date,
  now: Date,
): Promise<number> {
  const toAddress = await failuresSince(transaction, since)
    .select(['failed.id', 'failed.envoi_id', 'mailing.genre', 'mailing.type'])
    .where('failed.cle_destinataire', '=', key)
    .where('mailing.contenu', '!=', '')
    .execute();
  const failed = toAddress.filter((message) => recipientsOf(message) === type);
  const ids = failed.map(({ id }) => id);
  await transaction
    .updateTable('envois_messages')
    .set({ destinataire: address, cle_destinataire: addressKey(address) })
    .where('cle_destinataire', '=', key)
    .where('stage_id', 'is not', null)
    .where(({ or, eb }) => or([eb('etat', '=', 'attente'), eb('id', 'in', [0, ...ids])]))
    .where('envoi_id', 'in', ({ selectFrom }) =>
      selectFrom('envois')
        .select('id')
        .where(({ or, eb }) =>
          or([eb('type', '=', type), ...(type === 'stagiaire' ? [eb('genre', 'in', TO_FAMILIES)] : [])]),
        ),
    )
    .execute();
  let count = 0;
  for (const [id, own] of Map.groupBy(failed, ({ envoi_id }) => envoi_id)) {
    const [{ genre } = { genre: 'codes' as const }] = own;
    count += await resendFailed(
      transaction,
      { id, genre },
      now,
      own.map((message) => message.id),
    );
  }
  return count;
}

const FAILURES_LISTED = 200;

export function listFailed(db: Access, since: Date) {
  return failuresSince(db, since)
    .leftJoin('stages', 'stages.id', 'failed.stage_id')
    .selectAll('failed')
    .select(['stages.nom_stage', 'mailing.genre', 'mailing.type'])
    .orderBy('failed.id', 'desc')
    .limit(FAILURES_LISTED)
    .execute();
}

/**
 * Failures since an instant that nobody has mended: without codes that were sent again to the same address later, or
 * whose address nobody of the stay has any more. For other mails, nothing tells whether a later one says the same.
 */
function failuresSince(db: Access, since: Date) {
  return db
    .selectFrom('envois_messages as failed')
    .innerJoin('envois as mailing', 'mailing.id', 'failed.envoi_id')
    .where('failed.etat', '=', 'echec')
    .where('failed.termine_le', '>=', since.toISOString())
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('failed.stage_id', 'is', null),
        exists(
          selectFrom('stagiaires')
            .select('stagiaires.id')
            .whereRef('stagiaires.stage_id', '=', 'failed.stage_id')
            .where(
              sql<boolean>`failed.cle_destinataire in (lower(stagiaires.email), lower(stagiaires.email_2))`,
            ),
        ),
        exists(
          selectFrom('affectations')
            .innerJoin('formateurs', 'formateurs.id', 'affectations.formateur_id')
            .select('formateurs.id')
            .whereRef('affectations.stage_id', '=', 'failed.stage_id')
            .where(sql<boolean>`failed.cle_destinataire = lower(formateurs.mail)`),
        ),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('envois_messages as again')
            .innerJoin('envois as later', 'later.id', 'again.envoi_id')
            .select('again.id')
            .whereRef('again.cle_destinataire', '=', 'failed.cle_destinataire')
            .whereRef('again.id', '>', 'failed.id')
            .where('again.etat', 'in', ['attente', 'envoi', 'envoye'])
            .whereRef('later.genre', '=', 'mailing.genre')
            .where(sql<boolean>`later.type is not distinct from mailing.type`)
            .whereRef('again.stage_id', '=', 'failed.stage_id'),
        ),
      ),
    );
}

/**
 * Addresses, as `stay key`, that were sent one of these password versions, or have a message waiting, which
 * will bring the current one.
 */
export async function listReached(
  db: Access,
  type: PasswordType,
  stageIds: readonly number[],
  versions: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .select(['stage_id', 'cle_destinataire'])
    .where('stage_id', 'in', stageIds)
    .where('type', '=', type)
    .where('genre', '!=', 'essai')
    .where((expression) =>
      expression.or([
        expression('etat', 'in', ['attente', 'envoi']),
        expression('mdp_empreinte', 'in', versions),
      ]),
    )
    .execute();
  return new Set(rows.map(({ stage_id, cle_destinataire }) => `${stage_id} ${cle_destinataire}`));
}

/** Span of time; its end leaves out rows dated by a clock that ran far ahead. */
interface Span {
  after: Date;
  until: Date;
}

/** Span that a limit counts at `now`: also up to `ms` later, for rows dated by a machine whose clock is ahead. */
export function around(now: Date, ms: number): Span {
  return { after: new Date(now.getTime() - ms), until: new Date(now.getTime() + ms) };
}

/** Seconds until an instant is `ms` old; an instant in the future counts as now. */
export function secondsLeft(instant: string, ms: number, now: Date): number {
  const age = Math.max(0, now.getTime() - Date.parse(instant));
  return Math.ceil((ms - age) / 1000);
}

/** The latest mailing of a kind to one of these stays within a span; undefined when there is none. */
export function findLastMailing(
  db: Access,
  genre: 'codes' | 'mot',
  type: PasswordType,
  stageIds: readonly number[],
  span: Span,
): Promise<(Pick<MailingRow, 'created_at'> & Pick<Stay, 'nom_stage'>) | undefined> {
  return db
    .selectFrom('envois')
    .innerJoin('envois_messages', 'envois_messages.envoi_id', 'envois.id')
    .innerJoin('stages', 'stages.id', 'envois_messages.stage_id')
    .select(['envois.created_at', 'nom_stage'])
    .where('genre', '=', genre)
    .where('type', '=', type)
    .where('envois.created_at', '>', span.after.toISOString())
    .where('envois.created_at', '<=', span.until.toISOString())
    .where('envois_messages.stage_id', 'in', stageIds)
    .orderBy('envois.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Instants of an admin's mails to addresses of their choice (free mails and trials): the newest, `max` at most. */
export async function listFreeMails(db: Access, adminId: number, span: Span, max: number): Promise<string[]> {
  const rows = await db
    .selectFrom('envois')
    .select('created_at')
    .where('admin_id', '=', adminId)
    .where('genre', 'in', ['libre', 'essai'])
    .where('created_at', '>', span.after.toISOString())
    .where('created_at', '<=', span.until.toISOString())
    .orderBy('created_at', 'desc')
    .limit(max)
    .execute();
  return rows.map(({ created_at }) => created_at);
}

/** The lost codes sent, or waiting to be, to the address of this key within a span. */
export function listLostCodes(db: Access, key: string, span: Span) {
  return db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .select(['type', 'stage_id', 'envois_messages.created_at'])
    .where('genre', '=', 'perdu')
    .where('cle_destinataire', '=', key)
    .where('envois_messages.created_at', '>', span.after.toISOString())
    .where('envois_messages.created_at', '<=', span.until.toISOString())
    .execute();
}
