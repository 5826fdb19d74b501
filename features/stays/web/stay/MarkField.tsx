import { type ReactNode, useId } from 'react';
import { MARKS } from '../../shared/terms.ts';

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
