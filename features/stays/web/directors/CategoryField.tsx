import { CATEGORIES, type Category } from '#features/stays/shared/terms.ts';
import { Field } from '#platform/web/ui/Field.tsx';

interface CategoryFieldProps {
  label: string;
  help?: string;
  isRequired?: boolean;
  error: string | undefined;
  value: Category | '';
  onChoose(cat: Category | ''): void;
}

/** What somebody directs in a stay. */
export function CategoryField(props: CategoryFieldProps) {
  const { label, help, isRequired = true, error, value, onChoose } = props;
  return (
    <Field label={label} name="cat" isRequired={isRequired} help={help} error={error}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          onChange={({ target }) => onChoose(target.value as Category | '')}
        >
          <option value="">Choisissez…</option>
          {Object.entries(CATEGORIES).map(([cat, name]) => (
            <option key={cat} value={cat}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
