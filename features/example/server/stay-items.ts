import { childrenOf } from './children.ts';
import { dayIn, type ExampleItem, picked } from './item.ts';
import { minutesPdf } from './minutes-pdf.ts';
import { insertPhotoRows, PHOTO_ITEMS } from './photo-items.ts';
import { assignStays, insertChildren, insertReview } from './stay-rows.ts';
import {
  booklets,
  directors,
  type ExampleBooklet,
  type ExampleDirector,
  type ExampleStay,
  stays,
} from './stays.ts';

/** The stays, those who direct them and the booklets, as items of the example. */

export const STAY_ITEMS: readonly ExampleItem[] = [
  ...stays.map(stay),
  ...directors.map(director),
  ...booklets.map(booklet),
  ...PHOTO_ITEMS,
];

function stay(item: ExampleStay, place: number): ExampleItem {
  return {
    cle: stayCle(item.cle),
    table: 'stages',
    texts: (now) => ({
      ...picked(item, ['nom_stage', 'adresse', 'horaires', 'telephone_urgence', 'consignes']),
      date_debut: dayIn(now, item.inDays),
      date_fin: dayIn(now, item.inDays + item.nights),
    }),
    files: async () => ({}),
    alongside: async (transaction, id, now) => {
      await insertChildren(transaction, id, childrenOf(place, item.children), now);
      await insertReview(transaction, id, item, dayIn(now, item.inDays + item.nights), now);
      await insertPhotoRows(transaction, id, item, now);
    },
  };
}

function director(item: ExampleDirector): ExampleItem {
  return {
    cle: `formateurs/${item.cle}`,
    table: 'formateurs',
    after: item.stays.map((one) => stayCle(one.stay)),
    texts: () => picked(item, ['nom', 'prenom', 'mail', 'telephone']),
    files: async () => ({}),
    alongside: (transaction, id, _now, places) =>
      assignStays(
        transaction,
        id,
        item.stays.map(({ stay, cat }) => ({ stageId: places.get(stayCle(stay)), cat })),
      ),
  };
}

function booklet(item: ExampleBooklet): ExampleItem {
  return {
    cle: `livrets/${item.cle}`,
    table: 'livrets',
    texts: () => ({}),
    files: async () => ({ livret: [{ label: item.nom, bytes: minutesPdf(item.title, item.paragraphs) }] }),
  };
}

function stayCle(cle: string): string {
  return `stages/${cle}`;
}
