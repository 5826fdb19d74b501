import { type ReactNode, useId, useState } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { FieldError } from '#platform/web/ui/Field.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { matchingStays, type NamedStay, stayLabel, WORTH_FILTERING } from './stays.ts';

interface TickedStaysProps<S extends NamedStay> {
  stays: readonly S[];
  /** Number of ticked stays, filtered out ones included. */
  count: number;
  error: string | undefined;
  /** Renders the stays that match the filter. */
  children(shown: S[]): ReactNode;
}

/** A list of stays to tick, with a filter when there are many, and the number of ticked ones. */
export function TickedStays<S extends NamedStay>({ stays, count, error, children }: TickedStaysProps<S>) {
  const { locale } = useSite();
  const [filter, setFilter] = useState('');
  const id = useId();
  const shown = matchingStays(stays, filter, locale);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-semibold">Séjours</legend>
      {stays.length > WORTH_FILTERING && (
        <SearchBox label="Filtrer les séjours" value={filter} onType={setFilter} />
      )}
      <p role="status" className="text-sm text-quiet">
        {`${count > 1 ? `${count} séjours cochés` : `${count} séjour coché`} sur ${stays.length}.`}
        {filter !== '' && ` ${shown.length} dans la liste.`}
      </p>
      {children(shown)}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

interface TickedStayProps {
  stay: NamedStay;
  isTicked: boolean;
  onTick(isTicked: boolean): void;
  isWrong?: boolean;
  /** Shown beside the name of the stay. */
  children: ReactNode;
}

/** One stay of the list, with its checkbox. */
export function TickedStay({ stay, isTicked, onTick, isWrong = false, children }: TickedStayProps) {
  const { locale } = useSite();
  return (
    <li className="border-b border-mist last:border-b-0">
      <label className="flex min-h-12 items-center gap-3 py-1.5 wrap-anywhere">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          checked={isTicked}
          // Marks the field to correct, which takes the focus.
          aria-invalid={isWrong}
          onChange={({ target }) => onTick(target.checked)}
        />
        <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
          {stayLabel(stay, locale)}
          {children}
        </span>
      </label>
    </li>
  );
}
