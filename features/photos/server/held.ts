import { journal } from '#features/audit/server/journal.ts';
import type { Stay } from '#features/stays/server/staysStore.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, notFound } from '#platform/server/errors.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { AWAIT_PREPARATION, PHOTO_STATES, type PhotoState, UNREADABLE } from '../shared/states.ts';
import { notePhotoErasures } from './erasures.ts';
import { notifyPhotos } from './live.ts';
import { holdPhotoStay, listByIds, type PhotoRow } from './store.ts';

/* What every change that a person makes to photos has in common. */

export type Deciding = Actor & { session: Session | undefined };

/** A stay whose photos nobody else changes until the transaction ends. */
export interface HeldStay {
  transaction: Access;
  stay: Stay;
  now: Date;
}

/** Photos of such a stay. */
export interface Held extends HeldStay {
  context: Deciding;
  photos: PhotoRow[];
  ids: number[];
}

/** Where photos are looked for: what is in the bin is not there for anything else. */
type Place = 'stay' | 'bin' | 'anywhere';

interface StayChange<Answer> {
  answer: Answer;
  /** In the words of the journal; undefined: nothing is worth a line. */
  action: string | undefined;
}

interface Change<Answer> extends StayChange<Answer> {
  /** Ids of the photos that the line is about, if not all. */
  changed?: readonly number[];
  /** Photos that families no longer see, and those erased for good: so they stay on an older database. */
  hidden?: readonly PhotoRow[];
  erased?: readonly PhotoRow[];
}

/** Holds a stay, changes what it says of its photos by `change`, writes the journal, and tells pages once that is committed. */
export async function onStay<Answer>(
  services: Services,
  context: Deciding,
  id: number,
  change: (held: HeldStay) => Promise<StayChange<Answer>>,
): Promise<Answer> {
  const { answer, action } = await services.database.write(async (transaction) => {
    const stay = await holdPhotoStay(services, transaction, context.session, id);
    const now = services.clock();
    const done = await change({ transaction, stay, now });
    if (done.action) await journal(transaction, context, now, done.action, { table: 'stages', id });
    return done;
  });
  if (action) notifyPhotos(services, id);
  return answer;
}

/** Holds photos of one stay, changes them by `change`, writes the journal, and tells pages once that is committed. */
export async function onPhotos<Answer>(
  services: Services,
  context: Deciding,
  wanted: readonly number[],
  place: Place,
  change: (held: Held) => Promise<Change<Answer>>,
): Promise<Answer> {
  const ids = [...new Set(wanted)];
  const { stageId, answer } = await services.database.write(async (transaction) => {
    const { stay, photos } = await holdPhotos(services, transaction, context.session, ids, place);
    const now = services.clock();
    const done = await change({ transaction, context, stay, photos, ids, now });
    const about = aboutOf(stay, done.changed ?? ids);
    if (done.action) await journal(transaction, context, now, done.action, about);
    await notePhotoErasures(services, transaction, done.hidden ?? [], 'photo-cachee');
    await notePhotoErasures(services, transaction, done.erased ?? [], 'photo');
    return { stageId: stay.id, answer: done.answer };
  });
  notifyPhotos(services, stageId);
  return answer;
}

export const noSuchPhoto = () => notFound('Cette photo n’existe pas ou n’existe plus.');
const noSuchPhotos = () => notFound('Une de ces photos n’existe pas ou n’existe plus.');

/**
 * Locks the stay of photos to change them. Throws 404 unless all exist, belong to one stay open to the session, and are
 * where they are looked for.
 */
export async function holdPhotos(
  services: Services,
  transaction: Access,
  session: Session | undefined,
  ids: readonly number[],
  place: Place,
): Promise<Pick<Held, 'stay' | 'photos'>> {
  const refused = ids.length === 1 ? noSuchPhoto : noSuchPhotos;
  const isThere = ({ statut }: PhotoRow) =>
    place === 'anywhere' || PHOTO_STATES[statut].isInBin === (place === 'bin');
  const named = await listByIds(transaction, ids);
  const [first, ...others] = new Set(named.map(({ stage_id }) => stage_id));
  if (first === undefined || others.length > 0) throw refused();
  if (session?.role !== 'admin' && session?.stageId !== first) throw refused();
  const stay = await holdPhotoStay(services, transaction, session, first);
  const photos = (await listByIds(transaction, ids)).filter(isThere);
  if (photos.length < ids.length) throw refused();
  return { stay, photos };
}

/** Throws 409 when some photos are still in preparation or unreadable. */
export function requirePrepared(photos: readonly PhotoRow[]): void {
  const count = (states: readonly PhotoState[]) =>
    photos.filter(({ statut }) => states.includes(statut)).length;
  const [coming, unreadable] = [count(AWAIT_PREPARATION), count(UNREADABLE)];
  const parts = [
    ...(coming > 0 ? [`${coming} ${coming > 1 ? 'sont' : 'est'} encore en préparation`] : []),
    ...(unreadable > 0 ? [`${unreadable} ${unreadable > 1 ? 'sont illisibles' : 'est illisible'}`] : []),
  ];
  if (parts.length === 0) return;
  throw conflict(`Rien n’a changé\u202f: parmi ces photos, ${parts.join(' et ')}.`);
}

function aboutOf(stay: Stay, [id, ...others]: readonly number[]) {
  return id !== undefined && others.length === 0 ? { table: 'photos', id } : { table: 'stages', id: stay.id };
}

/** « d’une photo », « de 3 photos ». */
export function ofPhotos(count: number): string {
  return count === 1 ? 'd’une photo' : `de ${count} photos`;
}

/** « 1 photo publiée », « 3 photos publiées ». */
export function several(count: number, one: string, many: string): string {
  return count === 1 ? `1 photo ${one}` : `${count} photos ${many}`;
}
