import { useId } from 'react';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';

interface DayFieldProps {
  stay: NamedStay;
  value: string;
  onChange(day: string): void;
}

/** The day of a stay under which photos are shown. */
export function DayField({ stay, value, onChange }: DayFieldProps) {
  const { today } = useSite();
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Jour
      </label>
      <input
        id={id}
        type="date"
        className="input"
        min={stay.date_debut}
        max={stay.date_fin > today ? stay.date_fin : undefined}
        value={value}
        onChange={({ target }) => target.value && onChange(target.value)}
      />
    </div>
  );
}
