import { useId, useState } from 'react';
import type { ContentKind } from '../../../shared/content/kind.ts';
import { folded } from '../../../shared/fold.ts';
import { useSite } from '../../site.tsx';
import { Field } from '../../ui/Field.tsx';
import { dayOf, excerpt } from '../../ui/texts.ts';
import { type AnyItem, titleOf } from './calls.ts';

interface ItemSelectProps {
  kind: ContentKind;
  items: AnyItem[];
  chosen: AnyItem | undefined;
  onChosen(item: AnyItem | undefined): void;
  /** Said under it when something was to be done with nothing. */
  error: string | undefined;
}

/** Characters of a title in the dropdown, so that what follows it is seen. */
const LABEL = 60;
/** As many as a dropdown holds before one would rather type. */
const WORTH_FILTERING = 12;

/** The dropdown of a kind’s items, newest first, with a filter when they are many. */
export function ItemSelect({ kind, items, chosen, onChosen, error }: ItemSelectProps) {
  const { locale, timeZone } = useSite();
  const [filter, setFilter] = useState('');
  const filterId = useId();
  const shown = items.filter((item) => folded(titleOf(kind, item)).includes(folded(filter)));
  return (
    <>
      {items.length > WORTH_FILTERING && (
        <div className="flex flex-col gap-1.5">
          <label htmlFor={filterId} className="font-semibold">
            Filtrer la liste
          </label>
          <input
            id={filterId}
            type="search"
            className="input"
            value={filter}
            onChange={(event) => {
              setFilter(event.target.value);
              onChosen(undefined);
            }}
          />
        </div>
      )}
      <Field
        label={kind.label}
        name="element"
        isRequired
        help={
          shown.length > 0
            ? `${shown.length} dans la liste.`
            : `Aucun titre ne contient «\u00a0${filter}\u00a0».`
        }
        error={error}
      >
        {(control) => (
          <select
            {...control}
            className="input"
            value={chosen?.id ?? ''}
            onChange={({ target }) => onChosen(items.find(({ id }) => String(id) === target.value))}
          >
            <option value="">Choisissez…</option>
            {shown.map((item) => (
              <option key={item.id} value={item.id}>
                {excerpt(titleOf(kind, item), LABEL)} — {stateOf(item)}{' '}
                {dayOf(item.date_publication, locale, timeZone)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}

function stateOf({ publie_du, publie_au }: AnyItem): string {
  const now = new Date().toISOString();
  if (publie_au && publie_au <= now) return 'terminé, publié le';
  if (publie_du && publie_du > now) return 'programmé pour le';
  return 'publié le';
}
