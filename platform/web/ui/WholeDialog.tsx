import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import { addOverlayEntry } from '#platform/web/history.tsx';
import { RoundButton } from './Button.tsx';
import { useModal } from './dialogs.tsx';

interface WholeDialogProps {
  title: string;
  onClose(): void;
  /** True when the close button is the only control, and gets the focus. */
  isOnlyClosed?: boolean;
  /** Receives a function that closes the dialog as Back does. */
  children(close: () => void): ReactNode;
}

/** A dialog over the whole window, which Back closes. */
export function WholeDialog({ title, onClose, isOnlyClosed = false, children }: WholeDialogProps) {
  const close = useBackCloses(onClose);
  const modal = useModal(close);
  const id = useId();
  return (
    <dialog
      {...modal}
      aria-labelledby={id}
      className="m-0 flex h-dvh max-h-none w-full max-w-none flex-col bg-paper"
    >
      <div className="flex items-center gap-2 border-b border-mist px-2">
        <RoundButton label="Fermer" onClick={close} data-first-focus={isOnlyClosed || undefined}>
          <X />
        </RoundButton>
        <h2 id={id} className="text-lg wrap-anywhere">
          {title}
        </h2>
      </div>
      {children(close)}
    </dialog>
  );
}

/** The overlays that Back closes, the one on top last. */
const overlays: object[] = [];

/**
 * Makes Back close an overlay while it is mounted and on top. Returns a function that closes it as Back does, which leaves the
 * history as it was before.
 */
export function useBackCloses(onClosed: () => void): () => void {
  const close = useEffectEvent(onClosed);
  useEffect(() => {
    const self = {};
    overlays.push(self);
    addOverlayEntry();
    const onPop = () => {
      if (overlays.at(-1) === self) close();
    };
    window.addEventListener('popstate', onPop);
    return () => {
      overlays.splice(overlays.indexOf(self), 1);
      window.removeEventListener('popstate', onPop);
    };
  }, []);
  return () => window.history.back();
}
