import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { photoTimeOf } from '#features/stays/server/photoTime.ts';
import {
  findStayToChange,
  getStay,
  noSuchStay,
  requireOwnStay,
  type Stay,
} from '#features/stays/server/staysStore.ts';
import { type Access, countRows } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { RECEIVED_FOLDER } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { plainCamera } from '#platform/shared/camera.ts';
import type { Photo } from '../calls.ts';
import {
  AWAIT_DECISION,
  AWAIT_PREPARATION,
  GIVEN_UP,
  IN_BIN,
  OF_DAY,
  PHOTO_STATES,
  type PhotoState,
  PUBLIC,
  STATES,
} from '../shared/states.ts';
import { listBefores, weighBefores } from './binStore.ts';
import { listOpenRemovals } from './removalsStore.ts';
import { filesOf, isWhole } from './versions.ts';

/* Queries on the photos of stays, limited to what the viewer may see. */

export type PhotoRow = Selectable<Tables['photos']>;

/** Who views photos: `isFamily` limits them to the photos visible to families at `now`. */
export interface Viewer {
  isFamily: boolean;
  now: Date;
}

/** Any viewer other than staff or a director of the stay sees what a family sees. */
export function viewerOf(session: Session | undefined, now: Date): Viewer {
  return { isFamily: isFamily(session), now };
}

const isFamily = (session: Session | undefined) => session?.role !== 'admin' && session?.role !== 'director';

/** Whether families see a photo at `now`. */
export function isSeen({ statut, publiee_le }: Pick<PhotoRow, 'statut' | 'publiee_le'>, now: Date): boolean {
  return PHOTO_STATES[statut].isPublic && publiee_le !== null && publiee_le <= now.toISOString();
}

export function areSeen(photos: readonly Pick<PhotoRow, 'statut' | 'publiee_le'>[], now: Date): boolean {
  return photos.some((photo) => isSeen(photo, now));
}

/** Like `isSeen`, as a query condition. */
export function seenAt(now: Date) {
  return ({ eb, and }: ExpressionBuilder<Tables, 'photos'>) =>
    and([eb('photos.statut', 'in', PUBLIC), eb('photos.publiee_le', '<=', now.toISOString())]);
}

/** Whether a viewer has a photo among those of its stay; the bin is looked into on its own. */
export function isListed(photo: Pick<PhotoRow, 'statut' | 'publiee_le'>, { isFamily, now }: Viewer): boolean {
  return isFamily ? isSeen(photo, now) : !PHOTO_STATES[photo.statut].isInBin;
}

