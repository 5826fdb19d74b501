import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Actor, signature } from '#platform/server/actor.ts';
import { spend } from '#platform/server/budgets.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { addJobs } from '#platform/server/jobs/jobs.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { MailKind } from '#platform/shared/mails.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { laneOf } from './pacing.ts';
import { addressKey } from './transport.ts';

/*
 * The outbox. A mailing is written in the transaction of what it belongs to, with a job for each of its messages; from
 * then on the queue takes care of them, whatever happens to the process. A row says whom a message is for and what it is about, never its
 * content: texts are sealed, and the password of a stay is read when a message is sent.
 */

/** Texts that staff wrote. */
export interface MailTexts {
  objet: string;
  texte: string;
}

interface NewMessage {
  /** One plain address, already checked. */
  address: string;
  stageId?: number | undefined;
  contactId?: number | undefined;
}

export interface NewMailing {
  genre: MailKind;
  type?: PasswordType | undefined;
  texts?: MailTexts | undefined;
  actor: Actor & { session?: { adminId?: number | null } | undefined };
  messages: readonly NewMessage[];
}

/** Priority by kind, lowest first: single requested messages, then mailings; what visitors write comes last. */
const RANKS: Record<MailKind, number> = {
  alerte: 0,
  connexion: 0,
  perdu: 0,
  essai: 0,
  libre: 0,
  codes: 1,
  fin: 1,
  contact: 2,
};

/** Most rows in one statement. */
const SLICE = 500;

/** Adds a mailing, spends its messages from the budget of whoever acts, and returns its id; call `jobs.wake` after the commit, or it is found at the next poll. */
export async function insertMailing(
  transaction: Access,
  secrets: Secrets,
  { genre, type, texts, actor, messages }: NewMailing,
  now: Date,
): Promise<number> {
  await spend(transaction, 'mails', messages.length, now);
  const at = now.toISOString();
  const cle = randomBytes(16).toString('hex');
  const { id } = await transaction
    .insertInto('envois')
    .values({
      genre,
      type: type ?? null,
      cle,
      contenu: texts ? secrets.seal(JSON.stringify(texts), textsContext(cle)) : '',
      acteur: signature(actor).acteur,
      admin_id: actor.session?.adminId ?? null,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = messages.map(({ address, stageId, contactId }) => ({
    envoi_id: id,
    stage_id: stageId ?? null,
    contact_id: contactId ?? null,
    destinataire: address,
    cle_destinataire: addressKey(address),
    etat: 'attente' as const,
    attend_depuis: at,
    erreur: null,
    reponse: null,
    mdp_empreinte: null,
    created_at: at,
    termine_le: null,
  }));
  for (const slice of slicesOf(rows, SLICE)) {
    const inserted = await transaction
      .insertInto('envois_messages')
      .values(slice)
      .returning(['id', 'destinataire'])
      .execute();
    await queueMessages(transaction, genre, inserted, now);
  }
  return id;
}

/** Adds the jobs that send these messages; one that a message already has starts anew. */
export function queueMessages(
  transaction: Access,
  genre: MailKind,
  messages: readonly { id: number; destinataire: string }[],
  now: Date,
): Promise<void> {
  const jobs = messages.map(({ id, destinataire }) => ({
    queue: 'mails' as const,
    lane: laneOf(destinataire),
    rank: RANKS[genre],
    messageId: id,
    payload: { id },
  }));
  return addJobs(transaction, 'send-mail', jobs, now);
}

/** A message with the fields of its mailing. */
export type QueuedMessage = Selectable<Tables['envois_messages']> &
  Pick<Selectable<Tables['envois']>, 'genre' | 'type' | 'cle' | 'contenu'>;

export function queuedMessages(db: Access) {
  return db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .selectAll('envois_messages')
    .select(['envois.genre', 'envois.type', 'envois.cle', 'envois.contenu']);
}

/** Number of mailings of a kind written after an instant, including those whose messages are deleted. */
export async function countMailings(db: Access, genre: MailKind, after: Date): Promise<number> {
  const { count } = await db
    .selectFrom('envois')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('genre', '=', genre)
    .where('created_at', '>', after.toISOString())
    .executeTakeFirstOrThrow();
  return count;
}

/** Decrypts what staff wrote; undefined when there is none, or none any longer. */
export function openTexts(
  secrets: Secrets,
  mailing: { cle: string; contenu: string },
): MailTexts | undefined {
  if (mailing.contenu === '') return undefined;
  return JSON.parse(secrets.open(mailing.contenu, textsContext(mailing.cle)));
}

/** Seals what staff wrote again, with the next key. */
export async function resealTexts(transaction: Access, secrets: Secrets, next: Secrets): Promise<void> {
  const mailings = await transaction
    .selectFrom('envois')
    .select(['id', 'cle', 'contenu'])
    .where('contenu', '!=', '')
    .execute();
  for (const { id, cle, contenu } of mailings) {
    const context = textsContext(cle);
    const resealed = next.seal(secrets.open(contenu, context), context);
    await transaction.updateTable('envois').set({ contenu: resealed }).where('id', '=', id).execute();
  }
}

/** Deletes the texts that only a lost key opens. */
export async function forgetTexts(transaction: Access): Promise<void> {
  await transaction.updateTable('envois').set({ contenu: '' }).execute();
}

function textsContext(cle: string): string {
  return `envoi:${cle}`;
}
