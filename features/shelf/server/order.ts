import { journal } from '#features/audit/server/journal.ts';
import { numberChange } from '#features/photos/server/changesStore.ts';
import { notifyPhotos } from '#features/photos/server/live.ts';
import { holdPhotoStay, isSeen, listDayOrder, updateOrder } from '#features/photos/server/store.ts';
import type { Actor } from '#platform/server/actor.ts';
import { invalid, notFound } from '#platform/server/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { placeBefore, type Ranked } from '../shared/order.ts';

type DayOrder = Awaited<ReturnType<typeof listDayOrder>>;

export function orderHandlers(services: Services) {
  return {
    'POST /stages/:id/jours/:date/ordre': async ({ params, body: { ids, avant }, ...context }) => {
      const count = await reorder(services, context, params, (photos) => {
        const ofDay = new Set(photos.map(({ id }) => id));
        const named = avant === null ? ids : [...ids, avant];
        if (named.some((id) => !ofDay.has(id)))
          throw notFound('Une de ces photos n’est pas, ou n’est plus, à ce jour du séjour.');
        if (avant !== null && ids.includes(avant))
          throw invalid({ avant: 'une photo ne peut pas être mise avant elle-même.' }, { avant: 'Avant' });
        return placeBefore(photos, ids, avant);
      });
      return { message: count > 0 ? 'Ordre enregistré' : 'Rien à changer\u202f: cet ordre est déjà le leur' };
    },
    'DELETE /stages/:id/jours/:date/ordre': async ({ params, ...context }) => {
      await reorder(services, context, params, (photos) =>
        photos
          .filter(({ rang, prise_le }) => rang !== prise_le)
          .map(({ id, prise_le }) => ({ id, rang: prise_le })),
      );
      return { message: 'Photos remises dans l’ordre des prises de vue' };
    },
  } satisfies Partial<Handlers>;
}

/** Changes the order of the photos of a day, which nobody else changes meanwhile; returns how many have moved. */
async function reorder(
  services: Services,
  context: Actor & { session: Session | undefined },
  { id, date }: { id: number; date: string },
  orderOf: (photos: DayOrder) => readonly Ranked[],
): Promise<number> {
  const { database, clock } = services;
  const count = await database.write(async (transaction) => {
    await holdPhotoStay(services, transaction, context.session, id);
    const photos = await listDayOrder(transaction, id, date);
    const changed = orderOf(photos);
    if (changed.length === 0) return 0;
    const now = clock();
    const moved = new Set(changed.map((photo) => photo.id));
    const isShown = photos.some((photo) => moved.has(photo.id) && isSeen(photo, now));
    const numero = await numberChange(transaction, id, isShown);
    await updateOrder(transaction, changed, numero, now);
    await journal(transaction, context, now, 'ordre des photos d’un jour', { table: 'stages', id });
    return changed.length;
  });
  if (count > 0) notifyPhotos(services, id);
  return count;
}