/** The stay of photos; throws 404 for a session of another stay, and for all but staff once the photos are over. */
export async function getPhotoStay(
  services: Services,
  db: Access,
  session: Session | undefined,
  stageId: number,
): Promise<Stay> {
  requireOwnStay(session, stageId);
  const stay = await getStay(db, stageId);
  if (session?.role === 'admin') return stay;
  if ((await photoTimeOf(services, db, stay)).isOver) throw noSuchStay();
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

/** Position of a photo in the list, which is sorted by these columns. */
export type Place = Pick<PhotoRow, 'jour' | 'rang' | 'id'>;

/** Photos of a stay, the last day first and each day in its order; `statut`: only those in this state, maybe the bin. */
export function listPhotos(
  db: Access,
  stageId: number,
  viewer: Viewer,
  { statut, after, limit }: { statut: PhotoState | undefined; after: Place | undefined; limit: number },
): Promise<PhotoRow[]> {
  return ofStay(db, stageId, viewer, statut)
    .selectAll()
    .$if(after !== undefined, (query) => {
      const { jour, rang, id } = after as Place;
      // The first condition, which the second implies, is the one that an index answers.
      return query
        .where('jour', '<=', jour)
        .where(sql<boolean>`(jour < ${jour} or (rang, id) > (${rang}, ${id}))`);
    })
    .orderBy('jour', 'desc')
    .orderBy('rang')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function countPhotos(
  db: Access,
  stageId: number,
  viewer: Viewer,
  statut: PhotoState | undefined,
): Promise<number> {
  return countRows(ofStay(db, stageId, viewer, statut));
}

/** Counts, by stay id, the photos that await a decision and those whose removal was requested. */
export async function countWaitingPhotos(db: Access) {
  const counts = db
    .selectFrom('photos')
    .select(({ fn }) => ['stage_id', fn.count<number>('photos.id').distinct().as('nombre')])
    .groupBy('stage_id');
  const toCheck = await counts.where('statut', 'in', AWAIT_DECISION).execute();
  const requested = counts
    .innerJoin('photos_retraits', 'photo_id', 'photos.id')
    .where('traite_le', 'is', null);
  const byStay = (rows: { stage_id: number; nombre: number }[]) =>
    new Map(rows.map(({ stage_id, nombre }) => [stage_id, Number(nombre)]));
  return { toCheck: byStay(toCheck), asked: byStay(await requested.execute()) };
}

function ofStay(db: Access, stageId: number, { isFamily, now }: Viewer, statut: PhotoState | undefined) {
  return db
    .selectFrom('photos')
    .where('stage_id', '=', stageId)
    .$if(isFamily, (query) => query.where(seenAt(now)))
    .$if(!isFamily && statut === undefined, (query) => query.where('statut', 'not in', IN_BIN))
    .$if(statut !== undefined, (query) => query.where('statut', '=', statut as PhotoState));
}

/** Photos by their ids, in the order of the list; missing ones are left out. */
export function listByIds(db: Access, ids: readonly number[]): Promise<PhotoRow[]> {
  return db
    .selectFrom('photos')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('jour', 'desc')
    .orderBy('rang')
    .orderBy('id')
    .execute();
}

/** Photos of one stay in the form sent to a session; what they were before they were blurred is for staff alone. */
export async function describePhotos(
  db: Access,
  stageId: number,
  rows: readonly PhotoRow[],
  session: Session | undefined,
): Promise<Photo[]> {
  if (isFamily(session)) return rows.map((row) => ({ ...describe(row), motif: '' }));
  const befores = session?.role === 'admin' ? await listBefores(db, stageId) : [];
  const latest = new Map(befores.map((before) => [before.photo_id, before]));
  const removals = Map.groupBy(await listOpenRemovals(db, stageId), (removal) => removal.photo_id);
  return rows.map((row) => {
    const { nom_envoye, refus, octets, jetee_le, jetee_par, effacement_le, ecartee_le, ecartee_par } = row;
    const corbeille = jetee_le === null ? null : { jetee_le, jetee_par, effacement_le };
    const ecartee = ecartee_le === null ? null : { ecartee_le, ecartee_par };
    const demandes = (removals.get(row.id) ?? []).map(({ mot, created_at }) => ({ mot, created_at }));
    const appareil = plainCamera(row.appareil);
    const avant = latest.get(row.id) ?? null;
    return {
      ...describe(row),
      gestion: { nom_envoye, refus, octets, demandes, appareil, ecartee, corbeille, avant },
    };
  });
}

function describe(row: PhotoRow): Photo {
  const { id, statut, motif, jour, prise_le, rang, legende, largeur, hauteur, apercu, publiee_le } = row;
  const fichiers = filesOf(row);
  return {
    id,
    statut,
    motif,
    jour,
    prise_le,
    rang,
    legende,
    largeur,
    hauteur,
    apercu,
    // A full version that waits for its preparation is not what is seen, nor what is taken home.
    version: fichiers && !isWhole(row) ? 'legere' : row.version,
    publiee_le,
    fichiers,
  };
}

export function listByFingerprints(db: Access, stageId: number, fingerprints: readonly string[]) {
  return db
    .selectFrom('photos')
    .selectAll()
    .where('stage_id', '=', stageId)
    .where('empreinte', 'in', fingerprints)
    .execute();
}

/**
 * Received photos that will never be prepared, as their file or their job is gone: the stay of each. `prepare-photo` jobs
 * know their photo by its id.
 */
export async function listStuck(db: Access): Promise<number[]> {
  const received = await db
    .selectFrom('photos')
    .select(['id', 'stage_id'])
    .where('statut', 'in', AWAIT_PREPARATION)
    .execute();
  const files = await db
    .selectFrom('fichiers')
    .select('objet_id')
    .where('objet', '=', 'photos')
    .where('dossier', '=', RECEIVED_FOLDER)
    .execute();
  const jobs = await db.selectFrom('jobs').select('charge').where('nom', '=', 'prepare-photo').execute();
  const hasFile = new Set(files.map(({ objet_id }) => objet_id));
  const hasJob = new Set(jobs.map(({ charge }) => Number(JSON.parse(charge).id)));
  const stuck = received.filter(({ id }) => !hasFile.has(id) || !hasJob.has(id));
  return stuck.map(({ stage_id }) => stage_id);
}

/** Numbers of photos of all stays by state; states without any are left out. */
export async function countByState(db: Access): Promise<Map<PhotoState, number>> {
  const rows = await db
    .selectFrom('photos')
    .select(['statut', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('statut')
    .execute();
  return new Map(rows.map(({ statut, count }) => [statut, count]));
}

export async function listFirstIds(db: Access, stageId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('photos')
    .select('id')
    .where('stage_id', '=', stageId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** What identifies a photo in an older database too: the id of its stay and the SHA-256 of its file never change. */
export type NamedPhoto = Pick<PhotoRow, 'stage_id' | 'empreinte'>;

export function listNames(db: Access, stageId?: number): Promise<(NamedPhoto & { id: number })[]> {
  return db
    .selectFrom('photos')
    .select(['id', 'stage_id', 'empreinte'])
    .$if(stageId !== undefined, (query) => query.where('stage_id', '=', stageId as number))
    .execute();
}

/** Photos that families see or will see, of all stays. */
export function listPublic(db: Access) {
  return db.selectFrom('photos').select(['id', 'stage_id']).where('statut', 'in', PUBLIC).execute();
}

export async function countStates(db: Access, stageId: number, now: Date) {
  const rows = await db
    .selectFrom('photos')
    .select(({ fn, eb }) => [
      'statut',
      fn.countAll<number>().as('nombre'),
      fn.sum<number>('octets').as('octets'),
      fn.sum<number>(eb.case().when('version', '=', 'legere').then(1).else(0).end()).as('legeres'),
      fn
        .sum<number>(eb.case().when('publiee_le', '>', now.toISOString()).then(1).else(0).end())
        .as('programmees'),
    ])
    .where('stage_id', '=', stageId)
    .groupBy('statut')
    .execute();
  // PostgreSQL sums numbers into one that it sends as text.
  const sum = (what: 'octets' | 'legeres' | 'programmees', some = rows) =>
    some.reduce((all, row) => all + Number(row[what]), 0);
  const numberOf = (statut: PhotoState) => rows.find((row) => row.statut === statut)?.nombre ?? 0;
  return {
    par_statut: Object.fromEntries(STATES.map((statut) => [statut, numberOf(statut)])) as Record<
      PhotoState,
      number
    >,
    programmees: sum(
      'programmees',
      rows.filter(({ statut }) => PHOTO_STATES[statut].isPublic),
    ),
    legeres: sum(
      'legeres',
      rows.filter(({ statut }) => !PHOTO_STATES[statut].isInBin),
    ),
    octets: sum('octets') + (await weighBefores(db, stageId)),
  };
}

/** Number of a stay's photos, and the sum of their bytes and of what they were before they were blurred. */
export async function measurePhotos(db: Access, stageId: number): Promise<{ count: number; octets: number }> {
  const { count, octets } = await db
    .selectFrom('photos')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('octets').as('octets')])
    .where('stage_id', '=', stageId)
    .executeTakeFirstOrThrow();
  return { count: Number(count), octets: Number(octets ?? 0) + (await weighBefores(db, stageId)) };
}

/** Number of photos of a stay that wait for the preparation of their first version, or of their full one. */
export async function countWaiting(db: Access, stageId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('photos')
      .where('stage_id', '=', stageId)
      .where(({ or, and, eb }) =>
        or([
          eb('statut', 'in', AWAIT_PREPARATION),
          and([...[eb('version', '=', 'complete'), eb('a_jpeg', '=', 0)], eb('statut', 'not in', GIVEN_UP)]),
        ]),
      ),
  );
}

/** Prepared photos without a JPEG: light ones of version 1.1.0. */
export async function listWithoutJpeg(db: Access): Promise<number[]> {
  const rows = await db
    .selectFrom('photos')
    .select('id')
    .where('nom', 'is not', null)
    .where('a_jpeg', '=', 0)
    .where('a_jpeg_leger', '=', 0)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export function findPhoto(db: Access, id: number): Promise<PhotoRow | undefined> {
  return db.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Photos of a day of a stay, in their order, with what it depends on; without those in the bin. */
export function listDayOrder(db: Access, stageId: number, jour: string) {
  return db
    .selectFrom('photos')
    .select(['id', 'rang', 'prise_le', 'statut', 'publiee_le'])
    .where('stage_id', '=', stageId)
    .where('jour', '=', jour)
    .where('statut', 'not in', IN_BIN)
    .orderBy('rang')
    .orderBy('id')
    .execute();
}

/**
 * Puts the photos that one camera took in the second of this one, without telling them apart, in the order of the names of
 * their files, a millisecond one after the other. What a person moved stays. The stay is held.
 */
export async function orderBurst(
  transaction: Access,
  one: Pick<PhotoRow, 'stage_id' | 'jour' | 'prise_le' | 'appareil' | 'suite'>,
  numero: number,
): Promise<void> {
  const { stage_id, jour, prise_le, appareil, suite } = one;
  if (suite === '') return;
  const second = prise_le.slice(0, 19);
  const found = await transaction
    .selectFrom('photos')
    .select(['id', 'prise_le', 'rang', 'suite'])
    .where('stage_id', '=', stage_id)
    .where('jour', '=', jour)
    .where('rang', '>=', `${second}.000Z`)
    .where('rang', '<=', `${second}.999Z`)
    .where('appareil', '=', appareil)
    .where('suite', '!=', '')
    .execute();
  const unmoved = found.filter((photo) => photo.rang === photo.prise_le);
  // Not sorted by the database: each has its own order of texts.
  const places = [...new Set(unmoved.map((photo) => photo.suite))].sort();
  for (const photo of unmoved) {
    const place = Math.min(places.indexOf(photo.suite), 999);
    const taken = `${second}.${String(place).padStart(3, '0')}Z`;
    if (taken === photo.prise_le) continue;
    const changes = { prise_le: taken, rang: taken, numero };
    await transaction.updateTable('photos').set(changes).where('id', '=', photo.id).execute();
  }
}

export async function updateOrder(
  transaction: Access,
  changed: readonly Pick<PhotoRow, 'id' | 'rang'>[],
  numero: number,
  now: Date,
): Promise<void> {
  const modifie_le = now.toISOString();
  for (const { id, rang } of changed)
    await transaction.updateTable('photos').set({ rang, numero, modifie_le }).where('id', '=', id).execute();
}

/** Days with a word or visible photos, the last first; reviewers' counts leave out those that families will not see. */
export async function listDays(db: Access, stageId: number, { isFamily, now }: Viewer) {
  const words = await db
    .selectFrom('jours')
    .select(['jour', 'mot'])
    .where('stage_id', '=', stageId)
    .execute();
  const counted = await db
    .selectFrom('photos')
    .select(({ fn }) => ['jour', fn.countAll<number>().as('nombre')])
    .where('stage_id', '=', stageId)
    .$if(isFamily, (query) => query.where(seenAt(now)))
    .$if(!isFamily, (query) => query.where('statut', 'in', OF_DAY))
    .groupBy('jour')
    .execute();
  const said = new Map(words.map(({ jour, mot }) => [jour, mot]));
  const counts = new Map(counted.map(({ jour, nombre }) => [jour, nombre]));
  const days = [...new Set([...said.keys(), ...counts.keys()])].sort().reverse();
  return days.map((jour) => ({ jour, mot: said.get(jour) ?? '', photos: counts.get(jour) ?? 0 }));
}

export async function putWord(db: Access, stageId: number, jour: string, mot: string, now: Date) {
  const values = { mot, modifie_le: now.toISOString() };
  await db
    .insertInto('jours')
    .values({ stage_id: stageId, jour, ...values })
    .onConflict((clash) => clash.columns(['stage_id', 'jour']).doUpdateSet(values))
    .execute();
}

export async function deleteWord(db: Access, stageId: number, jour: string): Promise<void> {
  await db.deleteFrom('jours').where('stage_id', '=', stageId).where('jour', '=', jour).execute();
}
