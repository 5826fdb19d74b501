import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { useModal } from './useModal.ts';

interface Wish {
  /** The question, as a sentence. */
  question: string;
  /** What follows from a yes. */
  consequence?: string;
  /** The button that says yes, as a verb. */
  yes: string;
  no?: string;
}

type Confirm = (wish: Wish) => Promise<boolean>;

const ConfirmContext = createContext<Confirm | undefined>(undefined);

/** Asks before something that cannot be taken back with a click. */
export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext);
  if (!confirm) throw new Error('no ConfirmProvider above');
  return confirm;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ wish: Wish; answer(isYes: boolean): void }>();
  const confirm: Confirm = (wish) =>
    new Promise((resolve) => {
      // One question at a time: the one before is answered by the new one.
      asked?.answer(false);
      setAsked({
        wish,
        answer: (isYes) => {
          setAsked(undefined);
          resolve(isYes);
        },
      });
    });
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked && <ConfirmDialog {...asked} />}
    </ConfirmContext>
  );
}

function ConfirmDialog({ wish, answer }: { wish: Wish; answer(isYes: boolean): void }) {
  const modal = useModal(() => answer(false));
  const id = useId();
  const { question, consequence, yes, no = 'Annuler' } = wish;
  return (
    <dialog
      {...modal}
      role="alertdialog"
      aria-labelledby={`${id}-question`}
      aria-describedby={consequence ? `${id}-consequence` : undefined}
      className="dialog max-w-md"
    >
      <p id={`${id}-question`} className="font-title text-xl leading-snug font-semibold">
        {question}
      </p>
      {consequence && (
        <p id={`${id}-consequence`} className="mt-3 text-quiet">
          {consequence}
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <button type="button" className="button danger sure" onClick={() => answer(true)}>
          {yes}
        </button>
        {/* The way back has the focus: a key pressed too early harms nothing. */}
        <button type="button" className="button quiet" data-first-focus onClick={() => answer(false)}>
          {no}
        </button>
      </div>
    </dialog>
  );
}
