import { type RefObject, useEffect, useRef } from 'react';

/**
 * Opens a `<dialog>` over the page while it is mounted, and gives the focus back afterwards. On opening, the focus
 * goes to the element with `data-first-focus`, else where browsers put it. `onLeave` is called on Escape, on a phone's
 * Back and on a press beside the dialog; when it is undefined, none of them has an effect.
 */
export function useModal(onLeave: (() => void) | undefined): {
  ref: RefObject<HTMLDialogElement | null>;
  onKeyDown(event: React.KeyboardEvent): void;
  onCancel(event: React.SyntheticEvent): void;
  onClose(): void;
  onPointerDown(event: React.PointerEvent): void;
} {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    return () => {
      dialog?.close();
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      const place = isThere ? before : document.getElementById('contenu');
      place?.focus({ preventScroll: true });
    };
  }, []);
  return {
    ref,
    // Browsers let a second Escape close a dialog that refused the first, unless its keydown is prevented.
    onKeyDown: (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      onLeave?.();
    },
    onCancel: (event) => {
      event.preventDefault();
      onLeave?.();
    },
    // The browser has closed it all the same.
    onClose: () => (onLeave ? onLeave() : ref.current?.showModal()),
    onPointerDown: ({ target, currentTarget, clientX, clientY }) => {
      if (target !== currentTarget) return;
      const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
      const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
      if (isBeside) onLeave?.();
    },
  };
}
