import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useModal } from './useModal.ts';

interface DialogProps {
  title: string;
  /** Absent: it can't be closed without doing what it asks. */
  onClose?: () => void;
  children: ReactNode;
}

/** A modal dialog: the rest of the page is out of reach, and gets the focus back afterwards. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-lg">
      <div className="mb-4 flex items-start justify-between gap-4">
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" className="round-button -mt-2 -mr-2" onClick={onClose}>
            <X aria-hidden="true" />
            <span className="sr-only">Fermer</span>
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
