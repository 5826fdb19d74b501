import { useState } from 'react';
import { type ItemKind, titleOf } from '#features/content/shared/kind.ts';
import { folded } from '#platform/shared/fold.ts';
import { useSite } from '#platform/web/site.tsx';
import { SelectField } from '#platform/web/ui/Field.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { dayOf, excerpt } from '#platform/web/ui/texts.ts';
import { type AnyItem, type Choice, publicationOf } from './useItems.ts';

/** Maximum length in characters of a title in the dropdown, so that the date after it stays visible. */
const LABEL = 60;
/** Number of items above which a filter is shown. */
const WORTH_FILTERING = 12;

/** Dropdown of a kind’s items, newest first, with a filter when there are many. */
export function ItemSelect({ kind, items, choice }: { kind: ItemKind; items: AnyItem[]; choice: Choice }) {
  const { locale, timeZone } = useSite();
  const [filter, setFilter] = useState('');
  const shown = items.filter((item) => folded(nameOf(kind, item)).includes(folded(filter)));
  return (
    <>
      {items.length > WORTH_FILTERING && (
        <SearchBox
          label="Filtrer la liste"
          value={filter}
          onType={(text) => {
            setFilter(text);
            choice.choose(undefined);
          }}
        />
      )}
      <SelectField
        label={kind.label}
        name="element"
        isRequired
        help={
          shown.length > 0
            ? `${shown.length} dans la liste.`
            : `Rien dans la liste ne contient «\u00a0${filter}\u00a0».`
        }
        error={choice.error}
        value={choice.chosen?.id ?? ''}
        onChoose={(value) => choice.choose(items.find(({ id }) => String(id) === value))}
      >
        <option value="">Choisissez…</option>
        {shown.map((item) => (
          <option key={item.id} value={item.id}>
            {nameOf(kind, item)}
            {item.date_publication &&
              ` — ${STATES[publicationOf(item)]} ${dayOf(item.date_publication, locale, timeZone)}`}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function nameOf(kind: ItemKind, item: AnyItem): string {
  const names = [titleOf(kind, item), kind.qualifiedBy && String(item[kind.qualifiedBy])];
  return names.flatMap((name) => (name ? [excerpt(name, LABEL)] : [])).join(' — ');
}

const STATES = { over: 'terminé, publié le', coming: 'programmé pour le', online: 'publié le' };
