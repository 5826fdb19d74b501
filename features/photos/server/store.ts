import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Photo } from '#features/photos/calls.ts';
import { type PhotoState, photoFiles } from '#features/photos/shared/terms.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import {
  arePhotosOver,
  findStayToChange,
  getStay,
  noSuchStay,
  requireOwnStay,
  type Stay,
} from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';

/* Queries on the photos of stays, limited to what the viewer may see. */

export type PhotoRow = Selectable<Tables['photos']>;

/** Who views photos: `isFamily` limits them to the photos visible to families at `now`. */
export interface Viewer {
  isFamily: boolean;
  now: Date;
}

/** Any viewer other than staff or a director of the stay sees what a family sees. */
export function viewerOf(session: Session | undefined, now: Date): Viewer {
  return { isFamily: session?.role !== 'admin' && session?.role !== 'director', now };
}

/** Position of a photo in the list, which is sorted by these columns. */
export type Place = Pick<PhotoRow, 'jour' | 'prise_le' | 'id'>;

/** Photos of a stay, the latest first; `statut`: only those in this state. */
export function listPhotos(
  db: Access,
  stageId: number,
  viewer: Viewer,
  { statut, after, limit }: { statut: PhotoState | undefined; after: Place | undefined; limit: number },
): Promise<PhotoRow[]> {
  return ofStay(db, stageId, viewer, statut)
    .selectAll()
    .$if(after !== undefined, (query) => {
      const { jour, prise_le, id } = after as Place;
      return query.where(sql<boolean>`(jour, prise_le, id) < (${jour}, ${prise_le}, ${id})`);
    })
    .orderBy('jour', 'desc')
    .orderBy('prise_le', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function countPhotos(
  db: Access,
  stageId: number,
  viewer: Viewer,
  statut: PhotoState | undefined,
): Promise<number> {
  const { nombre } = await ofStay(db, stageId, viewer, statut)
    .select(({ fn }) => fn.countAll<number>().as('nombre'))
    .executeTakeFirstOrThrow();
  return nombre;
}

function ofStay(db: Access, stageId: number, { isFamily, now }: Viewer, statut: PhotoState | undefined) {
  return db
    .selectFrom('photos')
    .where('stage_id', '=', stageId)
    .$if(isFamily, (query) => query.where(seenAt(now)))
    .$if(statut !== undefined, (query) => query.where('statut', '=', statut as PhotoState));
}

/** Photos by their ids, the latest first; missing ones are left out. */
export function listByIds(db: Access, ids: readonly number[]): Promise<PhotoRow[]> {
  return db
    .selectFrom('photos')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('jour', 'desc')
    .orderBy('prise_le', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Removal requests for a stay's photos that wait for a decision, the oldest first. */
export function listOpenRemovals(db: Access, stageId: number) {
  return db
    .selectFrom('photos_retraits')
    .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
    .select(['photo_id', 'mot', 'photos_retraits.created_at'])
    .where('stage_id', '=', stageId)
    .where('traite_le', 'is', null)
    .orderBy('photos_retraits.id')
    .execute();
}

/** Photos of one stay in the form sent to their viewer. */
export async function describePhotos(
  db: Access,
  stageId: number,
  rows: readonly PhotoRow[],
  { isFamily }: Pick<Viewer, 'isFamily'>,
): Promise<Photo[]> {
  if (isFamily) return rows.map((row) => ({ ...describe(row), motif: '' }));
  const removals = Map.groupBy(await listOpenRemovals(db, stageId), (removal) => removal.photo_id);
  return rows.map((row) => {
    const { nom_envoye, refus, octets } = row;
    const demandes = (removals.get(row.id) ?? []).map(({ mot, created_at }) => ({ mot, created_at }));
    return { ...describe(row), gestion: { nom_envoye, refus, octets, demandes } };
  });
}

function describe(row: PhotoRow): Photo {
  const { id, statut, motif, jour, prise_le, legende, largeur, hauteur, apercu, version, publiee_le } = row;
  const fichiers = row.nom === null ? null : photoFiles(row.nom, row.a_jpeg === 1);
  return {
    id,
    statut,
    motif,
    jour,
    prise_le,
    legende,
    largeur,
    hauteur,
    apercu,
    version,
    publiee_le,
    fichiers,
  };
}

/** The attestation that a stay's photos may be published; undefined while nobody has given it. */
export function findAttestation(db: Access, stageId: number) {
  return db
    .selectFrom('attestations')
    .select(['formulaire', 'atteste_le', 'acteur'])
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is', null)
    .executeTakeFirst();
}

/** The last attestation whose photos were erased, with the counts made at that time; null when there is none. */
export async function findProof(db: Access, stageId: number) {
  const row = await db
    .selectFrom('attestations')
    .select(['formulaire', 'atteste_le', 'acteur', 'oui', 'non', 'inconnu', 'photos', 'efface_le'])
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row) return null;
  const { oui, non, inconnu, photos, efface_le, ...given } = row;
  return {
    ...given,
    oui: oui ?? 0,
    non: non ?? 0,
    inconnu: inconnu ?? 0,
    photos: photos ?? 0,
    efface_le: efface_le ?? '',
  };
}

/** Closes the open removal requests of photos on which a person has decided. */
export async function closeRemovals(transaction: Access, ids: readonly number[], now: Date): Promise<void> {
  await transaction
    .updateTable('photos_retraits')
    .set({ traite_le: now.toISOString() })
    .where('photo_id', 'in', ids)
    .where('traite_le', 'is', null)
    .execute();
}

/* Visibility: who sees the photos of a stay, and which of them. */

/** Whether families see a photo at `now`. */
export function isSeen({ statut, publiee_le }: Pick<PhotoRow, 'statut' | 'publiee_le'>, now: Date): boolean {
  return statut === 'publiee' && publiee_le !== null && publiee_le <= now.toISOString();
}

/** Like `isSeen`, as a query condition. */
export function seenAt(now: Date) {
  return ({ eb, and }: ExpressionBuilder<Tables, 'photos'>) =>
    and([eb('photos.statut', '=', 'publiee'), eb('photos.publiee_le', '<=', now.toISOString())]);
}

/** The stay of photos; throws 404 for a session of another stay, and for all but staff once the photos are over. */
export async function getPhotoStay(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  db: Access,
  session: Session | undefined,
  stageId: number,
): Promise<Stay> {
  requireOwnStay(session, stageId);
  const stay = await getStay(db, stageId);
  if (session?.role === 'admin') return stay;
  if (arePhotosOver(stay, await readSettings(db, config), config, clock())) throw noSuchStay();
  return stay;
}

/** Like `getPhotoStay`, but locks the stay: until the transaction ends, nobody else changes its photos. */
export async function holdPhotoStay(
  services: Services,
  transaction: Access,
  session: Session | undefined,
  stageId: number,
): Promise<Stay> {
  requireOwnStay(session, stageId);
  await findStayToChange(services.database, transaction, stageId);
  return getPhotoStay(services, transaction, session, stageId);
}
