import { type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { follow } from './inBrowser.tsx';

/** Time, in ms, that a mouse may be outside the menu before it closes. */
const GRACE_MS = 200;

/**
 * State of a button that opens a menu under it. The menu closes on Escape (focus goes back to the button), on a click
 * or a focus outside, and on a choice inside.
 */
export function useDropdown<E extends HTMLElement>({ opensOnHover }: { opensOnHover: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<E>(null);
  const id = useId();
  const leaving = useRef<number>(undefined);
  /** True when hovering opened the menu: the next click, meant to open it too, must not close it. */
  const openedByHover = useRef(false);

  useEffect(() => {
    if (!isOpen) return;
    const isOutside = (event: Event) => !ref.current?.contains(event.target as Node);
    const closeOutside = (event: Event) => isOutside(event) && setOpen(false);
    const closeOnChoice = (event: Event) => {
      const chosen = (event.target as Element).closest(`#${CSS.escape(id)} :is(a, button)`);
      // Buttons of a group, like those for the size of texts, are pressed several times.
      if (chosen && !chosen.closest('[role=group]')) setOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      if (ref.current?.contains(document.activeElement)) ref.current.querySelector('button')?.focus();
    };
    return follow(document, {
      pointerdown: closeOutside,
      focusin: closeOutside,
      click: closeOnChoice,
      keydown: closeOnEscape,
    });
  }, [isOpen, id]);

  useEffect(() => () => window.clearTimeout(leaving.current), []);

  const isMouse = (event: PointerEvent) => opensOnHover && event.pointerType === 'mouse';
  return {
    ref,
    id,
    isOpen,
    button: {
      'aria-expanded': isOpen,
      'aria-controls': id,
      onClick: () => {
        setOpen(openedByHover.current || !isOpen);
        openedByHover.current = false;
      },
    },
    hover: {
      onPointerEnter: (event: PointerEvent) => {
        if (!isMouse(event)) return;
        window.clearTimeout(leaving.current);
        openedByHover.current = !isOpen;
        setOpen(true);
      },
      onPointerLeave: (event: PointerEvent) => {
        if (!isMouse(event)) return;
        leaving.current = window.setTimeout(() => setOpen(false), GRACE_MS);
      },
    },
  };
}
