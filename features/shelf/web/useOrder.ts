import { useEffect, useMemo, useRef, useState } from 'react';
import { useDecisions } from '#features/checking/web/decisions.tsx';
import type { Photo } from '#features/photos/calls.ts';
import { asListed } from '#features/photos/web/useStayPhotos.ts';
import { CallError } from '#platform/web/api.ts';
import { UNFORESEEN } from '#platform/web/ui/notices.tsx';
import { placeBefore } from '../shared/order.ts';

export type Order = ReturnType<typeof useOrder>;

/** The `rang` of moved photos, by their ids, until the list of the server has it. */
type Ranks = ReadonlyMap<number, string>;

const NONE: Ranks = new Map();

/** Which photos of a day are in view, and so count as places. */
type IsShown = (photo: Photo) => boolean;

/**
 * Moves photos within their day. A photo is in its new place at once; moves are sent one after the other, and one that
 * fails is taken back. What the server says meanwhile, of an earlier move, changes no place.
 */
export function useOrder(listed: readonly Photo[]) {
  const { move } = useDecisions();
  const [ranks, setRanks] = useState(NONE);
  /** The same, for keys that are pressed before the page is drawn again. */
  const latest = useRef(ranks);
  const [said, setSaid] = useState('');
  const [trouble, setTrouble] = useState('');
  const sending = useRef(Promise.resolve());
  const waiting = useRef(0);
  const photos = useMemo(() => inOrder(listed, ranks), [listed, ranks]);

  const rank = (next: Ranks) => {
    latest.current = next;
    setRanks(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list has changed
  useEffect(() => {
    if (waiting.current === 0) rank(NONE);
  }, [listed]);

  /** Moves a photo to the place among the others in view that `placeOf` tells, from the one it has. */
  function put(
    id: number,
    isShown: IsShown,
    placeOf: (others: readonly Photo[], place: number) => number,
  ): void {
    const ordered = inOrder(listed, latest.current);
    const photo = ordered.find((one) => one.id === id);
    if (!photo) return;
    const { jour } = photo;
    const day = ordered.filter((one) => one.jour === jour);
    const others = day.filter((one) => one !== photo && isShown(one));
    const place = placeOf(others, day.filter((one) => one === photo || isShown(one)).indexOf(photo));
    if (place < 0 || place > others.length) return;
    const before = others[place]?.id ?? null;
    const changed = placeBefore(day, [id], before);
    if (changed.length === 0) return;
    rank(new Map([...latest.current, ...changed.map((one) => [one.id, one.rang] as const)]));
    setSaid(`Photo ${place + 1} sur ${others.length + 1}`);
    setTrouble('');
    waiting.current += 1;
    const send = async () => {
      try {
        await move(jour, [id], before);
      } catch (error) {
        rank(NONE);
        setSaid('');
        setTrouble(error instanceof CallError ? error.message : UNFORESEEN);
        if (!(error instanceof CallError)) throw error;
      } finally {
        waiting.current -= 1;
      }
    };
    sending.current = sending.current.then(send, send);
  }

  return {
    /** In the order that the moves have given them. */
    photos,
    /** The new place of the photo moved last, for screen readers. */
    said,
    /** Why the last move was taken back; blank: it was not. */
    trouble,
    /** Moves a photo right before another one in view, or right after it. */
    drop: (id: number, target: number, isAfter: boolean, isShown: IsShown) =>
      put(id, isShown, (others) => {
        const place = others.findIndex((one) => one.id === target);
        return place < 0 ? place : place + Number(isAfter);
      }),
    /** Moves a photo by one place among those in view. */
    step: (id: number, by: 1 | -1, isShown: IsShown) => put(id, isShown, (_, place) => place + by),
  };
}

function inOrder(listed: readonly Photo[], ranks: Ranks): readonly Photo[] {
  if (ranks.size === 0) return listed;
  const ranked = listed.map((photo) => {
    const rang = ranks.get(photo.id);
    return rang === undefined ? photo : { ...photo, rang };
  });
  return ranked.sort(asListed);
}
