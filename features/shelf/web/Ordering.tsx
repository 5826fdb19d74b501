import { ArrowLeft, ArrowRight, GripVertical } from 'lucide-react';
import { type PointerEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useDecisions } from '#features/checking/web/decisions.tsx';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';

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
  /** Called when a photo is dropped beside another one of its day. */
  onDrop(id: number, target: number, isAfter: boolean): void;
  children: ReactNode;
}

interface Drag {
  id: number;
  tile: Element;
  list: Element;
  /** Of the pointer, in the window. */
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
  /** Why the last move was taken back; blank: it was not. */
  trouble: string;
}

/** The place of an open photo in its day, with the buttons that change it. */
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
      {by < 0 && <ArrowLeft aria-hidden="true" className="size-5 shrink-0" />}
      {label}
      <span className="sr-only"> d’une place</span>
      {by > 0 && <ArrowRight aria-hidden="true" className="size-5 shrink-0" />}
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
      <p role="alert" className="font-semibold text-coral empty:hidden">
        {trouble}
      </p>
    </section>
  );
}

/** Puts a day back in the order in which its photos were taken; nothing for a day whose photos nobody has moved. */
export function OrderReset({ day, photos }: { day: string; photos: readonly Photo[] }) {
  const { locale } = useSite();
  const { resetOrder } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  if (photos.every(({ rang, prise_le }) => rang === prise_le)) return null;
  const putBack = async () => {
    say(await resetOrder(day));
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
