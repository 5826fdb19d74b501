import type { Selectable } from 'kysely';
import { seenAt } from '#features/photos/server/store.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';

/* Queries of the evening mail. An address of a family is one row of `destinataires` a stay. */

export type Told = Selectable<Tables['destinataires']>;
/** Such a row with a link, and so with what it was told up to. */
export type Linked = Told & { soir_le: string };

/** Children who were given a link on paper have a row as well, without an address. */
const families = (db: Access) =>
  db
    .selectFrom('destinataires')
    .selectAll()
    .where('type', '=', 'stagiaire')
    .where('lien', 'is not', null)
    .where('adresse', 'like', '%@%');

/** The families' addresses of these stays that have a link which opens. */
export async function listLinked(db: Access, stageIds: readonly number[]): Promise<Linked[]> {
  if (stageIds.length === 0) return [];
  return families(db)
    .where('stage_id', 'in', stageIds)
    .where('coupe_le', 'is', null)
    .where('soir_le', 'is not', null)
    .$narrowType<{ soir_le: string }>()
    .orderBy('stage_id')
    .orderBy('adresse')
    .execute();
}

/** What there is of one address, in all of its stays. */
export function listOfAddress(db: Access, key: string): Promise<Told[]> {
  return families(db).where('adresse', '=', key).orderBy('stage_id').execute();
}

export function findByLink(db: Access, lien: string): Promise<Told | undefined> {
  return families(db).where('lien', '=', lien).executeTakeFirst();
}

/** The addresses that want no more evening mails. */
export async function listStopped(db: Access): Promise<Set<string>> {
  const rows = await families(db).where('soir_arret', 'is not', null).execute();
  return new Set(rows.map(({ adresse }) => adresse));
}

/** Ends the evening mails of an address, or with null begins them again. */
export async function writeStop(transaction: Access, key: string, when: string | null): Promise<void> {
  await transaction
    .updateTable('destinataires')
    .set({ soir_arret: when })
    .where('type', '=', 'stagiaire')
    .where('adresse', '=', key)
    .execute();
}

/** Troubles that no later mail to the same address will be without. */
const DEAD: readonly MailTrouble[] = ['adresse_inconnue', 'domaine_inconnu', 'boite_fermee'];

/** The addresses at which nobody receives mails: the last one to come back says so. */
export async function listDead(db: Access): Promise<Set<string>> {
  const rows = await db
    .selectFrom('envois_messages as failed')
    .select('cle_destinataire')
    .distinct()
    .where('etat', '=', 'echec')
    .where('erreur', 'in', DEAD)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('envois_messages as later')
            .select('later.id')
            .whereRef('later.cle_destinataire', '=', 'failed.cle_destinataire')
            .whereRef('later.id', '>', 'failed.id')
            .where('later.etat', '=', 'envoye'),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ cle_destinataire }) => cle_destinataire));
}

/** The addresses whose last evening mail has not left yet, with when it was written. */
export async function listWaiting(db: Access): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envoi_id')
    .select(['cle_destinataire', 'envois_messages.created_at'])
    .where('genre', '=', 'soir')
    .where('etat', 'in', ['attente', 'envoi'])
    .execute();
  return new Map(rows.map(({ cle_destinataire, created_at }) => [cle_destinataire, created_at]));
}

/**
 * Notes that addresses of a stay are told what is new up to `now`; `isNew` false: by a mail that already counts what was
 * new there, and goes on from where it did.
 */
export async function moveTold(
  transaction: Access,
  stageId: number,
  keys: readonly string[],
  now: Date,
  isNew: boolean,
): Promise<void> {
  for (const slice of slicesOf(keys))
    await transaction
      .updateTable('destinataires')
      .$if(isNew, (query) => query.set(({ ref }) => ({ soir_depuis: ref('soir_le') })))
      .set({ soir_le: now.toISOString() })
      .where('type', '=', 'stagiaire')
      .where('stage_id', '=', stageId)
      .where('adresse', 'in', slice)
      .execute();
}

/** A photo that families see since `at`, one that they saw before and that is there in full since, or a word of the day. */
export interface New {
  stageId: number;
  kind: 'photo' | 'full' | 'word';
  at: string;
  /** Of a photo that is there in full: since when it is seen. */
  seen?: string;
  /** Its day in the stay. */
  day: string;
}

/** Whether something is new to who was told up to `since`: a photo that is new itself is not told twice. */
export const isNew = ({ at, seen = '' }: New, since: string) => at > since && seen <= since;

/** What families of these stays may have seen appear after an instant. */
export async function listNews(
  db: Access,
  stageIds: readonly number[],
  after: string,
  now: Date,
): Promise<New[]> {
  if (stageIds.length === 0) return [];
  const photos = await db
    .selectFrom('photos')
    .select(['stage_id', 'publiee_le', 'jour'])
    .where('stage_id', 'in', stageIds)
    .where(seenAt(now))
    .where('publiee_le', '>', after)
    .execute();
  const full = await db
    .selectFrom('photos')
    .select(['stage_id', 'publiee_le', 'complete_le', 'jour'])
    .where('stage_id', 'in', stageIds)
    .where(seenAt(now))
    .where('complete_le', '>', after)
    .whereRef('complete_le', '>', 'publiee_le')
    .execute();
  const words = await db
    .selectFrom('jours')
    .select(['stage_id', 'modifie_le', 'jour'])
    .where('stage_id', 'in', stageIds)
    .where('modifie_le', '>', after)
    .execute();
  return [
    ...photos.map(({ stage_id: stageId, publiee_le, jour: day }) => {
      return { stageId, kind: 'photo' as const, at: publiee_le ?? '', day };
    }),
    ...full.map(({ stage_id: stageId, publiee_le, complete_le, jour: day }) => {
      return { stageId, kind: 'full' as const, at: complete_le ?? '', seen: publiee_le ?? '', day };
    }),
    ...words.map(({ stage_id: stageId, modifie_le: at, jour: day }) => {
      return { stageId, kind: 'word' as const, at, day };
    }),
  ];
}
