import type { ItemKind, Field as KindField } from '#features/content/shared/kind.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Field, TextArea, TextField, TickField } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { MarkdownField } from '#platform/web/ui/MarkdownField.tsx';
import { EMPLOYEES, type Employee, inTreeOrder, NOBODY } from './useItems.ts';

interface ContentFieldsProps {
  kind: ItemKind;
  /** Undefined: a new item. */
  id: number | undefined;
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** Maximum length in characters of a field that gets no Markdown tools and preview. */
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
    // Required: there is no blank option.
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

interface PersonFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  defaultValue: string;
  /** The employee whose manager is chosen: neither they nor anyone in their team can be. */
  self: number | undefined;
}

/** Dropdown of all employees, in the order of the chart. */
function PersonField({ defaultValue, self, ...field }: PersonFieldProps) {
  const query = useQuestion(EMPLOYEES, 'Erreur lors de la récupération des employés:', {
    isFresh: true,
  });
  return (
    <Field {...field}>
      {(control) => (
        <>
          {/* Until the list is loaded, the form still sends the stored value. */}
          {!query.data && <input type="hidden" name={control.name} value={defaultValue} />}
          <LoadState query={query} failed="La liste des employés n’a pas pu être chargée.">
            {(people) => (
              <select {...control} className="input" defaultValue={defaultValue}>
                <option value="">{NOBODY}</option>
                {/* A manager missing from the list gets an option: « nobody » would be selected instead, and saved. */}
                {defaultValue !== '' && !people.some(({ id }) => String(id) === defaultValue) && (
                  <option value={defaultValue}>Inchangé</option>
                )}
                {inTreeOrder(people, self).map(({ person, depth }) => (
                  <option key={person.id} value={person.id}>
                    {INDENT.repeat(depth) + labelOf(person)}
                  </option>
                ))}
              </select>
            )}
          </LoadState>
        </>
      )}
    </Field>
  );
}

/** No-break spaces: browsers drop plain ones at the start of an option. */
const INDENT = '\u00a0\u00a0\u00a0\u00a0';

function labelOf({ nom, prenom, poste }: Employee): string {
  return `${nom} ${prenom} — ${poste}`;
}
