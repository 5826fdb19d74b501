import { sql } from 'kysely';
import { type Access, countRows, type Database } from '#platform/server/db/database.ts';
import { jsonRows } from '#platform/server/db/json.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { photoFiles } from '../shared/terms.ts';
import { seenAt } from './store.ts';

/* The files of photos as they are served: look-ups, archives, selections for archives, and who opened what. */

export type PhotoFile = NonNullable<Awaited<ReturnType<typeof findPhotoFile>>>;

/** A photo file with what access to it depends on. `days`: the retention of the settings. */
export async function findPhotoFile(db: Access, name: string) {
  return db
    .selectFrom('fichiers')
    .innerJoin('photos', 'photos.id', 'fichiers.objet_id')
    .innerJoin('stages', 'stages.id', 'photos.stage_id')
    .select(['fichiers.nom', 'fichiers.dossier', 'fichiers.type', 'fichiers.taille'])
    .select(['photos.id as photo_id', 'photos.stage_id', 'photos.statut', 'photos.publiee_le'])
    .select(['stages.date_fin', 'stages.created_at', 'stages.conservation_jours'])
    .select(({ selectFrom }) =>
      selectFrom('reglages').select('valeur').where('cle', '=', 'photos_conservation_jours').as('days'),
    )
    .where('fichiers.nom', '=', name)
    .where('fichiers.dossier', '=', 'photos')
    .where('fichiers.objet', '=', 'photos')
    .executeTakeFirst();
}

/** Photos visible to families, the first day first and each in its order: each as its JPEG, or as its largest size where there is none. */
export function listKeptFiles(db: Access, stageId: number, day: string | undefined, now: Date) {
  const endings = photoFiles('', true);
  return db
    .selectFrom('photos')
    .innerJoin('fichiers', (join) =>
      join
        .on('fichiers.dossier', '=', 'photos')
        .on(
          'fichiers.nom',
          '=',
          sql<string>`photos.nom || case when photos.a_jpeg + photos.a_jpeg_leger > 0 then ${endings.jpeg} else ${endings.w1920} end`,
        ),
    )
    .select(['photos.id', 'photos.jour', 'photos.prise_le'])
    .select(['fichiers.nom', 'fichiers.taille', 'fichiers.crc32'])
    .where('photos.stage_id', '=', stageId)
    .where(seenAt(now))
    .$if(day !== undefined, (query) => query.where('photos.jour', '=', day as string))
    .orderBy('photos.jour')
    .orderBy('photos.rang')
    .orderBy('photos.id')
    .execute();
}

/** Whether a file is still one of a photo that families see, and the session has not ended. */
export async function isFileSeen(db: Access, photoId: number, file: string, session: Session, now: Date) {
  const seen = db
    .selectFrom('photos')
    .innerJoin('fichiers', 'fichiers.objet_id', 'photos.id')
    .innerJoin('sessions', (join) => join.on('sessions.id', '=', session.id))
    .where('photos.id', '=', photoId)
    .where('fichiers.nom', '=', file)
    .where('fichiers.objet', '=', 'photos')
    .where('sessions.expire_le', '>', now.toISOString())
    .where(seenAt(now));
  return (await countRows(seen)) > 0;
}

export async function countSelections(db: Access, sessionId: number, since: string): Promise<number> {
  return countRows(
    db.selectFrom('photos_selections').where('session_id', '=', sessionId).where('created_at', '>', since),
  );
}

export async function insertSelection(db: Access, selection: Tables['photos_selections']): Promise<void> {
  await db.insertInto('photos_selections').values(selection).execute();
}

/** Ids of the photos of a selection; undefined when it is not of this stay, or was not made after an instant. */
export async function findSelection(db: Access, stageId: number, cle: string, since: string) {
  const row = await db
    .selectFrom('photos_selections')
    .select('ids')
    .where('cle', '=', cle)
    .where('stage_id', '=', stageId)
    .where('created_at', '>', since)
    .executeTakeFirst();
  return row && (JSON.parse(row.ids) as number[]);
}

export async function deleteSelections(transaction: Access, until: string): Promise<void> {
  await transaction.deleteFrom('photos_selections').where('created_at', '<=', until).execute();
}

export type Opening = [photoId: number, sessionId: number, ip: string, at: string];

/**
 * Adds openings; of those of one photo by one session, the first one counts, in whichever order processes write theirs.
 * The join leaves out photos erased meanwhile.
 */
export async function insertOpenings(
  { engine }: Database,
  transaction: Access,
  openings: readonly Opening[],
): Promise<void> {
  const columns = { photo_id: 'bigint', session_id: 'bigint', ip: 'text', ouverte_le: 'text' } as const;
  await sql`
    insert into photos_ouvertures (photo_id, session_id, ip, ouverte_le)
    select ouvertes.photo_id, ouvertes.session_id, ouvertes.ip, ouvertes.ouverte_le
    from ${jsonRows(engine, 'ouvertes', columns, openings)} inner join photos on photos.id = ouvertes.photo_id
    where true on conflict (photo_id, session_id) do update set ip = excluded.ip, ouverte_le = excluded.ouverte_le
      where excluded.ouverte_le < photos_ouvertures.ouverte_le`.execute(transaction);
}

export function listOpenings(db: Access, stageId: number): Promise<Tables['photos_ouvertures'][]> {
  return db
    .selectFrom('photos_ouvertures')
    .innerJoin('photos', 'photos.id', 'photos_ouvertures.photo_id')
    .selectAll('photos_ouvertures')
    .where('stage_id', '=', stageId)
    .orderBy('ouverte_le')
    .orderBy('session_id')
    .orderBy('photo_id')
    .execute();
}
