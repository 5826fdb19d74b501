import { type ReactNode, useId, useRef, useState } from 'react';
import { MARKS } from '#features/stays/shared/terms.ts';
import { useDraft } from '#platform/web/drafts.ts';

type Values = Record<string, string>;

/**
 * Values of a form, kept as a draft on this device until the server has them. Only values that differ from `stored` are
 * kept, so that what others write meanwhile shows in the other fields.
 */
export function useKeptValues(key: string, stored: Values) {
  const draft = useDraft(key, stored, undefined);
  const [form, setForm] = useState({ values: draft.values, saved: stored });
  /** The latest state: when a server answer arrives, `form` of its closure lacks the keys typed meanwhile. */
  const latest = useRef(form);
  const put = (next: typeof form) => {
    latest.current = next;
    setForm(next);
    const changes = changesOf(next);
    if (Object.keys(changes).length > 0) draft.typed(changes);
    else draft.drop();
  };
  return {
    values: form.values,
    /** Values that differ from those of the server. */
    changes: changesOf(form),
    /** When the draft found on this device was typed. */
    foundAt: draft.foundAt,
    change(name: string, value: string): void {
      const { values, saved } = latest.current;
      put({ saved, values: { ...values, [name]: value } });
    },
    /** Records that the server has stored `sent`; what was typed since is still to be sent. */
    confirm(sent: Values): void {
      const { values, saved } = latest.current;
      put({ values, saved: { ...saved, ...sent } });
    },
  };
}

function changesOf({ values, saved }: { values: Values; saved: Values }): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== saved[name]));
}

/** What each mark means, from the worst to the best. */
const WORDS = ['Mauvais', 'Faible', 'Correct', 'Bien', 'Très bien'] as const;

/** « 4 sur 5, bien ». */
export function wordsOfMark(mark: string): string {
  return `${mark} sur 5, ${WORDS[Number(mark) - 1]?.toLowerCase()}`;
}

interface MarkFieldProps {
  label: ReactNode;
  /** The mark as a digit; blank for none. */
  value: string;
  onChange(value: string): void;
}

export function MarkField({ label, value, onChange }: MarkFieldProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="font-semibold">{label}</legend>
      <div className="mt-2 grid max-w-lg grid-cols-5 gap-1.5">
        {MARKS.map((mark, index) => (
          <label key={mark} className="choice flex! flex-col items-center gap-0.5 px-0.5! py-2! text-center">
            <input
              type="radio"
              name={name}
              value={mark}
              checked={value === String(mark)}
              onChange={({ target }) => onChange(target.value)}
              className="size-5"
            />
            <span className="font-semibold">{mark}</span>
            <span className="text-note leading-tight">{WORDS[index]}</span>
          </label>
        ))}
      </div>
      {value !== '' && (
        <button
          type="button"
          className="min-h-11 text-sm text-lake underline underline-offset-3"
          onClick={({ currentTarget }) => {
            // The focused button disappears, so the focus moves to the first input.
            currentTarget.closest('fieldset')?.querySelector('input')?.focus();
            onChange('');
          }}
        >
          Retirer cette note
        </button>
      )}
    </fieldset>
  );
}
