import { numberChange } from '#features/photos/server/changesStore.ts';
import { type Deciding, onStay } from '#features/photos/server/held.ts';
import { areSeen, listDayOrder, updateOrder } from '#features/photos/server/store.ts';
import { invalid, notFound } from '#platform/server/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
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
function reorder(
  services: Services,
  context: Deciding,
  { id, date }: { id: number; date: string },
  orderOf: (photos: DayOrder) => readonly Ranked[],
): Promise<number> {
  return onStay(services, context, id, async ({ transaction, now }) => {
    const photos = await listDayOrder(transaction, id, date);
    const changed = orderOf(photos);
    if (changed.length === 0) return { answer: 0, action: undefined };
    const moved = new Set(changed.map((photo) => photo.id));
    const isShown = areSeen(
      photos.filter((photo) => moved.has(photo.id)),
      now,
    );
    const numero = await numberChange(transaction, id, isShown);
    await updateOrder(transaction, changed, numero, now);
    return { answer: changed.length, action: 'ordre des photos d’un jour' };
  });
}
