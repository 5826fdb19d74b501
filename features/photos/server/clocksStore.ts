import { type Insertable, type Selectable, sql } from 'kysely';
import { type Access, type Engine, insertedId } from '#platform/server/db/database.ts';
import { jsonRows } from '#platform/server/db/json.ts';
import { UNREADABLE } from '../shared/states.ts';
import type { PhotoRow } from './store.ts';
import type { PhotosHorlogesTable } from './tables.ts';

/* Clocks of cameras: photos by camera, and what people answered about them. */

export type ClockRow = Selectable<PhotosHorlogesTable>;

/** What is read of a photo to judge and to move its capture time. */
export type DatedPhoto = Pick<PhotoRow, (typeof DATED)[number]>;
const DATED = [
  'id',
  'statut',
  'publiee_le',
  'nom',
  'appareil',
  'jour',
  'prise_le',
  'created_at',
  'choisie_le',
] as const;

/** Photos of a stay dated by a camera: those about which nobody has answered, or those of one answer. */
export function listDated(db: Access, stageId: number, clockId: number | null): Promise<DatedPhoto[]> {
  return db
    .selectFrom('photos')
    .select(DATED)
    .where('stage_id', '=', stageId)
    .where('appareil', '!=', '')
    .where('statut', 'not in', UNREADABLE)
    .where('horloge_id', clockId === null ? 'is' : '=', clockId)
    .execute();
}

export function listClocks(db: Access, stageId: number): Promise<ClockRow[]> {
  return db
    .selectFrom('photos_horloges')
    .selectAll()
    .where('stage_id', '=', stageId)
    .orderBy('id', 'desc')
    .execute();
}

export async function countByClock(db: Access, stageId: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('photos')
    .select(({ fn }) => ['horloge_id', fn.countAll<number>().as('nombre')])
    .where('stage_id', '=', stageId)
    .where('horloge_id', 'is not', null)
    .groupBy('horloge_id')
    .execute();
  return new Map(rows.map(({ horloge_id, nombre }) => [horloge_id as number, nombre]));
}

export async function insertClock(
  transaction: Access,
  values: Insertable<PhotosHorlogesTable>,
): Promise<number> {
  return insertedId(transaction.insertInto('photos_horloges').values(values));
}

export async function deleteClock(transaction: Access, id: number): Promise<void> {
  await transaction.deleteFrom('photos_horloges').where('id', '=', id).execute();
}

/** Writes new capture times and days of photos, each with its own, as one statement. */
export async function movePhotos(
  transaction: Access,
  engine: Engine,
  moved: readonly Pick<PhotoRow, 'id' | 'prise_le' | 'jour'>[],
  change: Pick<PhotoRow, 'horloge_id' | 'numero' | 'modifie_le'>,
): Promise<void> {
  const columns = { id: 'bigint', prise_le: 'text', jour: 'text' } as const;
  const rows = moved.map(({ id, prise_le, jour }) => [id, prise_le, jour]);
  await sql`
    update photos set prise_le = l.prise_le, rang = l.prise_le, jour = l.jour, horloge_id = ${change.horloge_id},
      numero = ${change.numero}, modifie_le = ${change.modifie_le}
    from ${jsonRows(engine, 'l', columns, rows)} where photos.id = l.id`.execute(transaction);
}
