import type { ContentKind, Field } from '../../../shared/content/kind.ts';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { MarkdownField } from '../../ui/MarkdownField.tsx';

interface ContentFieldsProps {
  kind: ContentKind;
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** The longest text, in characters, that is typed without tools or a preview. */
const SHORT = 2_000;

/** The text fields of a kind, in its order. */
export function ContentFields({ kind, values, errors }: ContentFieldsProps) {
  return Object.entries(kind.fields).map(([name, field]) => (
    <ContentField key={name} name={name} field={field} value={values[name] ?? ''} error={errors[name]} />
  ));
}

interface ContentFieldProps {
  name: string;
  field: Field;
  value: string;
  error: string | undefined;
}

function ContentField({ name, field, value, error }: ContentFieldProps) {
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
  }
}
