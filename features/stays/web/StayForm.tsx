import { type ReactNode, useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { CallError } from '#platform/web/api.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import type { ManagedStay } from './questions.ts';
import { StaleStay } from './StaleStay.tsx';
import { StayFields } from './StayFields.tsx';
import { type StayTexts, textsOfStay } from './stayTexts.ts';

interface StayFormProps {
  /** Absent: a new one. */
  stay?: ManagedStay;
  submitLabel: string;
  failure: string;
  save(body: StayTexts): Promise<ReplyOf<'POST /stages'>>;
  onSaved(saved: ReplyOf<'POST /stages'>): void;
  /** What is stored takes the place of what this form shows. */
  onReplaced?(stay: ManagedStay): void;
  /** Beside the button: what takes the stay away. */
  danger?: ReactNode;
}

interface Meanwhile {
  message: string;
  stay: ManagedStay;
  /** What stood in the form when it was refused. */
  mine: Record<string, string>;
}

/** All that staff write of a stay. */
export function StayForm(props: StayFormProps) {
  const { stay, submitLabel, failure, save, onSaved, onReplaced, danger } = props;
  const [isDirty, setDirty] = useState(false);
  /** What somebody else saved meanwhile. */
  const [other, setOther] = useState<Meanwhile>();
  useUnsaved(isDirty);
  const { form, errors, isBusy, resubmit } = useForm({
    send: (element) => {
      const version = (other?.stay ?? stay)?.version;
      return save({ ...(textsOf(element) as StayTexts), ...(version && { version: String(version) }) });
    },
    onDone: (saved) => {
      setDirty(false);
      onSaved(saved);
    },
    failure,
    onFailed: (error, element) => {
      const actual = conflictIn(error);
      if (actual) setOther({ message: error.message, stay: actual, mine: textsOf(element) });
      return actual !== undefined;
    },
  });
  return (
    <>
      {other && (
        <StaleStay
          key={other.stay.version}
          message={other.message}
          mine={other.mine}
          theirs={textsOfStay(other.stay)}
          isBusy={isBusy}
          onKept={resubmit}
          onReplaced={() => {
            onReplaced?.(other.stay);
            // The button that had the focus is gone.
            document.getElementById('contenu')?.focus();
          }}
        />
      )}
      <form {...form} autoComplete="off" className="flex flex-col gap-8" onInput={() => setDirty(true)}>
        <StayFields texts={textsOfStay(stay)} errors={errors} stay={stay} />
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-mist pt-6">
          <button type="submit" className="button" aria-disabled={isBusy}>
            {isBusy ? 'Enregistrement…' : submitLabel}
          </button>
          {danger}
        </div>
      </form>
    </>
  );
}

/** The stay as it is now, when the refusal was that somebody else had changed it. */
function conflictIn({ status, answer }: CallError): ManagedStay | undefined {
  const { actuel } = (answer ?? {}) as { actuel?: ManagedStay };
  return status === 409 ? actuel : undefined;
}
