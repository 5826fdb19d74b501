import { useId } from 'react';
import { FieldError } from './Field.tsx';

interface TickFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  /** `1` ticked, `0` not. */
  defaultValue: string;
}

/** A box to tick, which sends `1` or `0`. */
export function TickField({ name, label, error, defaultValue }: TickFieldProps) {
  const id = useId();
  return (
    // Under the field that it is about.
    <div className="-mt-3">
      {/* A box that is not ticked sends nothing; then this counts, being the last of its name. */}
      <input type="hidden" name={name} value="0" />
      <label className="flex min-h-11 w-fit items-center gap-3">
        <input
          type="checkbox"
          name={name}
          value="1"
          defaultChecked={defaultValue === '1'}
          className="size-5 shrink-0"
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        {label}
      </label>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
