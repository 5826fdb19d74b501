import type { Director } from '#features/stays/calls.ts';
import { CATEGORIES } from '#features/stays/shared/terms.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { Field } from '#platform/web/ui/Field.tsx';
import { nameOf } from './directors.ts';

interface DirectorSelectProps {
  directors: readonly Director[];
  stay: NamedStay | undefined;
  chosen: Director | undefined;
  onChoose(director: Director | undefined): void;
}

/** Somebody new, or one of those known, the stay’s own first. */
export function DirectorSelect({ directors, stay, chosen, onChoose }: DirectorSelectProps) {
  const typeOf = ({ sejours }: Director) => sejours.find(({ stageId }) => stageId === stay?.id)?.cat;
  const own = directors.flatMap((director) => {
    const cat = typeOf(director);
    return cat ? [{ id: director.id, label: `${nameOf(director)} — ${CATEGORIES[cat]}` }] : [];
  });
  const others = directors.filter((director) => !typeOf(director));
  return (
    <Field label="Directeur" name="formateur" isRequired>
      {(control) => (
        <select
          {...control}
          className="input"
          value={chosen?.id ?? 'add'}
          onChange={({ target }) => onChoose(directors.find(({ id }) => String(id) === target.value))}
        >
          <option value="add">Ajouter un directeur</option>
          {own.length > 0 && (
            <optgroup label="Directeurs de ce séjour">
              {own.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </optgroup>
          )}
          {others.length > 0 && (
            <optgroup label={stay ? 'Autres directeurs' : 'Directeurs'}>
              {others.map((director) => (
                <option key={director.id} value={director.id}>
                  {nameOf(director)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
    </Field>
  );
}
