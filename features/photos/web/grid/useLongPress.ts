import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Time, in ms, for which a finger rests on a photo, as on the pictures of telephones; and how far it may stray, in pixels. */
const REST_MS = 450;
const STRAY = 10;

/**
 * Calls `onHold` with the id of the photo on which a finger rests: neither the menu of the browser nor a press follows.
 * Mouse and keyboard are left alone.
 */
export function useLongPress(
  root: RefObject<HTMLElement | null>,
  onHold: ((id: number) => void) | undefined,
): void {
  const hold = useEffectEvent((id: number) => onHold?.(id));
  const isOn = onHold !== undefined;
  useEffect(() => {
    const grid = root.current;
    if (!grid || !isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { x: 0, y: 0 };
    let isTouched = false;
    const cancel = () => clearTimeout(timer);
    const swallow = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const onDown = (event: PointerEvent) => {
      cancel();
      isTouched = event.pointerType === 'touch';
      const tile = event.target instanceof Element && event.target.closest<HTMLElement>('[data-photo]');
      if (!isTouched || !event.isPrimary || !tile) return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        // The press that ends with this touch; without one, nothing of a later touch is swallowed.
        grid.addEventListener('click', swallow, { capture: true, once: true });
        document.addEventListener('pointerdown', () => grid.removeEventListener('click', swallow, true), {
          capture: true,
          once: true,
        });
        navigator.vibrate?.(10);
        hold(Number(tile.dataset.photo));
      }, REST_MS);
    };
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > STRAY) cancel();
    };
    const onMenu = (event: Event) => {
      if (isTouched) event.preventDefault();
    };
    const listening = new AbortController();
    const { signal } = listening;
    grid.addEventListener('pointerdown', onDown, { signal });
    grid.addEventListener('pointermove', onMove, { signal });
    grid.addEventListener('pointerup', cancel, { signal });
    grid.addEventListener('pointercancel', cancel, { signal });
    grid.addEventListener('contextmenu', onMenu, { signal });
    return () => {
      cancel();
      listening.abort();
    };
  }, [root, isOn]);
}
