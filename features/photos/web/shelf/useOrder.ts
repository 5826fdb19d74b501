import { useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { placeBefore } from '#features/photos/shared/order.ts';
import { useDecisions } from '#features/photos/web/checking/decisions.tsx';
import { useRanking } from '#features/photos/web/useStayPhotos.ts';
import { CallError } from '#platform/web/api.ts';
import { UNFORESEEN } from '#platform/web/ui/notices.tsx';

export type Order = ReturnType<typeof useOrder>;

/**
 * Moves photos within their day. A photo is in its new place at once; moves are sent one after the other, and one that
 * fails is taken back.
 */
export function useOrder(photos: readonly Photo[]) {
  const { stageId, as, move } = useDecisions();
  const rank = useRanking(stageId, as);
  const [said, setSaid] = useState('');
  const [trouble, setTrouble] = useState('');
  const sending = useRef(Promise.resolve());

  /** Puts a photo before another one of its day, or at its end; `others`: those of the day that are in view. */
  function put({ id, jour }: Photo, before: number | null, others: readonly Photo[]): void {
    const day = photos.filter((photo) => photo.jour === jour);
    const changed = placeBefore(day, [id], before);
    if (changed.length === 0) return;
    const ids = new Set(changed.map((photo) => photo.id));
    const was = day.filter((photo) => ids.has(photo.id)).map((photo) => ({ id: photo.id, rang: photo.rang }));
    rank(changed);
    const place = before === null ? others.length : others.findIndex((photo) => photo.id === before);
    setSaid(`Photo ${place + 1} sur ${others.length + 1}`);
    setTrouble('');
    sending.current = sending.current.then(async () => {
      try {
        await move(jour, [id], before);
      } catch (error) {
        rank(was);
        setSaid('');
        setTrouble(error instanceof CallError ? error.message : UNFORESEEN);
        if (!(error instanceof CallError)) throw error;
      }
    });
  }

  return {
    /** The new place of the photo moved last, for screen readers. */
    said,
    /** Why the last move was taken back; blank: it was not. */
    trouble,
    put,
    /** Moves a photo by one place among those in view. */
    step(photo: Photo, by: 1 | -1, shown: readonly Photo[]): void {
      const others = shown.filter(({ id }) => id !== photo.id);
      const place = shown.indexOf(photo) + by;
      if (place >= 0 && place < shown.length) put(photo, others[place]?.id ?? null, others);
    },
  };
}
