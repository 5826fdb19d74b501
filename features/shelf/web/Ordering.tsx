import { ArrowLeft, ArrowRight, GripVertical } from 'lucide-react';
import { type PointerEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDecisions } from '#features/checking/web/decisions.tsx';
import type { Photo } from '#features/photos/calls.ts';
import { asListed } from '#features/photos/web/useStayPhotos.ts';
import { CallError } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { UNFORESEEN, useNotices } from '#platform/web/ui/notices.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { placeBefore } from '../shared/order.ts';

/* What moves photos within their day: a grip on each tile, two buttons beside an open photo, and the way back. */

/** The part of a tile by which a finger or the mouse drags it; elsewhere, a finger scrolls. Keys do the same. */
export const grip = () => (
  <span data-grip aria-hidden="true" className="photo-grip">
    <span>
      <GripVertical className="size-5" />
    </span>
  </span>
);

interface DragAreaProps {
  isOn: boolean;
  onDrop(id: number, target: number, isAfter: boolean): void;
  children: ReactNode;
}

interface Drag {
  id: number;
  tile: Element;
  list: Element;
  x: number;
  y: number;
  target?: { id: number; isAfter: boolean };
}

/** Height, in pixels, at both ends of the window in which a drag scrolls; and by how much in a frame. */
const EDGE = 110;
const SPEED = 10;

/** A grid whose photos are dragged by their grips; a line shows where the photo would be put. */
export function DragArea({ isOn, onDrop, children }: DragAreaProps) {
  const root = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const frame = useRef(0);
  const [line, setLine] = useState<{ left: number; top: number; height: number }>();

  const aim = () => {
    const at = drag.current;
    const area = root.current?.getBoundingClientRect();
    if (!at || !area) return;
    const tile = document.elementFromPoint(at.x, at.y)?.closest('.photo-tile');
    if (!tile || tile.parentElement !== at.list) return;
    const { left, right, top, height } = tile.getBoundingClientRect();
    const isAfter = at.x > (left + right) / 2;
    at.target = { id: idOf(tile), isAfter };
    setLine({ left: (isAfter ? right + 2 : left - 2) - area.left, top: top - area.top, height });
  };
  const scroll = () => {
    frame.current = 0;
    const at = drag.current;
    if (!at || !root.current) return;
    const scroller = root.current.closest('[data-scroller]');
    const { top, bottom } = scroller?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight };
    const by = at.y < top + EDGE ? -SPEED : at.y > bottom - EDGE ? SPEED : 0;
    if (by === 0) return;
    (scroller ?? window).scrollBy({ top: by, behavior: 'instant' });
    aim();
    frame.current = requestAnimationFrame(scroll);
  };
  const end = useCallback(() => {
    drag.current?.tile.classList.remove('dragged');
    drag.current = undefined;
    setLine(undefined);
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !drag.current) return;
      // Not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      cancelAnimationFrame(frame.current);
    };
  }, [end]);
  const onPointerDown = ({ target, button, pointerId, currentTarget, clientX, clientY }: PointerEvent) => {
    const tile = isOn && (target as Element).closest('[data-grip]')?.closest('.photo-tile');
    const list = tile ? tile.parentElement : undefined;
    if (!tile || !list || button !== 0) return;
    // By what stays: the tile may be taken out of the page when the drag scrolls far.
    currentTarget.setPointerCapture(pointerId);
    tile.classList.add('dragged');
    drag.current = { id: idOf(tile), tile, list, x: clientX, y: clientY };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (!drag.current) return;
    Object.assign(drag.current, { x: clientX, y: clientY });
    aim();
    frame.current ||= requestAnimationFrame(scroll);
  };
  const onPointerUp = () => {
    const { id, target } = drag.current ?? {};
    end();
    if (id !== undefined && target && target.id !== id) onDrop(id, target.id, target.isAfter);
  };
  return (
    <div
      ref={root}
      className="relative"
      {...{ onPointerDown, onPointerMove, onPointerUp, onPointerCancel: end }}
    >
      {children}
      {line && <span className="drop-line" style={line} />}
    </div>
  );
}

function idOf(tile: Element): number {
  return Number(tile.querySelector<HTMLElement>('[data-photo]')?.dataset.photo);
}

interface PlaceInDayProps {
  photo: Photo;
  /** Photos of its day among which it moves. */
  shown: readonly Photo[];
  onStep(by: 1 | -1): void;
  trouble: string;
}

export function PlaceInDay({ photo, shown, onStep, trouble }: PlaceInDayProps) {
  const { locale } = useSite();
  const place = shown.findIndex(({ id }) => id === photo.id);
  if (place < 0 || shown.length < 2) return null;
  const button = (by: 1 | -1, label: string) => (
    <Button
      quiet
      className="px-3"
      aria-disabled={by < 0 ? place === 0 : place === shown.length - 1}
      onClick={() => onStep(by)}
    >
      {by < 0 && <ArrowLeft className="size-5 shrink-0" />}
      {label}
      <span className="sr-only"> d’une place</span>
      {by > 0 && <ArrowRight className="size-5 shrink-0" />}
    </Button>
  );
  return (
    <section aria-label="Place dans le jour" className="mb-5 flex flex-col gap-2 border-b border-mist pb-4">
      <p role="status" className="text-sm">
        {place === 0 ? '1re' : `${place + 1}e`} des {shown.length} photos du {weekdayOf(photo.jour, locale)}
      </p>
      <div className="flex flex-wrap gap-2">
        {button(-1, 'Plus tôt')}
        {button(1, 'Plus tard')}
      </div>
      <p role="alert" aria-live="assertive" className="font-semibold text-coral empty:hidden">
        {trouble}
      </p>
    </section>
  );
}

/** Puts a day back in the order in which its photos were taken; nothing for a day whose photos nobody has moved. */
export function OrderReset({ day, photos }: { day: string; photos: readonly Photo[] }) {
  const { locale } = useSite();
  const { stageId, act } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  if (photos.every(({ rang, prise_le }) => rang === prise_le)) return null;
  const putBack = async () => {
    const params = { id: stageId, date: day };
    say((await act('DELETE /stages/:id/jours/:date/ordre', { params })).message);
    // The button is gone with its reason.
    document.getElementById(`jour-${day}`)?.focus();
  };
  const reset = () =>
    run(putBack, 'Erreur lors de la remise en ordre', {
      question: `Remettre les photos du ${weekdayOf(day, locale)} dans l’ordre des prises de vue\u202f?`,
      consequence: 'L’ordre que vous leur avez donné sera perdu, pour les familles aussi.',
      yes: 'Remettre dans l’ordre',
    });
  return (
    <Button quiet className="mb-3" aria-disabled={isBusy} onClick={reset}>
      Remettre dans l’ordre des prises de vue
      <span className="sr-only"> les photos du {weekdayOf(day, locale)}</span>
    </Button>
  );
}

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
  const { stageId, act } = useDecisions();
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
        const params = { id: stageId, date: jour };
        await act('POST /stages/:id/jours/:date/ordre', { params, body: { ids: [id], avant: before } });
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
