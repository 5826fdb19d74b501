import { useState } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { Field } from '#platform/web/ui/Field.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { groupedStays, matchingStays, type NamedStay, stayLabel, WORTH_FILTERING } from './stays.ts';

interface StaySelectProps<S extends NamedStay> {
  stays: readonly S[];
  /** Id of the chosen one. */
  value: number | undefined;
  onChoose(stay: S | undefined): void;
  error?: string | undefined;
}

/** The dropdown of the stays, those of today first, with a filter when they are many. */
export function StaySelect<S extends NamedStay>({ stays, value, onChoose, error }: StaySelectProps<S>) {
  const { locale, today } = useSite();
  const [filter, setFilter] = useState('');
  const shown = matchingStays(stays, filter, locale);
  return (
    <>
      {stays.length > WORTH_FILTERING && (
        <SearchBox
          label="Filtrer les séjours"
          value={filter}
          onType={(text) => {
            setFilter(text);
            onChoose(undefined);
          }}
        />
      )}
      <Field
        label="Séjour"
        name="stageId"
        isRequired
        help={stays.length > WORTH_FILTERING ? `${shown.length} dans la liste.` : undefined}
        error={error}
      >
        {(control) => (
          <select
            {...control}
            className="input"
            value={value ?? ''}
            onChange={({ target }) => onChoose(stays.find(({ id }) => String(id) === target.value))}
          >
            <option value="">Choisissez…</option>
            {groupedStays(shown, today).map((group) => (
              <optgroup key={group.title} label={group.title}>
                {group.stays.map((stay) => (
                  <option key={stay.id} value={stay.id}>
                    {stayLabel(stay, locale)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
