import type { ItemKind, Field as KindField } from '#features/content/shared/kind.ts';
import { Field, TextArea, TextField, TickField } from '#platform/web/ui/Field.tsx';
import { MarkdownField } from '#platform/web/ui/MarkdownField.tsx';
import { PersonField } from './PersonField.tsx';

interface ContentFieldsProps {
  kind: ItemKind;
  /** Absent: a new item. */
  id: number | undefined;
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** The longest text, in characters, that is typed without tools or a preview. */
const SHORT = 2_000;

/** The text fields of a kind, in its order. */
export function ContentFields({ kind, id, values, errors }: ContentFieldsProps) {
  return Object.entries(kind.fields).map(([name, field]) => (
    <ContentField
      key={name}
      name={name}
      field={field}
      id={id}
      value={values[name] ?? ''}
      error={errors[name]}
    />
  ));
}

interface ContentFieldProps {
  name: string;
  field: KindField;
  id: number | undefined;
  value: string;
  error: string | undefined;
}

function ContentField({ name, field, id, value, error }: ContentFieldProps) {
  const common = { name, label: field.label, isRequired: field.required, error, defaultValue: value };
  switch (field.type) {
    case 'paragraphs':
      return field.max > SHORT ? <MarkdownField {...common} /> : <TextArea {...common} />;
    case 'address':
      return (
        <TextField
          {...common}
          type="url"
          inputMode="url"
          placeholder="https://"
          help="Par exemple https://www.exemple.fr"
        />
      );
    case 'day':
      return <TextField {...common} type="date" />;
    case 'moment':
      return <TextField {...common} type="datetime-local" />;
    case 'line':
      return <TextField {...common} />;
    case 'email':
      return <TextField {...common} type="email" />;
    case 'phone':
      return <TextField {...common} type="tel" />;
    case 'choice':
      return <ChoiceField {...common} options={field.options ?? []} />;
    case 'person':
      return <PersonField {...common} self={id} />;
    case 'tick':
      return <TickField {...common} />;
  }
}

interface ChoiceFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  defaultValue: string;
  options: readonly string[];
}

function ChoiceField({ name, label, error, defaultValue, options }: ChoiceFieldProps) {
  return (
    // Something is always chosen: nothing to be left out.
    <Field name={name} label={label} error={error} isRequired>
      {(control) => (
        <select {...control} className="input" defaultValue={defaultValue}>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
