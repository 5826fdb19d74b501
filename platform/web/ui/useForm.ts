import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CallError } from '#platform/web/api.ts';
import { useConfirm, type Wish } from './dialogs.tsx';
import { isTakenOver, UNFORESEEN, useNotices } from './notices.tsx';

interface FormOptions<T> {
  /** Sends the form; throws `CallError` when it was refused. `submitter`: the button that was pressed, if one was. */
  send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<T>;
  onDone(answer: T, form: HTMLFormElement): void;
  /** Title of the notice of a failure; the server's reason is shown under it. */
  failure: string;
  /** Text of a further notice when a required field is empty. */
  incomplete?: string | undefined;
  /** True for a form that was opened by a button: its first field takes the focus. */
  takesFocus?: boolean;
  /** Handles a failure; returns true when no notice is needed. */
  onFailed?(error: CallError, form: HTMLFormElement): boolean;
}

/**
 * A form that submits once at a time, gives the errors of each field, puts the focus on the first wrong field, and
 * keeps what was typed until the server has saved it.
 */
export function useForm<T>(options: FormOptions<T>) {
  const { send, onDone, failure, incomplete, takesFocus = false, onFailed } = options;
  const ref = useRef<HTMLFormElement>(null);
  const lastSubmitter = useRef<HTMLElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isBusy, setBusy] = useState(false);
  /** Incremented each time the focus has to go to the first wrong field. */
  const [refusals, setRefusals] = useState(0);
  const { warn, clear } = useNotices();

  useEffect(() => {
    if (takesFocus) ref.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>(WRONG)?.focus();
  }, [refusals]);

  function refuse(found: Record<string, string>): void {
    setErrors(found);
    setRefusals((count) => count + 1);
  }

  async function submit(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    if (isBusy) return;
    clear();
    lastSubmitter.current = submitter;
    // A button such as « Enregistrer comme brouillon » leaves it to the server to say what must be filled.
    const isLenient = submitter instanceof HTMLButtonElement && submitter.formNoValidate;
    const { blank, wrong } = whatIsMissing(form);
    const missing = isLenient ? wrong : { ...blank, ...wrong };
    if (incomplete && !isLenient && Object.keys(blank).length > 0) warn(incomplete);
    if (Object.keys(missing).length > 0) return refuse(missing);
    setErrors({});
    setBusy(true);
    try {
      onDone(await send(form, submitter), form);
    } catch (error) {
      if (!(error instanceof CallError)) {
        warn(failure, UNFORESEEN);
        throw error;
      }
      refuse(error.champs);
      if (!onFailed?.(error, form) && !isTakenOver(error)) warn(failure, error.message);
    } finally {
      setBusy(false);
    }
  }

  return {
    errors,
    refusals,
    isBusy,
    /** Submits the form again with the present content of its fields: by the same button, or by none. */
    resubmit: (isSameButton = true) =>
      ref.current?.requestSubmit(isSameButton ? lastSubmitter.current : null),
    form: {
      ref,
      noValidate: true,
      // Before hydration the browser itself would submit the form; by GET it would put the content into the address.
      method: 'post',
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        submit(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
      },
      // A field being corrected no longer shows its error.
      onChange: ({ target }: FormEvent<HTMLFormElement>) => {
        const { name } = target as HTMLInputElement;
        if (errors[name] === undefined) return;
        setErrors(Object.fromEntries(Object.entries(errors).filter(([one]) => one !== name)));
      },
    },
  };
}

/** Selects wrong fields, and for a field that cannot take the focus, the element that takes it instead. */
const WRONG = '[aria-invalid="true"]:not([tabindex="-1"]), [data-wrong="true"]';

const REQUIRED = 'ce champ est obligatoire.';
const NO_FILE = 'choisissez un fichier.';

/** Errors that the browser can detect by itself, in the words that the server would use: of blank fields, and of others. */
function whatIsMissing(form: HTMLFormElement): Record<'blank' | 'wrong', Record<string, string>> {
  const blank: Record<string, string> = {};
  const wrong: Record<string, string> = {};
  for (const control of form.elements) {
    if (!isControl(control)) continue;
    const { name, validity, value } = control;
    // Not by `required`, of which Firefox and its screen readers say « not valid » before anything was typed.
    if (control.matches('[required], [aria-required=true]') && value.trim() === '')
      blank[name] = control.type === 'file' ? NO_FILE : (control.dataset.missing ?? REQUIRED);
    else if (validity.badInput) wrong[name] = 'cette valeur n’est pas complète.';
    else if (control.type === 'url' && value.trim() !== '' && !/^https?:\/\/\S+$/i.test(value.trim())) {
      wrong[name] = 'cette adresse doit commencer par https:// ou http://.';
    } else if (control.type === 'email' && validity.typeMismatch) {
      wrong[name] = 'cette adresse e-mail n’est pas valable.';
    }
  }
  return { blank, wrong };
}

function isControl(element: Element): element is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

/** The texts of a form by field name, without files; with the name and value of the button that submits it, if given. */
export function textsOf(form: HTMLFormElement, submitter?: HTMLElement | null): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form, submitter)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/**
 * Runs one action at a time for a button. A notice tells of a failure: `failure`, then the server's reason. `askAgain`
 * reads what the action changes, after a failure too: somebody else may have been faster.
 */
export function useAction(askAgain?: () => Promise<unknown>) {
  const confirm = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const { warn, clear } = useNotices();
  /** True when it succeeded. With `wish`, nothing is done unless the person confirms it. */
  async function run(work: () => Promise<void>, failure: string, wish?: Wish): Promise<boolean> {
    if (isBusy || (wish && !(await confirm(wish)))) return false;
    clear();
    setBusy(true);
    try {
      await work().finally(askAgain);
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) {
        warn(failure, UNFORESEEN);
        throw error;
      }
      if (!isTakenOver(error)) warn(failure, error.message);
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, run };
}

/**
 * The item chosen in a dropdown, with an error in the site's own words when a choice is required but missing. The
 * caller keeps the id, in a state or in the URL. `onMade` is called when a choice that was missing is made.
 */
export function useRequiredChoice<T extends { id: number }>(
  items: readonly T[],
  [id, setId]: readonly [number | undefined, (id: number | undefined) => void],
  nothingChosen: string,
  onMade?: () => void,
) {
  const [isMissed, setMissed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { warn } = useNotices();
  // An item that left the list is no longer chosen.
  const chosen = items.find((item) => item.id === id);
  const miss = () => {
    setMissed(true);
    warn(nothingChosen);
    place.current?.querySelector('select')?.focus();
  };
  return {
    chosen,
    /** Ref around the dropdown, used to move the focus to it. */
    place,
    error: isMissed && !chosen ? nothingChosen : undefined,
    choose(item: T | undefined): void {
      if (isMissed) onMade?.();
      setMissed(false);
      setId(item?.id);
    },
    miss,
    /** Calls `work` with the chosen item, or reports that nothing is chosen. */
    withChosen(work: (item: T) => void): void {
      if (chosen) work(chosen);
      else miss();
    },
  };
}

export function withTicks(
  ids: readonly number[],
  some: readonly number[],
  isTicked: boolean,
): readonly number[] {
  return isTicked ? [...new Set([...ids, ...some])] : ids.filter((id) => !some.includes(id));
}
