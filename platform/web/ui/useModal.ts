import { type RefObject, useEffect, useRef } from 'react';

/**
 * Opens a `<dialog>` over the page for as long as it is drawn, and gives the focus back afterwards. The focus
 * goes to what is marked `data-first-focus`, else where browsers put it. `onLeave` answers Escape, the way back
 * of a phone and a press beside the dialog; when it is absent, none of them does anything.
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
    // Browsers let a second Escape close a dialog whatever its answer to the first; not if they never see it.
    onKeyDown: (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      onLeave?.();
    },
    onCancel: (event) => {
      event.preventDefault();
      onLeave?.();
    },
    // Closed by the browser all the same.
    onClose: () => (onLeave ? onLeave() : ref.current?.showModal()),
    onPointerDown: ({ target, currentTarget, clientX, clientY }) => {
      if (target !== currentTarget) return;
      const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
      const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
      if (isBeside) onLeave?.();
    },
  };
}
