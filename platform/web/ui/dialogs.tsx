import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createNeeded } from '#platform/web/needed.ts';
import { Button } from './Button.tsx';
import { FieldError } from './FieldError.tsx';
import { follow } from './inBrowser.tsx';

const contentTitle = () => document.querySelector<HTMLElement>('#contenu h1');

/**
 * Gives the focus, without scrolling, to the title of the page: after a navigation, or where the focused element is gone.
 * Screen readers say it, and read on from there. `link`: what gets it instead, where it is there.
 */
export function focusContent(link?: HTMLElement | null): void {
  const title = contentTitle();
  if (title) title.tabIndex = -1;
  (link ?? title ?? document.getElementById('contenu'))?.focus({ preventScroll: true });
}

/**
 * Calls `arrive` once the page that was navigated to has its title: at once, or when it has loaded. Not when the focus has
 * moved by then, to a field or by a person. Returns what stops waiting.
 */
export function onceThere(arrive: () => void): () => void {
  const before = document.activeElement;
  const look = () => {
    if (!contentTitle()) return;
    observer.disconnect();
    if ([before, document.body].includes(document.activeElement)) arrive();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}

/**
 * Opens a `<dialog>` over the page while it is mounted, and gives the focus back afterwards. On opening, the focus
 * goes to the element with `data-first-focus`, else where browsers put it. `onLeave` is called on Escape, on a phone's
 * Back and on a press beside the dialog; when it is undefined, none of them has an effect.
 */
export function useModal(onLeave: (() => void) | undefined) {
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
    onKeyDown: (event: React.KeyboardEvent) => {
      // A dialog over this one has taken it.
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      onLeave?.();
    },
    onCancel: (event: React.SyntheticEvent) => {
      event.preventDefault();
      onLeave?.();
    },
    // The browser has closed it all the same.
    onClose: () => (onLeave ? onLeave() : ref.current?.showModal()),
    onPointerDown: ({ target, currentTarget, clientX, clientY }: React.PointerEvent) => {
      if (target !== currentTarget) return;
      const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
      const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
      if (isBeside) onLeave?.();
    },
  };
}

export interface Wish {
  question: string;
  consequence?: string;
  /** Further choices, shown before the buttons. */
  details?: ReactNode;
  /** Why a yes cannot be given yet, such as a missing choice; undefined when it can. */
  obstacle?(): string | undefined;
  yes: string;
  no?: string;
  /** Word to type before a yes counts: for actions that erase much at once. */
  word?: string;
}

type Confirm = (wish: Wish) => Promise<boolean>;

const [ConfirmContext, useConfirm] = createNeeded<Confirm>('ConfirmProvider');

/** Asks for confirmation before an action that cannot be undone with a click. */
export { useConfirm };

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ wish: Wish; answer(isYes: boolean): void }>();
  const confirm: Confirm = (wish) =>
    new Promise((resolve) => {
      // One question at a time: a new one answers the previous one with no.
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
  const [typed, setTyped] = useState('');
  const { question, consequence, details, obstacle, yes, no = 'Annuler', word = '' } = wish;
  const [refusal, setRefusal] = useState<string>();
  const choices = useRef<HTMLDivElement>(null);
  const [isMissed, setMissed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const mayBeYes = typed.trim().toUpperCase() === word.toUpperCase();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = obstacle?.();
    setRefusal(found);
    if (found) return choices.current?.querySelector<HTMLElement>('select, input')?.focus();
    if (mayBeYes) return answer(true);
    setMissed(true);
    input.current?.focus();
  };
  return (
    <dialog
      {...modal}
      role="alertdialog"
      aria-labelledby={`${id}-question`}
      aria-describedby={consequence ? `${id}-consequence` : undefined}
      className="dialog max-w-md"
    >
      {/* It has the focus first: screen readers would say a button alone. */}
      <div tabIndex={-1} data-first-focus>
        <p id={`${id}-question`} className="font-title text-xl leading-snug font-semibold">
          {question}
        </p>
        {consequence && (
          <p id={`${id}-consequence`} className="mt-3 text-quiet">
            {consequence}
          </p>
        )}
      </div>
      {details && (
        <div ref={choices} className="mt-4" aria-describedby={refusal && `${id}-refusal`}>
          {details}
          <FieldError id={`${id}-refusal`} error={refusal} />
        </div>
      )}
      <form onSubmit={onSubmit}>
        {word && (
          <div className="mt-4 flex flex-col gap-1.5">
            <label htmlFor={`${id}-word`} className="font-semibold">
              Pour confirmer, tapez {word}
            </label>
            <input
              ref={input}
              id={`${id}-word`}
              className="input"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={typed}
              aria-invalid={isMissed}
              aria-describedby={isMissed ? `${id}-missed` : undefined}
              onChange={({ target }) => {
                setMissed(false);
                setTyped(target.value);
              }}
            />
            <FieldError id={`${id}-missed`} error={isMissed ? `Tapez ${word} pour confirmer.` : undefined} />
          </div>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" danger className="sure" aria-disabled={!mayBeYes}>
            {yes}
          </Button>
          {/* Cancel has the focus, so that a key pressed too early does no harm. */}
          <Button quiet onClick={() => answer(false)}>
            {no}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** One entry for each unsaved form, with the consequence of leaving it; navigation asks first while there is any. */
const unsaved = new Set<{ consequence: string }>();

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Registers a form as unsaved while `isDirty`; `consequence` is the French sentence on what leaving would mean. */
export function useUnsaved(isDirty: boolean, consequence = 'Vos changements seront perdus.'): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = { consequence };
    unsaved.add(form);
    return () => {
      unsaved.delete(form);
    };
  }, [isDirty, consequence]);
}

/** Asks for confirmation to leave unsaved forms; resolves to true at once when there are none. */
export function useConfirmLeaving(): () => Promise<boolean> {
  const confirm = useConfirm();
  return async () => {
    if (!hasUnsaved()) return true;
    return confirm({
      question: 'Quitter sans enregistrer\u202f?',
      consequence: [...new Set([...unsaved].map(({ consequence }) => consequence))].join(' '),
      yes: 'Quitter',
      no: 'Rester',
    });
  };
}

/** Calls `open` on Ctrl K, or ⌘ K on a Mac; a single key would also be typed by whoever dictates. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Not over another open dialog.
      if (!document.querySelector('dialog[open]')) open();
    };
    return follow(document, { keydown: onKey });
  });
}
